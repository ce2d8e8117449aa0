import type { Withdrawal } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { PageLink, useTranslation } from '../../../lib/index.ts'
import { buttonClass, Card, LinkRow, Money, Section } from '../../../ui/index.ts'
import { ResultHead } from '../../../wallet/order-frame.tsx'
import { WithdrawalPage, WithdrawalTimeline } from '../components/withdrawal-parts.tsx'

/** A submitted withdrawal and its next steps. The address is spelt as in the specification. */
export default function WithdrawalSuccessPage() {
  const { t } = useTranslation()
  const { withdraw_id } = useSearch({ from: '/pages/withdrawal/withdrawalSunccess' })
  return (
    <WithdrawalPage title={t('withdrawals.success.title')} withdrawId={withdraw_id}>
      {(withdrawal) => <Submitted withdrawal={withdrawal} />}
    </WithdrawalPage>
  )
}

function Submitted({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const { status, tx_hash, withdraw_id } = withdrawal
  const canClaim = status === 'Withdrawable' && tx_hash === null
  const hint = canClaim ? t('withdrawals.success.claimHint') : t('withdrawals.success.auditHint')
  return (
    <>
      <ResultHead
        state="good"
        title={t('withdrawals.success.submitted')}
        amount={
          <Money amount={withdrawal.receives} unit={withdrawal.asset} className="text-28 font-semibold" />
        }
        hint={canClaim || status === 'Auditing' ? hint : null}
      />
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
