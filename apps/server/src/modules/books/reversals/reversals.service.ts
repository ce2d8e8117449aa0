import { type Asset, dayOf, type Micros, max, min, PAYMENT_ASSETS, type PaymentAsset } from '@rif/rules'
import { type Db, inTx } from '../../../db/database.ts'
import { type Read, readRows } from '../../../db/read.ts'
import { OPERATOR_MEMBER_ID } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import { carryOutDue } from '../../../lib/due.ts'
import { isPoolAccount, type LedgerAccount, type PoolAccount } from '../ledger/accounts.ts'
import type { LedgerLine, LedgerService } from '../ledger/ledger.service.ts'
import type { DebtAsset } from './reversals.repository.ts'
import * as repository from './reversals.repository.ts'

export type { DebtAsset }

export type Reversals = ReturnType<typeof createReversals>

/**
 * Transactions to undo, in this order, with all members whose books they are in. Keys without a transaction
 * are skipped.
 */
export interface Undoing {
  readonly keys: readonly string[]
  readonly memberIds: readonly bigint[]
  /** The cause of the reversal: an event of the chain. */
  readonly cause: { readonly type: string; readonly id: string }
  /** The money of others that must stay in the pools, besides the amounts that they lack. */
  readonly advances?: ReadonlyMap<PoolAccount, Micros>
  /** By member, the AMC already released from `locked`: the AMC locked now belongs to other rewards. */
  readonly released?: ReadonlyMap<bigint, Micros>
}

/** The money of a lost event, and the transaction `key` that stays nevertheless. */
export interface MadeGood {
  readonly key: string
  readonly memberId: bigint
  readonly amounts: Readonly<Record<PaymentAsset, Micros>>
  readonly cause: Undoing['cause']
}

/** An amount that a member owes. */
export interface Debt {
  readonly memberId: bigint
  readonly asset: DebtAsset
  readonly owedMicros: Micros
  readonly changedAt: Date
}

/** A debt of a member in an asset. */
export type OwedByMember = Pick<Debt, 'asset' | 'owedMicros'>

/** Returns the read of a member's debts, for combination with other reads. */
const debtsRead: Read<readonly OwedByMember[]> = readRows(repository.DEBT, repository.debtsOf, (rows) => rows)

/**
 * Creates the service that reverses the bookings of an event that the chain dropped (decision 22). A
 * transaction is reversed as a whole by mirrored lines. Missing amounts of an account are advanced from
 * `shortfall`: a member's become a debt, which the member's next credits repay. Revenue and fees cover
 * `shortfall` as far as possible, so nobody's principal is used.
 */
export function createReversals({ now, ledger }: { now: Now; ledger: LedgerService }) {
  /** Reverses transactions, each once. Locks their pools and the heads of their members. */
  async function undo(dbTx: Db, undoing: Undoing): Promise<void> {
    const { keys, memberIds, cause } = undoing
    const transactions: Awaited<ReturnType<typeof ledger.history.transactionOf>>[] = []
    for (const key of keys) transactions.push(await ledger.history.transactionOf(dbTx, key, memberIds))
    const accounts = transactions
      .flatMap((posted) => posted?.lines ?? [])
      .flatMap((line) => [line.source, line.destination])
    const pools = [...new Set(accounts)].filter(isPoolAccount)
    await ledger.lock(dbTx, { pools, memberIds: [OPERATOR_MEMBER_ID, ...memberIds] })
    const at = now()
    const today = dayOf(at.getTime())
    for (const [index, key] of keys.entries()) {
      const posted = transactions[index]
      if (posted === undefined) continue
      const accountingDay = await ledger.steps.reversalDay(dbTx, posted.accountingDay, today)
      const advances = await missing(dbTx, posted.lines, undoing)
      if (advances.length > 0) {
        await ledger.post(dbTx, {
          key: `${key}:reversal/advance`,
          kind: 'reversal_advance',
          lines: advances,
          cause,
          accountingDay,
          at,
        })
      }
      const owners = [...new Set(posted.lines.map(({ memberId }) => memberId))]
      await ledger.reverse(dbTx, { key, memberIds: owners, cause, accountingDay, at })
      for (const { memberId, asset, destination, amountMicros } of advances) {
        if (isPoolAccount(destination)) continue
        await repository.addDebt(dbTx, { memberId, asset: asset as DebtAsset, owedMicros: amountMicros, at })
        await repay(dbTx, memberId)
      }
    }
    await cover(dbTx, at)
  }

  /**
   * Books that the operator covers the receipts of a lost event whose effects cannot be reversed completely.
   */
  async function makeGood(dbTx: Db, { key, memberId, amounts, cause }: MadeGood): Promise<void> {
    await ledger.lock(dbTx, { memberIds: [OPERATOR_MEMBER_ID, memberId] })
    const at = now()
    const lines = PAYMENT_ASSETS.flatMap((asset): LedgerLine[] => {
      const line = { memberId, asset, source: 'shortfall', destination: 'external' } as const
      return amounts[asset] > 0n ? [{ ...line, amountMicros: amounts[asset] }] : []
    })
    if (lines.length === 0) return
    await ledger.post(dbTx, {
      key: await ledger.steps.nextKey(dbTx, memberId, madeGoodKey(key)),
      kind: 'payment_made_good',
      lines,
      cause,
      accountingDay: dayOf(at.getTime()),
      at,
    })
    await cover(dbTx, at)
  }

  /**
   * Reverses the booking of `makeGood`, if it exists: the money has arrived after all, or its use is gone.
   */
  async function undoMadeGood(dbTx: Db, { key, memberId, cause }: Omit<MadeGood, 'amounts'>): Promise<void> {
    const standing = await ledger.steps.standingKey(dbTx, memberId, madeGoodKey(key))
    if (standing !== undefined) await undo(dbTx, { keys: [standing], memberIds: [memberId], cause })
  }

  /** Returns the advances needed to keep all accounts at zero or above when some lines are reversed. */
  async function missing(
    dbTx: Db,
    lines: readonly LedgerLine[],
    { advances, released }: Pick<Undoing, 'advances' | 'released'>,
  ): Promise<LedgerLine[]> {
    const needs = new Map<string, LedgerLine>()
    const need = ({ memberId, asset, account, micros }: Need) => {
      const name = isPoolAccount(account) ? `${asset} ${account}` : `${memberId} ${asset} ${account}`
      const amountMicros = (needs.get(name)?.amountMicros ?? 0n) + micros
      needs.set(name, { memberId, asset, source: 'shortfall', destination: account, amountMicros })
    }
    for (const { memberId, asset, source, destination, amountMicros } of lines) {
      if (isPoolAccount(source)) need({ memberId, asset, account: source, micros: -amountMicros })
      need({ memberId, asset, account: destination, micros: amountMicros })
    }
    const wanted = ({ destination, memberId, asset }: LedgerLine): Micros => {
      if (isPoolAccount(destination)) return advances?.get(destination) ?? 0n
      return destination === 'locked' && asset === 'AMC' ? (released?.get(memberId) ?? 0n) : 0n
    }
    const short: LedgerLine[] = []
    for (const line of needs.values()) {
      if (!isPoolAccount(line.destination) && !MEMBER_ACCOUNTS.has(line.destination)) continue
      const lacking = line.amountMicros - (await balance(dbTx, line))
      const amountMicros = max(lacking, wanted(line))
      if (amountMicros > 0n) short.push({ ...line, amountMicros })
    }
    return short
  }

  async function balance(dbTx: Db, { memberId, asset, destination }: LedgerLine): Promise<Micros> {
    if (isPoolAccount(destination)) {
      return (await ledger.pools.balances(dbTx, destination))[asset as PaymentAsset]
    }
    const own = await ledger.balances(dbTx, memberId)
    return own[asset][destination as keyof (typeof own)[Asset]]
  }

  /**
   * Collects a member's debts from `available`, as far as possible. The caller has locked the heads of
   * operator and member.
   */
  async function repay(dbTx: Db, memberId: bigint): Promise<void> {
    for (const { asset, owedMicros } of await repository.openDebts(dbTx, [memberId])) {
      const { available } = (await ledger.balances(dbTx, memberId))[asset]
      const amountMicros = min(available, owedMicros)
      if (amountMicros === 0n) continue
      const at = now()
      const place = await repository.countRepayment(dbTx, { memberId, asset, amountMicros, at })
      await ledger.post(dbTx, {
        key: `debt/${asset}/${place}`,
        kind: 'debt_repayment',
        at,
        accountingDay: dayOf(at.getTime()),
        cause: { type: 'debt', id: `${memberId}` },
        lines: [{ memberId, asset, source: 'available', destination: 'shortfall', amountMicros }],
      })
    }
  }

  /**
   * Moves revenue, then fees, into `shortfall` until it is zero, and returns repayments by debtors beyond
   * that. The caller has locked the operator's head: nobody else takes from the balances of revenue and fees.
   */
  async function cover(dbTx: Db, at: Date): Promise<void> {
    const sums = await ledger.flows.accountsNow(dbTx, ['shortfall', 'revenue', 'fees'])
    const balanceOf = (account: LedgerAccount, asset: Asset) =>
      sums.find((sum) => sum.account === account && sum.asset === asset)?.micros ?? 0n
    const lines = PAYMENT_ASSETS.flatMap((asset): LedgerLine[] => {
      const moves = coverage(
        balanceOf('shortfall', asset),
        balanceOf('revenue', asset),
        balanceOf('fees', asset),
      )
      return moves.map(({ account, micros }) => ({
        memberId: OPERATOR_MEMBER_ID,
        asset,
        amountMicros: micros < 0n ? -micros : micros,
        ...(micros < 0n
          ? { source: 'shortfall' as const, destination: account }
          : { source: account, destination: 'shortfall' as const }),
      }))
    })
    if (lines.length === 0) return
    const seq = await ledger.history.lastSeq(dbTx, OPERATOR_MEMBER_ID)
    await ledger.post(dbTx, {
      key: `shortfall/${seq + 1n}`,
      kind: 'shortfall_cover',
      lines,
      cause: { type: 'shortfall', id: 'operator' },
      at,
      accountingDay: dayOf(at.getTime()),
    })
  }

  return {
    undo,
    makeGood,
    undoMadeGood,
    debtsRead,

    /** Returns the debts of members, or of all, oldest first. */
    debts: (db: Db, memberIds?: readonly bigint[]): Promise<Debt[]> => repository.openDebts(db, memberIds),

    /** Returns the amount that the operator still has to cover: `shortfall`, negative or zero. */
    async shortfall(db: Db): Promise<Readonly<Record<PaymentAsset, Micros>>> {
      const sums = await ledger.flows.accountsNow(db, ['shortfall'])
      return Object.assign(
        { USDT: 0n, AMC: 0n },
        Object.fromEntries(sums.map((sum) => [sum.asset, sum.micros])),
      )
    },

    /**
     * Collects members' debts from their receipts since then, each in one transaction. Returns the number of
     * members. A failure does not block the others: the error is thrown at the end.
     */
    collectDebts: (db: Db): Promise<number> =>
      carryOutDue({
        read: (after: bigint | undefined, limit) => repository.debtorsWithCredit(db, after, limit),
        async carryOut(memberId) {
          await inTx(db, async (dbTx) => {
            await ledger.lock(dbTx, { memberIds: [OPERATOR_MEMBER_ID, memberId] })
            await repay(dbTx, memberId)
            await cover(dbTx, now())
          })
          return true
        },
        failure: 'debts were not collected',
      }),
  }
}

const madeGoodKey = (key: string) => `${key}/made-good`

interface Need {
  readonly memberId: bigint
  readonly asset: Asset
  readonly account: LedgerAccount
  readonly micros: Micros
}

const MEMBER_ACCOUNTS: ReadonlySet<LedgerAccount> = new Set([
  ...(['available', 'locked', 'withdrawing', 'savings', 'savings_leaving', 'fund_income'] as const),
])

/** Returns the amounts to move into `shortfall` from revenue and fees; negative amounts move back. */
export function coverage(
  shortfall: Micros,
  revenue: Micros,
  fees: Micros,
): { readonly account: 'revenue' | 'fees'; readonly micros: Micros }[] {
  // A reversed sale can leave revenue that was already used below zero.
  const lifted = [
    { account: 'revenue' as const, balance: revenue, micros: revenue < 0n ? revenue : 0n },
    { account: 'fees' as const, balance: fees, micros: fees < 0n ? fees : 0n },
  ]
  let open = shortfall + lifted.reduce((sum, { micros }) => sum + micros, 0n)
  const moves = lifted.map(({ account, balance, micros }) => {
    const free = balance < 0n ? 0n : balance
    const wanted = open < 0n ? min(free, -open) : 0n
    open += wanted
    return { account, micros: micros + wanted }
  })
  if (open > 0n) moves[0] = { account: 'revenue', micros: moves[0]!.micros - open }
  return moves.filter(({ micros }) => micros !== 0n)
}
