import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useStore } from 'zustand'
import { isTab, useAppConfig, useSession, useTranslation } from '../lib/index.ts'
import { Later, OverlayHost, TabBar, type TabItem } from '../ui/index.ts'
import { restoreWallet } from '../wallet/connection.ts'
import { demoRequestStore } from '../wallet/demo-wallet.ts'
import {
  GuardBanner,
  LimitBanner,
  NewBankBanner,
  OfflineBanner,
  PausedBanner,
  UpdateBanner,
} from './banners.tsx'

const WalletBars = lazy(() => import('../wallet/wallet-bars.tsx'))

/** The frame of every page: banners, the tab bar on tab pages, overlays. */
export function Layout() {
  const { t } = useTranslation()
  const path = useLocation({ select: (location) => location.pathname })
  const isMember = useSession().token !== ''
  const hasTabs = isTab(path)
  const items: TabItem[] = [
    { path: '/', label: t('tabs.home'), icon: 'home' },
    { path: '/pages/rewardList/index', label: t('tabs.activity'), icon: 'activity' },
    { path: '/pages/shop/index', label: t('tabs.shop'), icon: 'shop' },
    { path: '/pages/found/home', label: t('tabs.fund'), icon: 'fund' },
    { path: '/pages/my/index', label: t('tabs.my'), icon: 'my' },
  ]
  return (
    <>
      <OfflineBanner />
      <LimitBanner />
      <UpdateBanner />
      <GuardBanner />
      <PausedBanner />
      <NewBankBanner />
      {isMember && (
        <Later>
          <Suspense>
            <WalletBars />
          </Suspense>
        </Later>
      )}
      <div className={hasTabs ? 'pb-[calc(65px+env(safe-area-inset-bottom))]' : undefined}>
        <Outlet />
      </div>
      {hasTabs && <TabBar items={items} current={path} label={t('tabs.label')} />}
      <OverlayHost />
      <Later>
        <WalletHost />
      </Later>
    </>
  )
}

const DemoConfirm = lazy(() => import('../wallet/demo-confirm.tsx'))

/** Takes up the wallet's connection when the app starts, and shows what the demo wallet asks. Stands once, beside the pages. */
export function WalletHost() {
  const config = useAppConfig()
  const request = useStore(demoRequestStore)
  useEffect(() => {
    if (config !== undefined) void restoreWallet(config).catch(() => undefined)
  }, [config])
  return <Suspense>{request !== null && <DemoConfirm request={request} />}</Suspense>
}
