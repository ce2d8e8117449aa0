import { type ErrorComponentProps, SearchParamError } from '@tanstack/react-router'
import { PageLink, useTranslation } from '../lib/index.ts'
import { buttonClass, EmptyState, Icon, ListSkeleton, Page, Skeleton } from '../ui/index.ts'

/** Shown for an address that is not a page of the app. */
export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <Page title={t('notFound.title')}>
      <EmptyState
        icon="warn"
        title={t('notFound.text')}
        action={
          <PageLink to="/" className={buttonClass('primary')}>
            {t('notFound.home')}
          </PageLink>
        }
      />
    </Page>
  )
}

/**
 * Shown for a page that failed to load or render: a tap reloads the app, which also fetches the new files
 * after a release. A page without its required query parameters does not exist.
 */
export function PageError({ error }: ErrorComponentProps) {
  const { t } = useTranslation()
  if (error instanceof SearchParamError) return <NotFoundPage />
  return (
    <Page title={t('common.appTitle')}>
      <button
        type="button"
        className="flex flex-col items-center gap-3 py-24 text-center"
        onClick={() => window.location.reload()}
      >
        <Icon name="refresh" size={36} className="text-muted" />
        <span role="alert" className="text-16 font-semibold">
          {t('error.pageLoad')}
        </span>
        <span className="text-14 text-muted">{t('error.tapToReload')}</span>
      </button>
    </Page>
  )
}

/** The placeholder while a page's code loads. */
export function PagePending() {
  return (
    <div className="column flex flex-col gap-4 px-4 pt-16">
      <Skeleton className="h-28 rounded-12" />
      <ListSkeleton rows={4} />
    </div>
  )
}
