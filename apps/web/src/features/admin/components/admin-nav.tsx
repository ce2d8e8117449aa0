import type { DeskToday } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import {
  apiQuery,
  cx,
  formatCount,
  isMember,
  PageLink,
  type PlainPath,
  type TextKey,
  useTranslation,
  WATCH_MS,
} from '../../../lib/index.ts'
import { Button, Icon, type IconName, Sheet } from '../../../ui/index.ts'
import { signOut } from '../../../wallet/connection.ts'

interface Area {
  readonly label: TextKey
  readonly path: PlainPath
  /** Another page of the area. */
  readonly below?: PlainPath
  readonly icon: IconName
  /** The number of waiting tasks. */
  readonly count?: (today: DeskToday) => { count: number; more?: boolean }
}

interface Group {
  /** The first group has no heading. */
  readonly label: TextKey | null
  readonly areas: readonly Area[]
}

/** The operators' pages, in the order of a day's work. */
const GROUPS: readonly Group[] = [
  {
    label: null,
    areas: [
      { label: 'desk.title', path: '/pages/admin/home', icon: 'home' },
      {
        label: 'admin.area.approvals',
        path: '/pages/admin/approvals',
        icon: 'check',
        count: (today) => today.approvals,
      },
    ],
  },
  {
    label: 'desk.group.money',
    areas: [
      {
        label: 'admin.area.audit',
        path: '/pages/admin/audit',
        icon: 'withdraw',
        count: (today) => today.withdrawals,
      },
      {
        label: 'admin.area.auditOrder',
        path: '/pages/admin/auditOrder',
        icon: 'orders',
        count: ({ payments, redemptions }) => ({ count: payments.count + redemptions.count }),
      },
      { label: 'admin.area.treasury', path: '/pages/admin/treasury', icon: 'out' },
      { label: 'admin.area.analytics', path: '/pages/admin/analytics', icon: 'activity' },
      { label: 'admin.area.statements', path: '/pages/admin/statements', icon: 'doc' },
    ],
  },
  {
    label: 'desk.group.members',
    areas: [
      { label: 'admin.area.search', path: '/pages/admin/search', icon: 'search' },
      {
        label: 'admin.area.updateFound',
        path: '/pages/admin/updateFound',
        icon: 'fund',
        below: '/pages/admin/fundDesk',
      },
      { label: 'admin.area.distrubutionHash', path: '/pages/admin/distrubutionHash', icon: 'bolt' },
      { label: 'admin.area.announcements', path: '/pages/admin/announcements', icon: 'bell' },
    ],
  },
  {
    label: 'desk.group.rules',
    areas: [
      { label: 'admin.area.rewardDistribution', path: '/pages/admin/rewardDistribution', icon: 'clock' },
      { label: 'admin.area.prices', path: '/pages/admin/prices', icon: 'rewards' },
      { label: 'admin.area.solvency', path: '/pages/admin/solvency', icon: 'shield' },
      { label: 'admin.area.plan', path: '/pages/admin/plan', icon: 'filter' },
      { label: 'admin.area.roles', path: '/pages/admin/roles', icon: 'team' },
      { label: 'admin.area.reach', path: '/pages/admin/reach', icon: 'globe' },
      { label: 'admin.area.webhooks', path: '/pages/admin/webhooks', icon: 'external' },
      { label: 'admin.area.log', path: '/pages/admin/log', icon: 'list' },
    ],
  },
]
/** Keeps an element that is scrolled into view above the fixed link to the emergency stop. */
const ABOVE_EMERGENCY = 'lg:scroll-mb-16'
const EMERGENCY: Area = { label: 'admin.area.emergency', path: '/pages/admin/emergency', icon: 'warn' }

const TABS = [
  '/pages/admin/home',
  '/pages/admin/approvals',
  '/pages/admin/audit',
  '/pages/admin/search',
] as const satisfies readonly PlainPath[]

/** The operator's waiting tasks, at most a minute old. */
export const useToday = () => useQuery({ ...apiQuery('deskToday'), refetchInterval: WATCH_MS })

/** Reports whether a page belongs to an area or is below it. */
const isIn = ({ path, below }: Area, page: string) => path === page || below === page

/** The links to all pages with their numbers of waiting tasks. Beside a page the link to the emergency stop is always visible. */
export function AdminNav() {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('admin.menu')} className="flex flex-1 flex-col gap-0.5">
      {GROUPS.map(({ label, areas }) => (
        <div key={label} className="flex flex-col gap-0.5">
          {label !== null && <p className="px-3 pb-1 pt-3 text-12 font-medium text-muted">{t(label)}</p>}
          {areas.map((area) => (
            <AreaLink key={area.path} area={area} className={ABOVE_EMERGENCY} />
          ))}
        </div>
      ))}
      <div
        data-pinned
        className="lg:sticky lg:-bottom-4 lg:-mx-3 lg:border-t lg:border-line lg:bg-card lg:px-3 lg:py-2"
      >
        <AreaLink area={EMERGENCY} />
      </div>
    </nav>
  )
}

function AreaLink({ area, className }: { area: Area; className?: string }) {
  const { t } = useTranslation()
  const page = useLocation({ select: (location) => location.pathname })
  const today = useToday().data
  const isOn = isIn(area, page)
  return (
    <PageLink
      to={area.path}
      className={cx(
        'flex min-h-11 items-center gap-3 rounded-12 px-3 text-14 font-medium',
        isOn ? 'bg-ink text-on-ink' : 'text-muted hover:bg-sunken',
        className,
      )}
      {...(isOn && { 'aria-current': area.path === page ? ('page' as const) : true })}
    >
      <Icon name={area.icon} size={20} />
      <span className="min-w-0 flex-1">{t(area.label)}</span>
      <Waiting waiting={today && area.count?.(today)} isOn={isOn} />
    </PageLink>
  )
}

function Waiting({
  waiting,
  isOn,
}: {
  waiting: { count: number; more?: boolean } | undefined
  isOn: boolean
}) {
  const { t } = useTranslation()
  if (waiting === undefined || waiting.count === 0) return null
  const text = `${formatCount(waiting.count)}${waiting.more === true ? '+' : ''}`
  return (
    <span
      className={cx(
        'rounded-8 px-1.5 text-12 font-semibold leading-5 tabular-nums',
        isOn ? 'bg-on-ink text-ink' : 'bg-sunken text-ink',
      )}
    >
      <span aria-hidden="true">{text}</span>
      <span className="sr-only">{t('desk.waiting', { count: text })}</span>
    </span>
  )
}

/** The signed-in admin with role, and signing out. */
export function Who() {
  const { t } = useTranslation()
  const me = useQuery(apiQuery('adminMe')).data
  const link = 'flex min-h-11 items-center gap-3 rounded-12 px-3 text-14 text-muted hover:bg-sunken'
  return (
    <div className="flex flex-col gap-1 border-t border-line pt-3">
      {me !== undefined && (
        <p className="px-3 pb-1 text-14">
          <span className="block truncate font-medium">{me.person}</span>
          <span className="text-12 text-muted">{t(`admin.role.${me.role}`)}</span>
        </p>
      )}
      <PageLink to="/pages/my/selectLan/index" className={link}>
        <Icon name="globe" size={20} />
        {t('language.title')}
      </PageLink>
      {isMember() ? (
        <PageLink to="/pages/my/index" className={link}>
          <Icon name="my" size={20} />
          {t('admin.toAccount')}
        </PageLink>
      ) : (
        <Button variant="secondary" icon="out" onClick={() => void signOut()}>
          {t('my.signOut')}
        </Button>
      )}
    </div>
  )
}

/** The bar of a phone: the everyday pages, and all others behind the last item. */
export function AdminTabs() {
  const { t } = useTranslation()
  const page = useLocation({ select: (location) => location.pathname })
  const [isOpen, setOpen] = useState(false)
  const areas = GROUPS.flatMap((group) => group.areas)
  const tabs = TABS.map((path) => areas.find((area) => area.path === path)!)
  const isElsewhere = !tabs.some((area) => isIn(area, page))
  const tab = 'relative flex min-w-0 flex-1 flex-col items-center justify-center gap-1 text-10'
  return (
    <>
      <nav
        aria-label={t('admin.title')}
        className="fixed inset-x-0 bottom-0 z-10 flex h-[calc(65px+env(safe-area-inset-bottom))] border-t border-line bg-card pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
      >
        {tabs.map((area) => (
          <PageLink
            key={area.path}
            to={area.path}
            className={cx(tab, isIn(area, page) ? 'font-semibold text-ink' : 'text-muted')}
            {...(isIn(area, page) && { 'aria-current': 'page' as const })}
          >
            <Icon name={area.icon} size={24} />
            <span className="max-w-full truncate px-0.5">{t(area.label)}</span>
          </PageLink>
        ))}
        <button
          type="button"
          aria-label={t('admin.menu')}
          onClick={() => setOpen(true)}
          className={cx(tab, isElsewhere ? 'font-semibold text-ink' : 'text-muted')}
        >
          <Icon name="list" size={24} />
          {t('desk.more')}
        </button>
      </nav>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={t('admin.title')}>
        <div className="flex flex-col gap-4">
          <AdminNav />
          <Who />
        </div>
      </Sheet>
    </>
  )
}
