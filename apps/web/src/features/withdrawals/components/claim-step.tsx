import type { ClaimWait, Withdrawal } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  apiQuery,
  decimalsOf,
  formatAmount,
  formatExact,
  formatTime,
  shortestAddress,
  useTranslation,
  useWait,
} from '../../../lib/index.ts'
import { Button, Fact, Facts, HelpLink, Money, Notice, Sheet, SheetDock } from '../../../ui/index.ts'
import { useBalances } from '../../../wallet/balances.ts'
import { takeClaimWish } from '../../../wallet/claim-wish.ts'
import { FlowButton, FlowProgress, FlowSteps } from '../../../wallet/flow-steps.tsx'
import { useNetworkFee } from '../../../wallet/network-fee.ts'
import { sumsOf } from '../../../wallet/tx-flow/flow-state.ts'
import { type TxFlow, useClaim, useClaims, useStartOnArrival } from '../../../wallet/use-tx-flow.ts'
import { usualWaitText } from '../../../wallet/usual-wait.ts'
import { claimState } from '../withdrawal-view.ts'

/**
 * Claims an approved withdrawal through the wallet; a claim that expired unused can be requested again.
 * Rules, section 7.
 */
export function ClaimStep({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const flow = useClaim(withdrawal)
  const fee = useNetworkFee('claim')
  const eth = useBalances().data?.ETH
  const claim = claimState(withdrawal, Date.now())
  useWishedClaim(withdrawal, flow)
  // Once the claim is on chain, the timeline shows the rest.
  if (claim === 'none' || (claim === 'seen' && !flow.isRunning)) return null
  if (withdrawal.claim_wait !== null && !flow.isRunning)
    return <WaitForFinality wait={withdrawal.claim_wait} />
  if (withdrawal.key_change !== null && !flow.isRunning)
    return <WaitForKey from={withdrawal.key_change.executable_at} />
  const { refusal } = withdrawal
  const amount = `${formatExact(withdrawal.receives)} ${withdrawal.asset}`
  return (
    <div className="flex w-full flex-col gap-3 self-stretch">
      {refusal === null || flow.isRunning ? (
        <p>
          {t('withdrawals.claim.hint')} <HelpLink inline about="withdrawal.claim" />
        </p>
      ) : (
        <Notice tone="warn" title={t('withdrawals.claim.refusedTitle')}>
          {t(`withdrawals.claim.refused.${refusal.reason}`)}
        </Notice>
      )}
      {claim === 'expired' && refusal === null && !flow.isRunning && (
        <Notice tone="warn">{t('withdrawals.claim.expired')}</Notice>
      )}
      <FlowSteps
        flow={flow}
        startLabel={t(refusal === null ? 'withdrawals.claim.start' : 'withdrawals.claim.again', { amount })}
      />
      {fee !== undefined && eth !== undefined && (
        <p className="text-12">
          {t('withdrawals.claim.fee', { fee: formatExact(fee), has: formatAmount(eth, decimalsOf('ETH')) })}
        </p>
      )}
    </div>
  )
}

/** The maximum number of withdrawals in one transaction: about a million gas. */
const MAX_AT_ONCE = 20

/** Offers all ready withdrawals in one transaction; renders nothing for fewer than two. */
export function ClaimAll() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<readonly Withdrawal[]>([])
  const query = useQuery(apiQuery('withdrawals', { query: { status: 'Withdrawable', limit: MAX_AT_ONCE } }))
  const ready = query.data?.items.filter(isReady) ?? []
  if (ready.length < 2 && !isOpen) return null
  const open = () => {
    setChosen(ready)
    setOpen(true)
  }
  return (
    <>
      <Notice
        tone="info"
        title={t('withdrawals.claimAll.title', { count: ready.length })}
        action={
          <Button variant="secondary" onClick={open}>
            {t('withdrawals.claimAll.open')}
          </Button>
        }
      >
        {t('withdrawals.claimAll.hint')}
      </Notice>
      {isOpen && <ClaimAllSheet withdrawals={chosen} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Reports whether a claim waits neither for finality, nor for a key, nor for the reason of a refusal. */
const isUnhindered = ({ claim_wait, key_change, refusal }: Withdrawal) =>
  claim_wait === null && key_change === null && refusal === null

/** Reports whether a withdrawal can be claimed at once, as far as the server knows. */
const isReady = (withdrawal: Withdrawal) =>
  isUnhindered(withdrawal) && !['none', 'seen'].includes(claimState(withdrawal, Date.now()))

interface ClaimAllSheetProps {
  /**
   * Keeps the withdrawals that were ready when the sheet opened, so that the list does not change during a
   * claim.
   */
  withdrawals: readonly Withdrawal[]
  onClose: () => void
}

function ClaimAllSheet({ withdrawals, onClose }: ClaimAllSheetProps) {
  const { t } = useTranslation()
  const flow = useClaims(withdrawals)
  const isDone = flow.state.phase === 'done'
  const total = sumsOf(withdrawals)
    .map(({ amount, unit }) => `${formatExact(amount)} ${unit}`)
    .join(' + ')
  return (
    <Sheet open onClose={onClose} title={t('withdrawals.claimAll.sheet')}>
      <div className="flex flex-col gap-5 pt-2">
        <Facts>
          {withdrawals.map(({ withdraw_id, receives, asset, address }) => (
            <Fact key={withdraw_id} label={t('home.claimTo', { address: shortestAddress(address) })}>
              <Money amount={receives} unit={asset} exact />
            </Fact>
          ))}
          <Fact label={t('withdrawals.claimAll.total')} sum>
            {total}
          </Fact>
        </Facts>
        <p className="text-14 text-muted">{t('withdrawals.claimAll.allOrNone')}</p>
        <FlowProgress flow={flow} />
        {isDone && <Notice tone="good">{t('withdrawals.claimAll.done')}</Notice>}
        <SheetDock>
          {isDone ? (
            <Button block onClick={onClose}>
              {t('common.close')}
            </Button>
          ) : (
            <FlowButton flow={flow} startLabel={t('withdrawals.claim.start', { amount: total })} />
          )}
        </SheetDock>
      </div>
    </Sheet>
  )
}

/** Starts the claim requested by a tap on another page, unless something holds money back. */
function useWishedClaim(withdrawal: Withdrawal, flow: TxFlow): void {
  const { withdraw_id } = withdrawal
  const canClaim = useWait('agreed') === null && isUnhindered(withdrawal)
  useStartOnArrival(flow, () => takeClaimWish(withdraw_id) && canClaim)
}

/** Shows that the key of claims is being changed, and from when on claims go on. */
function WaitForKey({ from }: { from: string | null }) {
  const { t } = useTranslation()
  return (
    <Notice tone="info" title={t('withdrawals.claim.keyTitle')}>
      {from === null
        ? t('withdrawals.claim.keyUnknown')
        : t('withdrawals.claim.key', { time: formatTime(from) })}
    </Notice>
  )
}

/** Shows the condition that a claim waits for, and the usual wait. Rules, section 7. */
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
