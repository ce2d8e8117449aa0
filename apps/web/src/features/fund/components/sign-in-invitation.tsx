import { PageLink, useTranslation } from '../../../lib/index.ts'
import { buttonClass, EmptyState } from '../../../ui/index.ts'

/** What a visitor sees where only members have something. */
export function SignInInvitation() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="wallet"
      title={t('fund.visitor.title')}
      hint={t('fund.visitor.hint')}
      action={
        <PageLink to="/pages/login/index" className={buttonClass()}>
          {t('fund.visitor.signIn')}
        </PageLink>
      }
    />
  )
}
