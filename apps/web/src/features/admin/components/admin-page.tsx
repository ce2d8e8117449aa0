import { type AdminRole, roleAllows } from '@rif/rules'
import { type UseInfiniteQueryResult, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { apiQuery, cx, PageLink, scrollWithin, useTranslation } from '../../../lib/index.ts'
import { Address, Avatar, Button, Logo, PageHeading, SkipLink } from '../../../ui/index.ts'
import { AdminNav, AdminTabs, Who } from './admin-nav.tsx'

interface AdminPageProps {
  title: string
  /** The purpose of the page, in one sentence. */
  about: string
  /** Buttons and filters at the end of the title's line. */
  actions?: ReactNode
  children: ReactNode
}

/** Beside tables and lists, buttons of the usual size would dominate the page. Sheets keep theirs. */
const SMALL_BUTTONS =
  'lg:[&_.min-h-13]:min-h-11 lg:[&_.min-h-13]:rounded-12 lg:[&_.min-h-13]:px-4 lg:[&_.min-h-13]:text-14'

/**
 * The scroll position of the column of areas. Each page has its own column, and the areas are higher than
 * most windows.
 */
let scrolledPx = 0
/** The height of the link to the Emergency page, which stays at the lower edge of the column. */
const PINNED_PX = 64

/** Keeps the column of areas at the scroll position of the previous page, with the current area in view. */
function placeColumn(column: HTMLElement | null) {
  if (column === null) return
  column.scrollTop = scrolledPx
  const current = column.querySelector('[aria-current]:not([data-pinned] *)')
  if (current !== null) scrollWithin(column, current, PINNED_PX)
}

/**
 * A page of the operators' side: the links to the other pages beside it, on a phone below it; content as wide
 * as needed.
 */
export function AdminPage({ title, about, actions, children }: AdminPageProps) {
  const { t } = useTranslation()
  return (
    <div className={cx('lg:grid lg:min-h-dvh lg:grid-cols-[14.5rem_minmax(0,1fr)]', SMALL_BUTTONS)}>
      <aside
        ref={placeColumn}
        onScroll={({ currentTarget }) => {
          scrolledPx = currentTarget.scrollTop
        }}
        className="sticky top-0 hidden h-dvh flex-col gap-4 overflow-y-auto border-r border-line bg-card px-3 py-4 lg:flex"
      >
        <SkipLink />
        <p className="flex items-center gap-2.5 px-2 font-display text-[1.125rem] font-[650] tracking-tight">
          <Logo />
          {t('desk.brand')}
        </p>
        <AdminNav />
        <Who />
      </aside>
      <div className="min-w-0 max-lg:pb-[calc(65px+env(safe-area-inset-bottom))]">
        <header className="contents">
          <BrandBar />
          <div className="sticky top-0 z-10 bg-page">
            <div className="mx-auto flex min-h-14 max-w-[88rem] flex-wrap items-center gap-x-3 gap-y-2 px-4 py-1 max-lg:pt-3 lg:px-7">
              <PageHeading title={title} className="text-20 max-sm:basis-auto lg:text-[1.5rem]" />
              <span className="hidden text-12 text-muted sm:inline">{t('admin.zone')}</span>
              {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
            </div>
          </div>
        </header>
        <main className="mx-auto flex max-w-[88rem] flex-col gap-4 px-4 pb-8 pt-1 lg:px-7">
          <p className="-mb-1 max-w-prose text-14 text-muted">{about}</p>
          {children}
        </main>
      </div>
      <AdminTabs />
    </div>
  )
}

/** The clock shows minutes; this is its maximum delay. */
const CLOCK_MS = 5_000

/** Returns the present time of day in UTC, "09:05". */
function useClock(): string {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CLOCK_MS)
    return () => clearInterval(timer)
  }, [])
  return new Date(now).toISOString().slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm'.length)
}

/** The brand, the present time in UTC, and whoever is signed in, above a page of a phone. */
function BrandBar() {
  const { t } = useTranslation()
  const me = useQuery(apiQuery('adminMe')).data
  const clock = useClock()
  return (
    <div className="flex items-center gap-2.5 px-4 pt-3 lg:hidden">
      <Logo />
      <span className="font-display text-[1.125rem] font-[650] tracking-tight">{t('desk.brand')}</span>
      <span className="ml-auto text-12 text-muted tabular-nums">UTC {clock}</span>
      {me !== undefined && <Avatar address={me.address} size={32} />}
    </div>
  )
}

/** Returns a check of whether the signed-in admin has a role's rights; false until the role is known. */
export function useMay(): (needed: AdminRole) => boolean {
  const role = useQuery(apiQuery('adminMe')).data?.role
  return (needed) => role !== undefined && roleAllows(role, needed)
}

/** Roles change rarely; a cached name may be this old. */
const STALE_MS = 5 * 60_000

/** An admin's wallet, with its person while it has a role; other texts unchanged. */
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

/** The link to the next page of a list that does not extend itself; nothing at its end. */
export function ShowMore({ query }: { query: UseInfiniteQueryResult }) {
  const { t } = useTranslation()
  if (!query.hasNextPage) return null
  return (
    <Button variant="secondary" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {t('adminSearch.showMore')}
    </Button>
  )
}
