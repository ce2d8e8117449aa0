import { type PagePath, pageSpec } from './pages.ts'

/** Where a member can go besides the five tabs. Paths as in the specification, section 2. */
const AREAS = [
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
  { name: 'solvency', path: '/pages/solvency', icon: 'shield' },
] as const

export type Area = Omit<(typeof AREAS)[number], 'path'> & { readonly path: PagePath }

/** The areas whose page is in the table of pages, in the order in which they are shown. */
export const areas: readonly Area[] = AREAS.filter(({ path }) => pageSpec(path) !== null) as readonly Area[]
