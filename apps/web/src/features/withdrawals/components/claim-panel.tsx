import type { Withdrawal } from '@rif/api-schema'
import { formatExact, useTranslation } from '../../../lib/index.ts'
import { Card, Notice, Section } from '../../../ui/index.ts'
import { FlowSteps } from '../../../wallet/flow-steps.tsx'
import { useClaim } from '../../../wallet/use-tx-flow.ts'
import { claimState } from '../withdrawal-view.ts'

/** Claiming an approved withdrawal through the wallet; a claim that ended unused can be asked for again. Rules, section 7. */
export function ClaimPanel({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const flow = useClaim(withdrawal)
  const claim = claimState(withdrawal, Date.now())
  // Once the chain has shown the claim, the timeline tells the rest.
  if (claim === 'none' || (claim === 'seen' && !flow.isRunning)) return null
  const { asset } = withdrawal
  return (
    <Section title={t('withdrawals.claim.title')}>
      <Card className="flex flex-col gap-4">
        <p className="text-14 text-muted">
          {t('withdrawals.claim.hint', { receives: formatExact(withdrawal.receives), asset })}
        </p>
        {claim === 'expired' && !flow.isRunning && (
          <Notice tone="warn">{t('withdrawals.claim.expired')}</Notice>
        )}
        <FlowSteps flow={flow} startLabel={t('withdrawals.claim.start')} />
      </Card>
    </Section>
  )
}
