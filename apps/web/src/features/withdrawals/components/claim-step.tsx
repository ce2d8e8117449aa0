import type { ClaimWait, Withdrawal } from '@rif/api-schema'
import { useEffect, useEffectEvent } from 'react'
import {
  decimalsOf,
  formatAmount,
  formatExact,
  formatTime,
  useTranslation,
  useWait,
} from '../../../lib/index.ts'
import { HelpLink, Notice } from '../../../ui/index.ts'
import { useBalances } from '../../../wallet/balances.ts'
import { takeClaimWish } from '../../../wallet/claim-wish.ts'
import { FlowSteps } from '../../../wallet/flow-steps.tsx'
import { useNetworkFee } from '../../../wallet/network-fee.ts'
import { type TxFlow, useClaim } from '../../../wallet/use-tx-flow.ts'
import { usualWaitText } from '../../../wallet/usual-wait.ts'
import { claimState } from '../withdrawal-view.ts'

/** Claiming an approved withdrawal through the wallet; a claim that ended unused can be asked for again. Rules, section 7. */
export function ClaimStep({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const flow = useClaim(withdrawal)
  const fee = useNetworkFee('claim')
  const eth = useBalances().data?.ETH
  const claim = claimState(withdrawal, Date.now())
  useWishedClaim(withdrawal, flow)
  // Once the chain has shown the claim, the timeline tells the rest.
  if (claim === 'none' || (claim === 'seen' && !flow.isRunning)) return null
  if (withdrawal.claim_wait !== null && !flow.isRunning)
    return <WaitForFinality wait={withdrawal.claim_wait} />
  const amount = `${formatExact(withdrawal.receives)} ${withdrawal.asset}`
  return (
    <div className="flex w-full flex-col gap-3 self-stretch">
      <p>
        {t('withdrawals.claim.hint')} <HelpLink inline about="withdrawal.claim" />
      </p>
      {claim === 'expired' && !flow.isRunning && (
        <Notice tone="warn">{t('withdrawals.claim.expired')}</Notice>
      )}
      <FlowSteps flow={flow} startLabel={t('withdrawals.claim.start', { amount })} />
      {fee !== undefined && eth !== undefined && (
        <p className="text-12">
          {t('withdrawals.claim.fee', { fee: formatExact(fee), has: formatAmount(eth, decimalsOf('ETH')) })}
        </p>
      )}
    </div>
  )
}

/** Begins the claim that was asked for by a tap on another page, unless something holds money back. */
function useWishedClaim({ withdraw_id, claim_wait }: Withdrawal, flow: TxFlow): void {
  const canClaim = useWait('agreed') === null && claim_wait === null
  const begin = useEffectEvent(() => {
    if (takeClaimWish(withdraw_id) && canClaim && !flow.isRunning) flow.start()
  })
  useEffect(() => {
    const timer = setTimeout(begin)
    return () => clearTimeout(timer)
  }, [])
}

/** Shows what a claim waits for, and how long that usually takes. Rules, section 7. */
function WaitForFinality({ wait }: { wait: ClaimWait }) {
  const { t } = useTranslation()
  const { block, l1_final_block, expected_at, usual_seconds } = wait
  const isLate = expected_at !== null && Date.parse(expected_at) < Date.now()
  const time = expected_at === null ? null : formatTime(expected_at)
  return (
    <Notice tone="info" title={t('withdrawals.claim.waitTitle')}>
      <p className="mb-2">{t('withdrawals.claim.wait')}</p>
      <p className="mb-2">
        {usualWaitText(t, usual_seconds)}{' '}
        {isLate ? t('wait.late') : time !== null && t('wait.expected', { time })}
      </p>
      <p>
        {l1_final_block === null
          ? t('withdrawals.claim.waitUnknown', { block: Number(block) })
          : t('withdrawals.claim.waitBlock', { block: Number(block), final: Number(l1_final_block) })}
      </p>
    </Notice>
  )
}
