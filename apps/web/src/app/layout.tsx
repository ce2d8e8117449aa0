import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useStore } from 'zustand'
import { isTab, useAppConfig, useIsWide, useSession, useTranslation } from '../lib/index.ts'
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

// Not loaded on phones.
const SideNav = lazy(() => import('./side-nav.tsx'))
const WalletBars = lazy(() => import('../wallet/wallet-bars.tsx'))

/** The frame of every page: banners, the tab bar on tab pages or from 1024 px the navigation beside every page, overlays. */
export function Layout() {
  const { t } = useTranslation()
  const path = useLocation({ select: (location) => location.pathname })
  const { token, member } = useSession()
  const isSignedIn = token !== ''
  const isDesktop = useIsWide()
  const hasSide = isSignedIn && member && !path.startsWith('/pages/admin/')
  const hasTabs = isTab(path)
  const items: TabItem[] = [
    { to: '/', label: t('tabs.home'), icon: 'home' },
    { to: '/pages/rewardList/index', label: t('tabs.activity'), icon: 'activity' },
    { to: '/pages/shop/index', label: t('tabs.shop'), icon: 'shop' },
    { to: '/pages/found/home', label: t('tabs.fund'), icon: 'fund' },
    { to: '/pages/my/index', label: t('tabs.my'), icon: 'my' },
  ]
  return (
    <>
      <div className={hasSide ? 'with-side' : undefined}>
        {hasSide && (
          <aside className="sticky top-0 hidden h-dvh flex-col overflow-y-auto scroll-pb-36 px-3 py-5 lg:flex print:hidden">
            <Suspense>{isDesktop && <SideNav tabs={items} current={path} />}</Suspense>
          </aside>
        )}
        <div className="min-w-0">
          <OfflineBanner />
          <LimitBanner />
          <UpdateBanner />
          <GuardBanner />
          <PausedBanner />
          <NewBankBanner />
          {isSignedIn && (
            <Later>
              <Suspense>
                <WalletBars />
              </Suspense>
            </Later>
          )}
          <div className={hasTabs ? 'pb-[calc(65px+env(safe-area-inset-bottom))] lg:pb-0' : undefined}>
            <Outlet />
          </div>
        </div>
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

/**
 * Restores the wallet's connection when the app starts, and shows the demo wallet's prompts. Rendered once,
 * beside the pages.
 */
export function WalletHost() {
  const config = useAppConfig()
  const request = useStore(demoRequestStore)
  useEffect(() => {
    if (config !== undefined) void restoreWallet(config).catch(() => undefined)
  }, [config])
  return <Suspense>{request !== null && <DemoConfirm request={request} />}</Suspense>
}
