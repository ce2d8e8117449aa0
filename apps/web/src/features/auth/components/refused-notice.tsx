import type { RefusalLevel } from '@rif/api-schema'
import { PageLink, useTranslation } from '../../../lib/index.ts'
import { Notice } from '../../../ui/index.ts'

/** Says before a sign-in that the operator may not serve the visitor's country, and what stays open. */
export default function RefusedNotice({ level }: { level: RefusalLevel }) {
  const { t } = useTranslation()
  return (
    <Notice tone="warn" title={t('refused.title')}>
      {t(level === 'no_service' ? 'refused.noService' : 'refused.login')}{' '}
      <PageLink to="/pages/refused" className="font-semibold underline underline-offset-4">
        {t('refused.more')}
      </PageLink>
    </Notice>
  )
}
