import { PageLink, useTranslation } from '../../../lib/index.ts'
import { buttonClass, EmptyState } from '../../../ui/index.ts'

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
