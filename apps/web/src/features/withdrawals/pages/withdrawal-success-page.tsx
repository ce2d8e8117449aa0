import type { Withdrawal } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { formatExact, PageLink, type Translate, useTranslation } from '../../../lib/index.ts'
import { buttonClass, Card, LinkRow, Money, Section } from '../../../ui/index.ts'
import { ResultHead } from '../../../wallet/order-frame.tsx'
import { usualWaitText } from '../../../wallet/usual-wait.ts'
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
  const canClaim = status === 'Withdrawable' && tx_hash === null && withdrawal.claim_wait === null
  return (
    <>
      <ResultHead
        state="good"
        title={t('withdrawals.success.submitted')}
        amount={
          <Money amount={withdrawal.receives} unit={withdrawal.asset} className="text-28 font-semibold" />
        }
        hint={hintOf(withdrawal, t)}
      />
      {canClaim && (
        <PageLink
          to="/pages/withdrawal/detail"
          search={{ withdraw_id }}
          className={buttonClass('primary', true)}
        >
          {t('withdrawals.claim.start', {
            amount: `${formatExact(withdrawal.receives)} ${withdrawal.asset}`,
          })}
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

function hintOf({ status, tx_hash, claim_wait }: Withdrawal, t: Translate): string | null {
  if (status === 'Auditing') return t('withdrawals.success.auditHint')
  if (status !== 'Withdrawable' || tx_hash !== null) return null
  return claim_wait === null
    ? t('withdrawals.success.claimHint')
    : `${t('withdrawals.success.waitHint')}\n${usualWaitText(t, claim_wait.usual_seconds)}`
}
