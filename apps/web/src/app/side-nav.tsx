import { useEffect } from 'react'
import {
  cx,
  navigateTo,
  PageLink,
  type PlainPath,
  scrollWithin,
  TAB_PATHS,
  useSession,
  useTranslation,
} from '../lib/index.ts'
import { Address, Avatar, Brand, Icon, type IconName, SkipLink } from '../ui/index.ts'

const SEARCH = '/pages/search'

interface Way {
  to: PlainPath
  label: string
  icon: IconName
}

/** The navigation beside every page of a member, from 1024 px: the tabs, money, team, the proof of balances, and who is signed in. */
export default function SideNav({ tabs, current }: { tabs: readonly Way[]; current: string }) {
  const { t } = useTranslation()
  const address = useSession().tokenAddress
  useSearchKeys(current)
  const account = TAB_PATHS[4]
  const money: Way[] = [
    { to: '/pages/localWallet/index', label: t('areas.localWallet'), icon: 'wallet' },
    { to: '/pages/savings/index', label: t('areas.savings'), icon: 'savings' },
    { to: '/pages/transfer/index', label: t('areas.transfer'), icon: 'send' },
    { to: '/pages/withdrawal/index', label: t('nav.withdraw'), icon: 'withdraw' },
    { to: '/pages/exchange/index', label: t('areas.exchange'), icon: 'transfer' },
  ]
  const team: Way[] = [
    { to: '/pages/index/team_user', label: t('areas.team'), icon: 'team' },
    { to: '/pages/my/invite/inviteTree', label: t('areas.tree'), icon: 'tree' },
    { to: '/pages/my/invite/index', label: t('areas.invite'), icon: 'invite' },
  ]
  const list = (ways: readonly Way[]) =>
    ways.map((way) => <WayLink key={way.to} {...way} current={current} />)
  return (
    <>
      <SkipLink />
      <PageLink to="/" className="px-2 pb-4">
        <Brand />
      </PageLink>
      <nav aria-label={t('tabs.label')} className="flex flex-col gap-0.5">
        {list(tabs.filter(({ to }) => to !== account))}
        <WayLink to="/pages/search" label={t('search.title')} icon="search" current={current} shortcut="/" />
        <GroupTitle>{t('nav.money')}</GroupTitle>
        {list(money)}
        <GroupTitle>{t('nav.team')}</GroupTitle>
        {list(team)}
      </nav>
      <div className="sticky -bottom-5 mt-auto -mr-[11px] -mb-5 -ml-3 flex flex-col gap-0.5 border-t border-line bg-card pt-2 pr-[11px] pb-5 pl-3">
        <WayLink to="/pages/solvency" label={t('areas.solvency')} icon="shield" current={current} />
        <PageLink
          to={account}
          aria-current={current === account ? 'page' : undefined}
          className="flex min-h-12 items-center gap-2 rounded-12 px-2 text-14 font-medium hover:bg-sunken aria-[current]:bg-sunken"
        >
          <Avatar address={address} size={28} />
          <span className="min-w-0">
            <span className="block">{t('tabs.my')}</span>
            <Address value={address} form="ends" copy={false} className="text-12 text-muted" />
          </span>
        </PageLink>
      </div>
    </>
  )
}

/** Opens the search by "/" outside fields and by Ctrl+K or Cmd+K everywhere, unless a dialog is open. */
function useSearchKeys(current: string) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isChord = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k'
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey
      const { target } = event
      const isTyping =
        target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
      if (event.defaultPrevented || !(isChord || (isSlash && !isTyping))) return
      if (document.querySelector('[role=dialog], [role=alertdialog]') !== null) return
      event.preventDefault()
      if (current === SEARCH) document.querySelector<HTMLInputElement>('main input[type=search]')?.focus()
      else navigateTo(SEARCH)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [current])
}

function GroupTitle({ children }: { children: string }) {
  return <p className="px-3 pb-1 pt-3.5 text-12 font-medium text-muted">{children}</p>
}

/** The height of the links that stay at the lower edge of the column. */
const ACCOUNT_PX = 144

/** Scrolls the current page's link into view, above the account, if the window is low. */
function showWay(way: HTMLAnchorElement | null) {
  const column = way?.closest('nav')?.closest('aside')
  if (way != null && column != null) scrollWithin(column, way, ACCOUNT_PX)
}

function WayLink({ to, label, icon, current, shortcut }: Way & { current: string; shortcut?: string }) {
  const selected = to === current
  return (
    <PageLink
      to={to}
      ref={selected ? showWay : undefined}
      aria-current={selected ? 'page' : undefined}
      aria-keyshortcuts={shortcut === undefined ? undefined : `${shortcut} Control+K`}
      className={cx(
        'flex min-h-11 items-center gap-3 rounded-12 px-3 text-14 font-medium',
        selected ? 'bg-ink text-on-ink' : 'text-muted hover:bg-sunken',
      )}
    >
      <Icon name={icon} size={20} />
      {label}
      {shortcut !== undefined && (
        <span aria-hidden="true" className="ml-auto rounded-8 border border-current px-2 font-sans text-12">
          {shortcut}
        </span>
      )}
    </PageLink>
  )
}
