import { Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from '../lib/i18n.ts'
import { isTab } from '../lib/navigation.ts'
import { useSession } from '../lib/session.ts'
import { Later } from '../ui/later.tsx'
import { OverlayHost } from '../ui/overlay-host.tsx'
import { TabBar, type TabItem } from '../ui/tab-bar.tsx'
import { WalletHost } from '../wallet/wallet-host.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { PausedBanner } from './paused-banner.tsx'
import { UpdateBanner } from './update-banner.tsx'

const WalletBars = lazy(() => import('../wallet/wallet-bars.tsx'))

/** What stands around every page: offline banner, tab bar on tab pages, overlays. */
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
      <UpdateBanner />
      <PausedBanner />
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
