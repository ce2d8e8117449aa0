import { useTranslation } from '../../../lib/i18n.ts'
import { PageLink } from '../../../lib/page-link.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/states.tsx'

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
