import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { apiQuery, cx, isMember, PageLink, useTranslation } from '../../../lib/index.ts'
import { Button, Icon, IconButton, PageHeading, Pill, Sheet } from '../../../ui/index.ts'
import { signOut } from '../../../wallet/connection.ts'
import { adminAreas } from '../admin-nav.ts'

export interface AdminPageProps {
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
            area.path === path ? 'bg-sunken text-ink' : 'text-muted',
          )}
          {...(area.path === path && { 'aria-current': 'page' as const })}
        >
          <Icon name={area.icon} size={20} />
          {t(`admin.area.${area.name}`)}
        </PageLink>
      ))}
    </nav>
  )
}

/** Who is at work, and the way out. */
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
