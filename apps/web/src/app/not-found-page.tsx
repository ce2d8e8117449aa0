import { useTranslation } from '../lib/i18n.ts'
import { PageLink } from '../lib/page-link.tsx'
import { buttonClass } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { EmptyState } from '../ui/states.tsx'

/** An address that is no page of the app. */
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
