import type { Withdrawal } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { PageLink, useTranslation } from '../../../lib/index.ts'
import { buttonClass, Card, Icon, LinkRow, Money, Section } from '../../../ui/index.ts'
import { WithdrawalFrame } from '../components/withdrawal-frame.tsx'
import { WithdrawalTimeline } from '../components/withdrawal-timeline.tsx'

/** The request is in: what happens to it now. The address is spelt as in the specification. */
export default function WithdrawalSuccessPage() {
  const { t } = useTranslation()
  const { withdraw_id } = useSearch({ from: '/pages/withdrawal/withdrawalSunccess' })
  return (
    <WithdrawalFrame title={t('withdrawals.success.title')} withdrawId={withdraw_id}>
      {(withdrawal) => <Submitted withdrawal={withdrawal} />}
    </WithdrawalFrame>
  )
}

function Submitted({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const { status, tx_hash, withdraw_id } = withdrawal
  const canClaim = status === 'Withdrawable' && tx_hash === null
  const hint = canClaim ? t('withdrawals.success.claimHint') : t('withdrawals.success.auditHint')
  return (
    <>
      <div role="status" className="flex flex-col items-center gap-3 px-4 py-6 text-center">
        <span className="grid size-16 place-items-center rounded-full bg-good-soft text-good">
          <Icon name="check" size={32} />
        </span>
        <h2 className="text-20 font-semibold">{t('withdrawals.success.submitted')}</h2>
        <Money amount={withdrawal.receives} unit={withdrawal.asset} className="text-28 font-semibold" />
        {(canClaim || status === 'Auditing') && <p className="text-14 text-muted">{hint}</p>}
      </div>
      {canClaim && (
        <PageLink
          to="/pages/withdrawal/detail"
          search={{ withdraw_id }}
          className={buttonClass('primary', true)}
        >
          {t('withdrawals.success.claim')}
        </PageLink>
      )}
      <Card>
        <WithdrawalTimeline withdrawal={withdrawal} />
      </Card>
      <Section title={t('withdrawals.success.next')}>
        <Card className="divide-y divide-line py-1">
          <LinkRow
            to="/pages/withdrawal/detail"
            search={{ withdraw_id }}
            icon="withdraw"
            title={t('withdrawals.success.view')}
          />
          <LinkRow to="/pages/withdrawal/list" icon="orders" title={t('withdrawals.success.list')} />
          <LinkRow to="/" icon="home" title={t('withdrawals.success.home')} />
        </Card>
      </Section>
    </>
  )
}
