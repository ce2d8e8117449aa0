import type { ComponentType } from 'react'
import type { PagePath } from '../lib/pages.ts'

type PageModule = Promise<{ default: ComponentType }>

/** Where each page of the table in lib/pages.ts is written; every page is a chunk of its own. */
export const pageComponents: Record<PagePath, () => PageModule> = {
  '/': () => import('../features/home/pages/home-page.tsx'),
  '/pages/exchange/index': () => import('../features/exchange/pages/exchange-page.tsx'),
  '/pages/exchange/list': () => import('../features/exchange/pages/exchange-list-page.tsx'),
  '/pages/found/home': () => import('../features/fund/pages/fund-home-page.tsx'),
  '/pages/index/hashRate': () => import('../features/hash-power/pages/hash-rate-page.tsx'),
  '/pages/index/team_user': () => import('../features/members/pages/team-page.tsx'),
  '/pages/login/index': () => import('../features/auth/pages/login-page.tsx'),
  '/pages/my/approvals': () => import('../features/approvals/pages/approvals-page.tsx'),
  '/pages/my/help': () => import('../features/info/pages/help-page.tsx'),
  '/pages/my/index': () => import('../features/members/pages/my-page.tsx'),
  '/pages/my/invite/index': () => import('../features/members/pages/invite-page.tsx'),
  '/pages/my/notifications': () => import('../features/home/pages/notifications-page.tsx'),
  '/pages/my/risk': () => import('../features/info/pages/risk-page.tsx'),
  '/pages/my/invite/inviteTree': () => import('../features/members/pages/invite-tree-page.tsx'),
  '/pages/my/selectLan/index': () => import('../features/members/pages/language-page.tsx'),
  '/pages/my/sessions': () => import('../features/members/pages/sessions-page.tsx'),
  '/pages/my/terms': () => import('../features/info/pages/terms-page.tsx'),
  '/pages/rewardList/coverage': () => import('../features/rewards/pages/coverage-page.tsx'),
  '/pages/rewardList/detail': () => import('../features/rewards/pages/reward-detail-page.tsx'),
  '/pages/rewardList/index': () => import('../features/rewards/pages/reward-list-page.tsx'),
  '/pages/savings/in': () => import('../features/savings/pages/savings-in-page.tsx'),
  '/pages/savings/index': () => import('../features/savings/pages/savings-page.tsx'),
  '/pages/savings/list': () => import('../features/savings/pages/savings-list-page.tsx'),
  '/pages/savings/out': () => import('../features/savings/pages/savings-out-page.tsx'),
  '/pages/shop/index': () => import('../features/shop/pages/shop-page.tsx'),
  '/pages/shop/orderList': () => import('../features/shop/pages/order-list-page.tsx'),
  '/pages/shop/paySuccess': () => import('../features/shop/pages/pay-success-page.tsx'),
  '/pages/shop/shopOrderDetail': () => import('../features/shop/pages/order-detail-page.tsx'),
  '/pages/localWallet/index': () => import('../features/local-wallet/pages/wallet-page.tsx'),
  '/pages/localWallet/list': () => import('../features/local-wallet/pages/wallet-list-page.tsx'),
  '/pages/localWallet/result': () => import('../features/local-wallet/pages/result-page.tsx'),
  '/pages/localWallet/transaction': () => import('../features/local-wallet/pages/send-page.tsx'),
  '/pages/localWallet/withdrawal': () => import('../features/local-wallet/pages/bring-page.tsx'),
  '/pages/transfer/index': () => import('../features/transfers/pages/transfer-page.tsx'),
  '/pages/transfer/list': () => import('../features/transfers/pages/transfer-list-page.tsx'),
  '/pages/withdrawal/detail': () => import('../features/withdrawals/pages/withdrawal-detail-page.tsx'),
  '/pages/withdrawal/index': () => import('../features/withdrawals/pages/withdraw-page.tsx'),
  '/pages/withdrawal/list': () => import('../features/withdrawals/pages/withdrawal-list-page.tsx'),
  '/pages/withdrawal/withdrawalSunccess': () =>
    import('../features/withdrawals/pages/withdrawal-success-page.tsx'),
}
