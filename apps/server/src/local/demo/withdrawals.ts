import type { Withdrawal } from '@rif/api-schema'
import { dayOf, MICRO, parseMicros, withdrawalFee } from '@rif/rules'
import type { Address } from 'viem'
import { inDbTx } from '../../db/database.ts'
import { idempotent } from '../../lib/idempotency.ts'
import { withdrawalWish } from '../../modules/withdrawals/withdrawals.service.ts'
import type { Services } from '../../services.ts'
import { type DemoWithdrawal, WITHDRAWALS } from './cast.ts'
import type { DemoChain, DemoTx } from './demo-chain.ts'
import { type DemoMember, OPERATOR, type Team } from './team.ts'

/**
 * Has the withdrawals requested and brought to where they are to be; claims go to the chain together, and to finality.
 * Completed steps are skipped: call it when the modules have processed all events of the chain.
 */
export async function makeWithdrawals(
  services: Services,
  chain: DemoChain,
  team: Team,
  stranger: Address,
): Promise<void> {
  const { db, claims } = services
  const claimTxs: DemoTx[] = []
  for (const [index, planned] of WITHDRAWALS.entries()) {
    const member = team.get(planned.member)!
    const withdrawal = await request(services, chain, member, { index, planned, stranger })
    await decide(services, member, planned, withdrawal)
    if (planned.outcome === 'claim' && withdrawal.status === 'Withdrawable') {
      const { tx } = await claims.voucher(db, member.memberId, BigInt(withdrawal.withdraw_id))
      claimTxs.push({ from: member.wallet, tx })
    }
  }
  await chain.mineTogether(claimTxs)
  await chain.finalise()
}

/** Requests a withdrawal once, as a client does with its Idempotency-Key; the withdrawal as it is now. */
async function request(
  { db, now, plans, withdrawals, consents }: Services,
  chain: DemoChain,
  { memberId, address: own, wallet }: DemoMember,
  { index, planned, stranger }: { index: number; planned: DemoWithdrawal; stranger: Address },
): Promise<Withdrawal> {
  const { amount, foreign } = planned
  const input = { asset: 'USDT', amount, address: foreign ? stranger : undefined } as const
  const key = `demonstration/withdrawal/${index}`
  const { asset, address } = input
  const order = { asset, amountMicros: parseMicros(amount), address }
  const to = (address ?? own).toLowerCase()
  const plan = await plans.planAt(db, dayOf(now().getTime()))
  const feeMicros = withdrawalFee(order.amountMicros, MICRO, plan)
  const signer = { memberId, address: own }
  const consent = await consents.signWith(signer, withdrawalWish(order, { feeMicros, to }), (typedData) =>
    chain.signTyped(wallet, typedData),
  )
  const made = await inDbTx(db, (dbTx) =>
    idempotent(dbTx, { memberId, key, operation: 'withdraw', input }, now(), () =>
      withdrawals.request(dbTx, memberId, order, consent),
    ),
  )
  return withdrawals.get(db, memberId, BigInt(made.withdraw_id))
}

/** Applies the member's or an admin's decision to a withdrawal that is still pending. */
async function decide(
  { db, withdrawals, withdrawalReview }: Services,
  { memberId }: DemoMember,
  { outcome, reason }: DemoWithdrawal,
  { withdraw_id, status }: Withdrawal,
): Promise<void> {
  const withdrawalId = BigInt(withdraw_id)
  if (outcome === 'cancel' && status === 'Withdrawable') {
    const unclaimed = await withdrawals.requireUnclaimed(db, memberId, withdrawalId)
    await inDbTx(db, (dbTx) => withdrawals.cancel(dbTx, memberId, unclaimed))
  }
  if ((outcome === 'approve' || outcome === 'reject') && status === 'Auditing') {
    const review = { memberId, withdrawalId, approve: outcome === 'approve', actor: OPERATOR }
    await inDbTx(db, (dbTx) => withdrawalReview.decide(dbTx, { ...review, reason: reason! }))
  }
}
