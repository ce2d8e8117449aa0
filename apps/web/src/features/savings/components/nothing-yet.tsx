import { useTranslation } from '../../../lib/i18n.ts'
import { PageLink } from '../../../lib/page-link.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/states.tsx'

/** Nothing was saved or earned yet; the next step is to transfer something in. */
export function NothingYet({ title }: { title: string }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="savings"
      title={title}
      hint={t('savings.list.hint')}
      action={
        <PageLink to="/pages/savings/in" className={buttonClass('secondary')}>
          {t('savings.in.action')}
        </PageLink>
      }
    />
  )
}
