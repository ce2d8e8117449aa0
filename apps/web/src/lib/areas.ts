import type { PlainPath } from './navigation.ts'

/** The pages that a member reaches besides the five tabs, in the order in which they are shown. */
export const areas = [
  { name: 'orders', path: '/pages/shop/orderList', icon: 'orders' },
  { name: 'withdrawals', path: '/pages/withdrawal/list', icon: 'withdraw' },
  { name: 'transfer', path: '/pages/transfer/index', icon: 'send' },
  { name: 'savings', path: '/pages/savings/index', icon: 'savings' },
  { name: 'exchange', path: '/pages/exchange/index', icon: 'transfer' },
  { name: 'hashRate', path: '/pages/index/hashRate', icon: 'bolt' },
  { name: 'localWallet', path: '/pages/localWallet/index', icon: 'wallet' },
  { name: 'holdings', path: '/pages/found/my', icon: 'fund' },
  { name: 'team', path: '/pages/index/team_user', icon: 'team' },
  { name: 'tree', path: '/pages/my/invite/inviteTree', icon: 'tree' },
  { name: 'invite', path: '/pages/my/invite/index', icon: 'invite' },
  { name: 'coverage', path: '/pages/rewardList/coverage', icon: 'activity' },
] as const satisfies readonly { name: string; path: PlainPath; icon: string }[]
