import { type AdminRole, roleAllows } from '@rif/rules'
import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { apiQuery, cx, isMember, PageLink, type PlainPath, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Button,
  Icon,
  IconButton,
  type IconName,
  PageHeading,
  Pill,
  Sheet,
} from '../../../ui/index.ts'
import { signOut } from '../../../wallet/connection.ts'

interface AdminPageProps {
  title: string
  /** Buttons and filters at the end of the title's line. */
  actions?: ReactNode
  children: ReactNode
}

/** A page of the operator's side: ways to the other pages beside it, on a phone behind one button; content as wide as it needs. */
export function AdminPage({ title, actions, children }: AdminPageProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <div className="lg:grid lg:min-h-dvh lg:grid-cols-[15rem_minmax(0,1fr)]">
      <aside className="sticky top-0 hidden h-dvh flex-col gap-4 overflow-y-auto border-r border-line bg-card px-3 py-4 lg:flex">
        <p className="px-3 text-16 font-semibold">{t('admin.title')}</p>
        <Ways />
        <Who />
      </aside>
      <div className="min-w-0">
        <header className="sticky top-0 z-10 bg-page/90 backdrop-blur">
          <div className="flex min-h-14 flex-wrap items-center gap-x-2 gap-y-1 px-1 py-1 lg:px-8">
            <IconButton
              icon="filter"
              label={t('admin.menu')}
              className="lg:hidden"
              onClick={() => setOpen(true)}
            />
            <PageHeading title={title} className="lg:text-20" />
            {actions !== undefined && (
              <div className="flex flex-wrap items-center gap-2 px-2 lg:px-0">{actions}</div>
            )}
          </div>
        </header>
        <main className="mx-auto flex max-w-[88rem] flex-col gap-4 px-4 pb-8 pt-2 lg:px-8">{children}</main>
      </div>
      <Sheet open={open} onClose={() => setOpen(false)} title={t('admin.title')}>
        <div className="flex flex-col gap-4">
          <Ways />
          <Who />
        </div>
      </Sheet>
    </div>
  )
}

function Ways() {
  const { t } = useTranslation()
  const path = useLocation({ select: (location) => location.pathname })
  return (
    <nav aria-label={t('admin.menu')} className="flex flex-1 flex-col gap-1">
      {adminAreas.map((area) => (
        <PageLink
          key={area.path}
          to={area.path}
          className={cx(
            'flex min-h-11 items-center gap-3 rounded-12 px-3 text-14 font-medium hover:bg-sunken',
            isIn(area, path) ? 'bg-sunken text-ink' : 'text-muted',
          )}
          {...(isIn(area, path) && { 'aria-current': area.path === path ? ('page' as const) : true })}
        >
          <Icon name={area.icon} size={20} />
          {t(`admin.area.${area.name}`)}
        </PageLink>
      ))}
    </nav>
  )
}

/** The signed-in admin with role, and signing out. */
function Who() {
  const { t } = useTranslation()
  const me = useQuery(apiQuery('adminMe')).data
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-3">
      {me !== undefined && (
        <p className="flex items-center justify-between gap-2 px-3 text-14">
          <span className="truncate">{me.person}</span>
          <Pill tone="info">{t(`admin.role.${me.role}`)}</Pill>
        </p>
      )}
      <PageLink
        to="/pages/my/selectLan/index"
        className="flex min-h-11 items-center gap-3 rounded-12 px-3 text-14 text-muted hover:bg-sunken"
      >
        <Icon name="globe" size={20} />
        {t('language.title')}
      </PageLink>
      <p className="px-3 text-12 text-muted">
        {t('admin.zone', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
      </p>
      {isMember() ? (
        <PageLink
          to="/pages/my/index"
          className="flex min-h-11 items-center gap-3 rounded-12 px-3 text-14 text-muted hover:bg-sunken"
        >
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

/** The operator's pages, in the order of a day's work. */
const adminAreas = [
  { name: 'analytics', path: '/pages/admin/analytics', icon: 'activity' },
  { name: 'approvals', path: '/pages/admin/approvals', icon: 'check' },
  { name: 'audit', path: '/pages/admin/audit', icon: 'withdraw' },
  { name: 'auditOrder', path: '/pages/admin/auditOrder', icon: 'orders' },
  { name: 'treasury', path: '/pages/admin/treasury', icon: 'out' },
  { name: 'search', path: '/pages/admin/search', icon: 'team' },
  { name: 'rewardDistribution', path: '/pages/admin/rewardDistribution', icon: 'clock' },
  { name: 'distrubutionHash', path: '/pages/admin/distrubutionHash', icon: 'bolt' },
  { name: 'updateFound', path: '/pages/admin/updateFound', below: '/pages/admin/fundDesk', icon: 'fund' },
  { name: 'solvency', path: '/pages/admin/solvency', icon: 'shield' },
  { name: 'plan', path: '/pages/admin/plan', icon: 'filter' },
  { name: 'roles', path: '/pages/admin/roles', icon: 'shield' },
  { name: 'log', path: '/pages/admin/log', icon: 'book' },
  { name: 'emergency', path: '/pages/admin/emergency', icon: 'warn' },
] as const satisfies readonly { name: string; path: PlainPath; below?: PlainPath; icon: IconName }[]

/** Reports whether a page is that of an area or below it. */
function isIn(area: { path: string; below?: string }, path: string): boolean {
  return area.path === path || area.below === path
}

/** Returns a check of whether the signed-in admin has the rights of a role; it fails until the role is known. */
export function useMay(): (needed: AdminRole) => boolean {
  const role = useQuery(apiQuery('adminMe')).data?.role
  return (needed) => role !== undefined && roleAllows(role, needed)
}

/** Roles change rarely; a name may be this old. */
const STALE_MS = 5 * 60_000

/** An admin's wallet, with the person it belongs to as long as it has a role; what is no wallet stands as it is. */
export function AdminName({ actor }: { actor: string }) {
  const admins = useQuery({ ...apiQuery('adminRoles'), staleTime: STALE_MS }).data?.items
  if (!/^0x[0-9a-f]{40}$/i.test(actor)) return actor
  const person = admins?.find(({ address }) => address.toLowerCase() === actor.toLowerCase())?.person
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-x-2">
      {person !== undefined && <span className="text-ink">{person}</span>}
      <Address value={actor} />
    </span>
  )
}

/** The way to a member, by wallet or by number. */
export function MemberLink({ memberId, address }: { memberId: string; address?: string }) {
  return (
    <PageLink
      to="/pages/admin/search"
      search={{ member_id: memberId }}
      className="touch-line -mx-3 inline-flex min-w-11 items-center px-3 text-accent underline underline-offset-4"
    >
      {address === undefined ? <span>#{memberId}</span> : <Address value={address} copy={false} />}
    </PageLink>
  )
}

/** The way to the next page of a list that does not grow by itself; nothing at its end. */
export function ShowMore({ query }: { query: UseInfiniteQueryResult }) {
  const { t } = useTranslation()
  if (!query.hasNextPage) return null
  return (
    <Button variant="secondary" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {t('adminSearch.showMore')}
    </Button>
  )
}
