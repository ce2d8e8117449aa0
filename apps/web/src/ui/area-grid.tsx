import { PageLink, type PlainPath, useTranslation } from '../lib/index.ts'
import { Icon } from './icon.tsx'

/** The pages that a member reaches besides the five tabs, in the order in which they are shown. */
export const areas = [
  { name: 'orders', path: '/pages/shop/orderList', icon: 'orders' },
  { name: 'packages', path: '/pages/shop/packages', icon: 'shop' },
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

/** The links to all areas besides the tabs. */
export function AreaGrid() {
  const { t } = useTranslation()
  return (
    <nav
      aria-label={t('areas.title')}
      className="grid grid-cols-4 gap-y-3 rounded-16 bg-card px-1 py-4 max-[359px]:grid-cols-3"
    >
      {areas.map(({ name, path, icon }) => (
        <PageLink
          key={path}
          to={path}
          className="flex min-w-0 flex-col items-center gap-2 rounded-12 text-center text-12"
        >
          <span className="grid size-11 place-items-center rounded-full bg-sunken">
            <Icon name={icon} size={20} />
          </span>
          <span className="w-full hyphens-auto break-words">{t(`areas.${name}`)}</span>
        </PageLink>
      ))}
    </nav>
  )
}
