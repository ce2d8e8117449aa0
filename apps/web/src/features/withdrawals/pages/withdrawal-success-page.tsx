import type { Withdrawal } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { type Translate, useTranslation } from '../../../lib/index.ts'
import { Card, Columns, LinkRow, Money, Section } from '../../../ui/index.ts'
import { ResultHead } from '../../../wallet/order-frame.tsx'
import { usualWaitText } from '../../../wallet/usual-wait.ts'
import { ClaimStep } from '../components/claim-step.tsx'
import { WithdrawalPage, WithdrawalTimeline } from '../components/withdrawal-parts.tsx'
import { isReturned } from '../withdrawal-view.ts'

/** A submitted withdrawal and its next steps. The address is spelt as in the specification. */
export default function WithdrawalSuccessPage() {
  const { t } = useTranslation()
  const { withdraw_id } = useSearch({ from: '/pages/withdrawal/withdrawalSunccess' })
  return (
    <WithdrawalPage title={t('withdrawals.success.title')} withdrawId={withdraw_id} wide>
      {(withdrawal) => <Submitted withdrawal={withdrawal} />}
    </WithdrawalPage>
  )
}

function Submitted({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const { status, withdraw_id, amount, receives, asset } = withdrawal
  const isBack = isReturned(withdrawal)
  return (
    <Columns
      side={
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
      }
    >
      <ResultHead
        state={isBack ? 'off' : 'good'}
        title={t(
          isBack || status === 'Success' ? `withdrawals.status.${status}` : 'withdrawals.success.submitted',
        )}
        amount={<Money amount={isBack ? amount : receives} unit={asset} className="text-28 font-semibold" />}
        hint={isBack ? t('withdrawals.detail.returned') : hintOf(withdrawal, t)}
      />
      <Card>
        <WithdrawalTimeline
          withdrawal={withdrawal}
          claim={withdrawal.claim_wait === null && <ClaimStep withdrawal={withdrawal} />}
        />
      </Card>
    </Columns>
  )
}

function hintOf(
  { status, tx_hash, claim_wait, key_change, refusal }: Withdrawal,
  t: Translate,
): string | null {
  if (status === 'Auditing') return t('withdrawals.success.auditHint')
  if (status !== 'Withdrawable' || tx_hash !== null) return null
  if (key_change !== null || refusal !== null) return null
  return claim_wait === null
    ? t('withdrawals.success.claimHint')
    : `${t('withdrawals.success.waitHint')}\n${usualWaitText(t, claim_wait.usual_seconds)}`
}
