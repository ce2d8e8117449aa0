import { PageLink, useTranslation } from '../../../lib/index.ts'

/** A link to all withdrawals of a member. */
export function WithdrawalsLink({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  return (
    <PageLink
      to="/pages/admin/search"
      search={{ member_id: memberId, tab: 'withdrawals' }}
      className="inline-flex min-h-11 items-center text-14 font-medium text-accent"
    >
      {t('admin.brief.history')}
    </PageLink>
  )
}
