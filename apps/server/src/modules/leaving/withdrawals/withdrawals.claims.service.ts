import { fromChainUnits, toChainUnits } from '@rif/rules'
import { type Address, getAddress, type Hex, isAddressEqual } from 'viem'
import type { Alarms } from '../../../alarms/alarms.ts'
import type { SignableClaim } from '../../../chain/bank-messages.ts'
import { isClaimed } from '../../../chain/bank-uses.ts'
import { bankAt } from '../../../chain/banks.ts'
import type { Chain } from '../../../chain/client.ts'
import { hasHandedOver, payingBank } from '../../../chain/hand-over.ts'
import type { ChainEvent, EventSteps } from '../../../chain/indexer/events.ts'
import { reportMissed } from '../../../chain/missed-uses.ts'
import { packOnChainId, unpackOnChainId } from '../../../chain/onchain-id.ts'
import type { ChainProgress } from '../../../chain/progress.ts'
import { claimTx, type RawTx } from '../../../chain/raw-tx.ts'
import { type Db, inTx } from '../../../db/database.ts'
import { OPERATOR_MEMBER_ID } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import { type Signer, SignerRefusal, unavailable } from '../../../signer/client.ts'
import type { Reason, SignedClaim } from '../../../signer/protocol.ts'
import { requireNotHeld, requireOpen } from '../../access/gates/gates.service.ts'
import type { BatchKind } from '../../books/final-batch.service.ts'
import { claimWaitOf, keyChangeOf } from './view.ts'
import { notifyStep } from './withdrawals.notices.service.ts'
import type { WithdrawalRow } from './withdrawals.repository.ts'
import * as repository from './withdrawals.repository.ts'
import { netMicros, type WithdrawalSteps } from './withdrawals.steps.service.ts'

interface Deps {
  readonly now: Now
  readonly log: Logger
  readonly alarms: Pick<Alarms, 'once'>
  readonly chain: Chain
  readonly signer: Pick<Signer, 'claim'>
  readonly book: WithdrawalSteps
  readonly progress: ChainProgress
}

export type Claims = ReturnType<typeof createClaims>

type Mismatch = 'unknown_withdrawal' | 'not_withdrawable' | 'wrong_terms'

/** The validity of a voucher. */
const CLAIM_VALIDITY_MS = 30 * 60_000

/**
 * Creates the claims of withdrawals on chain (rules, section 7): the signed voucher that the member sends,
 * and the event that closes the withdrawal. A voucher's deadline is stored before the voucher leaves the
 * server, so a withdrawal that could still be claimed is never cancelled.
 */
export function createClaims(deps: Deps) {
  return {
    /**
     * Returns the transaction that claims a withdrawal: one voucher at a time, the same one while it is
     * valid. Throws WITHDRAWAL_NOT_FOUND, NOTHING_TO_CLAIM, CLAIM_NOT_FINAL_YET with the pending dependency
     * until L1 has finalised everything that the withdrawal depends on, CLAIM_STILL_VALID when the last
     * voucher has expired but the chain has not finalised a later block yet, PAID_ON_CHAIN,
     * CHAIN_UNAVAILABLE, GUARD_CLOSED, PAUSED when no bank is open, CLAIM_KEY_CHANGING with the time from which another
     * key can be appointed, and as the signer does.
     */
    async voucher(
      db: Db,
      memberId: bigint,
      withdrawalId: bigint,
    ): Promise<{ tx: RawTx; deadline: string; bank: Address }> {
      const unclaimedOn = await askClosedBank(deps, db, memberId, withdrawalId)
      const row = await inTx(db, (dbTx) => renewVoucher(deps, dbTx, { memberId, withdrawalId, unclaimedOn }))
      const deadline = row.claim_expires_at!
      const expected = signableClaim(deps.chain, row, BigInt(deadline.getTime() / 1_000))
      const { claim, signature } = await signClaim(deps, db, row)
      if (!isSameClaim(claim, expected)) throw unavailable(new Error('the signer signed other terms'))
      const bank = bankAt(deps.chain, row.bank!)
      return { tx: claimTx(deps.chain, bank, claim, signature), deadline: deadline.toISOString(), bank }
    },

    ...createClaimHandling(deps),
  }
}

/** The refusals that need an operator or the member, or are explained by nothing else that the member sees. */
const KEPT_REFUSALS: readonly Reason[] = [
  ...(['not_reviewed', 'not_signed', 'bad_terms', 'unknown', 'other_bank'] as const),
  ...(['limit_hour', 'limit_day', 'limit_member'] as const),
]

/** Has a voucher signed. The withdrawal keeps a refusal until the next signature or approval. */
async function signClaim({ signer, book, log, now }: Deps, db: Db, row: WithdrawalRow): Promise<SignedClaim> {
  const { member_id: memberId, withdrawal_id: withdrawalId } = row
  const note = (refusal: Reason | null) =>
    inTx(db, async (dbTx) => {
      const current = await book.lock(dbTx, memberId, withdrawalId)
      if (current.status !== 'Withdrawable' || current.signer_refusal === refusal) return
      await repository.updateWithdrawal(
        dbTx,
        current,
        refusal === null ? repository.NOT_REFUSED : { signer_refusal: refusal, signer_refused_at: now() },
      )
    })
  try {
    const signed = await signer.claim(memberId, withdrawalId)
    if (row.signer_refusal !== null) await note(null)
    return signed
  } catch (error) {
    if (error instanceof SignerRefusal && KEPT_REFUSALS.includes(error.reason)) {
      const withdrawal = { memberId: `${memberId}`, withdrawalId: `${withdrawalId}` }
      log.warn({ ...withdrawal, reason: error.reason }, 'the signer refused a claim')
      await note(error.reason)
    }
    throw error
  }
}

/**
 * Checks with the bank of a withdrawal's last voucher, if it has handed over, that it has not paid the
 * withdrawal. Do not call it inside a transaction. That bank is closed for ever, so its answer at any block
 * after the hand-over is final. Returns the bank, in lower case. Throws PAID_ON_CHAIN, CHAIN_UNAVAILABLE.
 */
async function askClosedBank(
  { now, alarms, chain, progress }: Deps,
  db: Db,
  memberId: bigint,
  withdrawalId: bigint,
): Promise<string | null> {
  // Read before the withdrawal, so that a claim up to this block is booked unless its event was missed.
  const { blockNumber } = await progress.applied(db)
  const row = await repository.findWithdrawal(db, memberId, withdrawalId)
  if (row?.status !== 'Withdrawable' || row.bank === null) return null
  if (!(await hasHandedOver(db, row.bank))) return null
  const claim = signableClaim(chain, row, 0n)
  if (!(await isClaimed(chain, bankAt(chain, row.bank), claim, blockNumber))) return row.bank
  const { withdrawalId: onchainId } = claim
  await reportMissed(db, alarms, { kind: 'Claimed', onchainId, blockNumber, at: now() })
  throw new AppError('PAID_ON_CHAIN')
}

interface Renewal {
  readonly memberId: bigint
  readonly withdrawalId: bigint
  /** The result of `askClosedBank`. */
  readonly unclaimedOn: string | null
}

/**
 * Returns the withdrawal with a valid voucher. A new voucher requires that the last one can no longer be
 * claimed: its deadline has passed in a final block, and its bank, if it has handed over, has confirmed that
 * it did not pay.
 */
async function renewVoucher(
  { now, book, chain, progress }: Deps,
  dbTx: Db,
  { memberId, withdrawalId, unclaimedOn }: Renewal,
): Promise<WithdrawalRow> {
  const row = await book.lock(dbTx, memberId, withdrawalId)
  if (row.status !== 'Withdrawable' || row.seen_block !== null) throw new AppError('NOTHING_TO_CLAIM')
  // A pause does not apply here: approved withdrawals can be claimed.
  await requireNotHeld(dbTx, memberId)
  const pace = await progress.pace(dbTx)
  const wait = claimWaitOf(row, pace)
  if (wait !== null) throw new AppError('CLAIM_NOT_FINAL_YET', wait)
  // The bank would refuse the voucher, also one that was signed before.
  const change = keyChangeOf(row, pace)
  if (change !== null) throw new AppError('CLAIM_KEY_CHANGING', change)
  const at = now()
  const { blockAt: finalised } = await progress.applied(dbTx)
  const expiry = row.claim_expires_at
  const isClosed = row.bank !== null && (await hasHandedOver(dbTx, row.bank))
  if (expiry !== null && expiry >= finalised) {
    if (expiry >= at && !isClosed) return row
    throw new AppError('CLAIM_STILL_VALID', { expires_at: expiry.toISOString() })
  }
  // Existing vouchers stay valid, so only a new voucher needs the open gate.
  await requireOpen(dbTx)
  // The hand-over happened between the check and this lock: the next call checks again.
  if (isClosed && unclaimedOn !== row.bank) throw new AppError('CHAIN_UNAVAILABLE')
  const bank = await payingBank(dbTx, chain.contracts)
  // The chain decides by its own time, which may be ahead of ours, and in whole seconds.
  const fromMs = Math.max(at.getTime(), finalised.getTime())
  const deadlineMs = fromMs - (fromMs % 1_000) + CLAIM_VALIDITY_MS
  return repository.updateWithdrawal(dbTx, row, {
    bank: bank.address.toLowerCase(),
    claim_expires_at: new Date(deadlineMs),
  })
}

/** Returns the contents of a withdrawal's voucher, in base units of the token. */
export function signableClaim(chain: Chain, row: WithdrawalRow, deadline: bigint): SignableClaim {
  return {
    withdrawalId: packOnChainId(row.member_id, row.withdrawal_id),
    token: row.asset === 'USDT' ? chain.contracts.usdt : chain.contracts.amc,
    to: getAddress(row.to_address as Hex),
    amount: toChainUnits(netMicros(row), chain.decimals[row.asset]),
    deadline,
  }
}

function isSameClaim(claim: SignableClaim, expected: SignableClaim): boolean {
  return (
    claim.withdrawalId === expected.withdrawalId &&
    isAddressEqual(claim.token, expected.token) &&
    isAddressEqual(claim.to, expected.to) &&
    claim.amount === expected.amount &&
    claim.deadline === expected.deadline
  )
}

/** Creates the steps of claims, and their final one. */
function createClaimHandling(deps: Deps): { claims: EventSteps<'Claimed'>; finalClaims: BatchKind } {
  const { now, book } = deps

  /**
   * Returns the withdrawal that an event pays, with its member's head locked, or the reason why it pays none;
   * null if it has already been paid by it.
   */
  async function match(dbTx: Db, event: ChainEvent<'Claimed'>): Promise<WithdrawalRow | Mismatch | null> {
    const ids = idsOf(event)
    const unlockedWithdrawal = ids && (await repository.findWithdrawal(dbTx, ids.memberId, ids.id))
    if (!unlockedWithdrawal) return 'unknown_withdrawal'
    const row = await book.lock(dbTx, unlockedWithdrawal.member_id, unlockedWithdrawal.withdrawal_id)
    // A repeated event of the claim that closed the withdrawal is not a second claim.
    if (row.status === 'Success' && row.tx_hash === event.txHash) return null
    if (row.status !== 'Withdrawable') return 'not_withdrawable'
    const signed = signableClaim(deps.chain, row, 0n)
    const { token, to, amount } = event.args
    const agreed = getAddress(token) === getAddress(signed.token) && getAddress(to) === signed.to
    return agreed && amount === signed.amount ? row : 'wrong_terms'
  }

  /** Completes the withdrawal that a claim pays, or records that it pays none. */
  async function finish(dbTx: Db, event: ChainEvent<'Claimed'>): Promise<void> {
    const row = await match(dbTx, event)
    if (row === null) return
    if (typeof row === 'string') return recordUnmatched(deps, dbTx, event, row)
    await complete(dbTx, row, event, 'withdrawal_paid')
  }

  const finalClaims: BatchKind = {
    takes: ({ name }) => name === 'Claimed',
    begin: async (dbTx, events) => ({
      pools: [],
      memberIds: (events as ChainEvent<'Claimed'>[]).flatMap((event) => idsOf(event)?.memberId ?? []),
      async apply(run) {
        for (const event of run as ChainEvent<'Claimed'>[]) await finish(dbTx, event)
      },
    }),
  }

  const claims: EventSteps<'Claimed'> = {
    async onSeen(dbTx, event) {
      const row = await match(dbTx, event)
      if (row === null || typeof row === 'string') return
      await repository.updateWithdrawal(dbTx, row, {
        tx_hash: event.txHash,
        seen_block: event.blockNumber,
      })
    },

    async onDropped(dbTx, event) {
      const row = await match(dbTx, event)
      if (row === null || typeof row === 'string') return
      // After a quick re-inclusion the withdrawal may already refer to the claim's new block.
      if (row.tx_hash !== event.txHash || row.seen_block !== event.blockNumber) return
      await repository.updateWithdrawal(dbTx, row, { tx_hash: null, seen_block: null })
    },

    // The money has left the bank. It belongs to the withdrawal that the claim pays, or otherwise to the
    // operator.
    async onSetAside(dbTx, event) {
      // The operator's head precedes that of the member.
      await book.lockOperatorAnd(dbTx, idsOf(event)?.memberId ?? OPERATOR_MEMBER_ID)
      const row = await match(dbTx, event)
      if (row === null) return
      if (typeof row !== 'string') return complete(dbTx, row, event, 'claim_set_aside')
      const { token, amount } = event.args
      const asset = getAddress(token) === getAddress(deps.chain.contracts.usdt) ? 'USDT' : 'AMC'
      const { micros: amountMicros } = fromChainUnits(amount, deps.chain.decimals[asset])
      await book.makeGood(dbTx, event, { asset, amountMicros })
    },

    async onUndone(dbTx, event) {
      const row = await claimedBy(dbTx, event)
      if (row === undefined) {
        await book.undoMadeGood(dbTx, event)
        await repository.deleteUnmatchedClaim(dbTx, event)
        return 'undone'
      }
      // The operator's head precedes that of the member.
      await book.lockOperatorAnd(dbTx, row.member_id)
      await book.undoPayOut(dbTx, row)
      // The voucher may still be valid: the withdrawal is claimed with it, or with a new one after its
      // deadline.
      await repository.updateWithdrawal(dbTx, row, {
        status: 'Withdrawable',
        tx_hash: null,
        seen_block: null,
        claimed_at: null,
        completed_at: null,
      })
      return 'undone'
    },

    async onMoved(dbTx, from, to) {
      const row = await claimedBy(dbTx, from)
      if (row === undefined) return false
      await book.lock(dbTx, row.member_id, row.withdrawal_id)
      const place = { tx_hash: to.txHash, seen_block: to.blockNumber, claimed_at: to.blockAt }
      await repository.updateWithdrawal(dbTx, row, place)
      return true
    },
  }
  return { claims, finalClaims }

  /** Books a withdrawal as paid out by a claim. The caller has locked its member's head. */
  async function complete(
    dbTx: Db,
    row: WithdrawalRow,
    event: ChainEvent<'Claimed'>,
    kind: 'withdrawal_paid' | 'claim_set_aside',
  ): Promise<void> {
    const at = now()
    await book.payOut(dbTx, row, at, kind)
    await repository.updateWithdrawal(dbTx, row, {
      status: 'Success',
      tx_hash: event.txHash,
      seen_block: event.blockNumber,
      claimed_at: event.blockAt,
      completed_at: at,
    })
    await notifyStep(dbTx, row, 'withdrawal_paid', at)
  }

  /** Returns the withdrawal that was paid out by a claim. */
  async function claimedBy(dbTx: Db, event: ChainEvent<'Claimed'>): Promise<WithdrawalRow | undefined> {
    const ids = idsOf(event)
    const row = ids && (await repository.findWithdrawal(dbTx, ids.memberId, ids.id))
    return row?.status === 'Success' && row.tx_hash === event.txHash ? row : undefined
  }
}

/** Records a claim that no open withdrawal matches with an alarm: nothing can be posted for it. */
async function recordUnmatched(
  { alarms }: Deps,
  dbTx: Db,
  event: ChainEvent<'Claimed'>,
  reason: Mismatch,
): Promise<void> {
  await repository.insertUnmatchedClaim(dbTx, {
    member_id: idsOf(event)?.memberId ?? OPERATOR_MEMBER_ID,
    tx_hash: event.txHash,
    log_index: event.logIndex,
    chain_withdrawal_id: `${event.args.withdrawalId}`,
    token: event.args.token.toLowerCase(),
    to_address: event.args.to.toLowerCase(),
    amount: `${event.args.amount}`,
    reason,
    claimed_at: event.blockAt,
  })
  const { txHash, logIndex } = event
  const facts = { withdrawalId: `${event.args.withdrawalId}`, reason, txHash }
  await alarms.once('claim_unmatched', facts, { subject: `${txHash}/${logIndex}`, on: dbTx })
}

function idsOf(event: ChainEvent<'Claimed'>): { memberId: bigint; id: bigint } | null {
  try {
    return unpackOnChainId(event.args.withdrawalId)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
