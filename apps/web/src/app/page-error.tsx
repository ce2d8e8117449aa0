import { type ErrorComponentProps, SearchParamError } from '@tanstack/react-router'
import { useTranslation } from '../lib/i18n.ts'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { NotFoundPage } from './not-found-page.tsx'

/**
 * A page that failed to load or to draw: a tap loads the app anew, which also fetches the new files after a release.
 * A page whose query string lacks what it needs does not exist.
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
