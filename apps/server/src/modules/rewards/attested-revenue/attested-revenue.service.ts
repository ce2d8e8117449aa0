import { dayOf, fromChainUnits, isAmount, type Micros } from '@rif/rules'
import { sql } from 'kysely'
import { isAddressEqual } from 'viem'
import { bankNumber, type ContractAddresses } from '../../../chain/banks.ts'
import type { ChainEvent, EventHandler } from '../../../chain/indexer/events.ts'
import { packDepositId } from '../../../chain/onchain-id.ts'
import type { ChainProgress } from '../../../chain/progress.ts'
import type { Db } from '../../../db/database.ts'
import { OPERATOR_MEMBER_ID } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { Reversals } from '../../books/reversals/reversals.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { Attestation, AttestedPool } from './attested-revenue.repository.ts'
import * as repository from './attested-revenue.repository.ts'

export type { Attestation, AttestedPool }

/** Revenue as stated by an admin: its source, the hash of the supporting document, and its deposit. */
export interface AttestationDraft {
  readonly pool: AttestedPool
  readonly asset: 'USDT' | 'AMC'
  readonly amountMicros: Micros
  readonly source: string
  /** 32 bytes, 0x and lower case. */
  readonly documentHash: string
  /** The product's number of the deposit, which also identifies its bank. */
  readonly depositId: bigint
  readonly actor: string
}

interface AttestationRow extends Omit<AttestationDraft, 'depositId' | 'actor'> {
  readonly depositId: string
  readonly preparedBy: string
  readonly approvedBy: string | null
}

interface Deposit {
  readonly asset: 'USDT' | 'AMC'
  readonly amountMicros: Micros
  readonly documentHash: string
  readonly txHash: string
}

export type AttestedRevenue = ReturnType<typeof createAttestedRevenue>

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly reversals: Reversals
  readonly progress: Pick<ChainProgress, 'isBookedForGood'>
  readonly adminLog: AdminLogService
  readonly contracts: ContractAddresses
  readonly decimals: { readonly USDT: number; readonly AMC: number }
}

/**
 * Creates the service of attested external revenue (rules, section 2): prepared by one admin, approved by
 * another, and equal to a deposit that is final on chain. Only then does it enter its pool.
 */
export function createAttestedRevenue(deps: Deps) {
  const { now, ledger, reversals, progress, adminLog, contracts, decimals } = deps
  const depositIdOf = ({ contract, args }: Pick<ChainEvent<'RevenueDeposited'>, 'contract' | 'args'>) =>
    `${packDepositId(bankNumber({ contracts }, contract), args.depositId)}`

  /**
   * Takes attested revenue out of its pool again, as far as the pool still holds it. Amounts that the pool
   * has paid out stay with the members, and the operator covers them. In both cases the attestation no longer
   * uses a deposit.
   */
  async function undoAttestation(dbTx: Db, attested: ApprovedAttestation): Promise<'undone' | 'covered'> {
    const { attestationId, pool, asset, amountMicros } = attested
    const cause = { type: 'attestation', id: `${attestationId}` }
    const key = `attestation/${attestationId}`
    await ledger.lock(dbTx, { pools: [pool], memberIds: [OPERATOR_MEMBER_ID] })
    const isHeld = (await ledger.pools.balances(dbTx, pool))[asset] >= amountMicros
    if (isHeld) await reversals.undo(dbTx, { keys: [key], memberIds: [OPERATOR_MEMBER_ID], cause })
    else {
      const amounts = { USDT: 0n, AMC: 0n, [asset]: amountMicros }
      await reversals.makeGood(dbTx, { key, memberId: OPERATOR_MEMBER_ID, amounts, cause })
    }
    await sql`update attestations set undone_at = ${now()} where attestation_id = ${attestationId}`.execute(
      dbTx,
    )
    return isHeld ? 'undone' : 'covered'
  }

  return {
    /**
     * Prepares an attestation. Throws INVALID_AMOUNT, and DEPOSIT_USED if another attestation uses the
     * deposit.
     */
    async prepare(dbTx: Db, draft: AttestationDraft): Promise<{ attestationId: bigint }> {
      if (!isAmount(draft.amountMicros)) throw new AppError('INVALID_AMOUNT')
      const { rows } = await sql<{ attestationId: bigint }>`
        insert into attestations (pool, asset, amount_micros, source, document_hash, deposit_id, prepared_by, prepared_at)
        values (${draft.pool}, ${draft.asset}, ${draft.amountMicros}, ${draft.source},
          ${draft.documentHash.toLowerCase()}, ${`${draft.depositId}`}, ${draft.actor}, ${now()})
        on conflict (deposit_id) where undone_at is null do nothing
        returning attestation_id as "attestationId"`.execute(dbTx)
      const [prepared] = rows
      if (prepared === undefined) throw new AppError('DEPOSIT_USED')
      await adminLog.record(dbTx, {
        actor: draft.actor,
        action: 'attestation.prepare',
        subject: `attestation/${prepared.attestationId}`,
        after: {
          ...draft,
          amountMicros: `${draft.amountMicros}`,
          depositId: `${draft.depositId}`,
        },
      })
      return prepared
    },

    /**
     * Approves an attestation and posts it into its pool. Throws NOT_FOUND, NOTHING_TO_REVIEW if it was
     * approved before, FORBIDDEN for the admin who prepared it, DEPOSIT_USED if the deposit returned invested
     * money, and VALIDATION_FAILED while no such deposit is final on chain.
     */
    async approve(
      dbTx: Db,
      { attestationId, actor }: { attestationId: bigint; actor: string },
    ): Promise<void> {
      const attestation = await lockAttestation(dbTx, attestationId)
      if (attestation === undefined) throw new AppError('NOT_FOUND')
      if (attestation.approvedBy !== null) throw new AppError('NOTHING_TO_REVIEW')
      if (attestation.preparedBy === actor) throw new AppError('FORBIDDEN')
      const deposit = await findDeposit(dbTx, attestation.depositId)
      if ((await repository.useOf(dbTx, attestation.depositId)) === 'divest')
        throw new AppError('DEPOSIT_USED')
      // A pool pays its money out again, so a deposit that a reorganisation can remove must not enter one.
      if (deposit === undefined || !(await progress.isBookedForGood(dbTx, deposit))) {
        throw refused('depositId', 'is not final on chain')
      }
      for (const key of ['asset', 'amountMicros', 'documentHash'] as const) {
        if (deposit[key] !== attestation[key]) throw refused(key, 'differs from the deposit')
      }
      const { pool, asset, amountMicros } = attestation
      // Lock the pool before reading the clock: a settlement that takes the lock later then sees all postings
      // of the day.
      await ledger.lock(dbTx, { pools: [pool], memberIds: [OPERATOR_MEMBER_ID] })
      const at = now()
      const approved = sql`
        update attestations set approved_by = ${actor}, approved_at = ${at}
        where attestation_id = ${attestationId}`
      await claimingDeposit(approved.execute(dbTx))
      await ledger.post(dbTx, {
        key: `attestation/${attestationId}`,
        kind: 'attested_revenue',
        cause: { type: 'attestation', id: `${attestationId}` },
        accountingDay: dayOf(at.getTime()),
        at,
        lines: [{ memberId: OPERATOR_MEMBER_ID, asset, source: 'external', destination: pool, amountMicros }],
      })
      await adminLog.record(dbTx, {
        actor,
        action: 'attestation.approve',
        subject: `attestation/${attestationId}`,
      })
    },

    /**
     * Checks that a deposit returns exactly the cash of a divestment, final on L1 and in USDT. Throws
     * VALIDATION_FAILED otherwise, and DEPOSIT_USED if the deposit is used elsewhere. A divestment without
     * cash names no deposit.
     */
    async requireReturn(
      dbTx: Db,
      { depositId, amountMicros }: { depositId?: string | undefined; amountMicros: Micros },
    ): Promise<void> {
      if ((depositId === undefined) !== (amountMicros === 0n))
        throw refused('deposit_id', 'goes with the cash that comes back')
      if (depositId === undefined) return
      const deposit = await findDeposit(dbTx, depositId)
      if (deposit === undefined || !(await progress.isBookedForGood(dbTx, deposit)))
        throw refused('deposit_id', 'is not final on chain')
      if (deposit.asset !== 'USDT') throw refused('deposit_id', 'is not in USDT')
      if (deposit.amountMicros !== amountMicros) throw refused('amount', 'differs from the deposit')
      if ((await repository.useOf(dbTx, depositId)) !== undefined) throw new AppError('DEPOSIT_USED')
    },

    /** Returns final deposits, newest first, with their attestations, and the number without one. */
    deposits: repository.deposits,
    depositorOf: repository.depositorOf,
    depositIdOf,
    countWaiting: repository.countWaiting,
    approved: repository.approved,

    /** Records revenue that arrived on chain. */
    handler: {
      async onFinal(dbTx, { args, contract, txHash, blockAt }) {
        const asset = isAddressEqual(args.token, contracts.usdt) ? 'USDT' : 'AMC'
        const { micros, dust } = fromChainUnits(args.amount, decimals[asset])
        await sql`
          insert into revenue_deposits (deposit_id, depositor, label, asset, amount_micros, dust, document_hash, tx_hash,
            deposited_at)
          values (${depositIdOf({ contract, args })}, ${args.from.toLowerCase()}, ${args.label}, ${asset}, ${micros}, ${`${dust}`},
            ${args.documentHash}, ${txHash}, ${blockAt}) on conflict do nothing`.execute(dbTx)
      },

      async onUndone(dbTx, { args, contract, txHash }) {
        const depositId = depositIdOf({ contract, args })
        const attested = await attestationOf(dbTx, depositId)
        const outcome = attested === undefined ? 'undone' : await undoAttestation(dbTx, attested)
        await sql`select delete_undone_deposit(${depositId}, ${txHash})`.execute(dbTx)
        return outcome
      },

      async onMoved(dbTx, from, to) {
        const depositId = depositIdOf(from)
        const { rows } = await sql<{ tx_hash: string }>`
          select * from revenue_deposits where deposit_id = ${depositId}`.execute(dbTx)
        await sql`select delete_undone_deposit(${depositId}, ${from.txHash})`.execute(dbTx)
        await this.onFinal(dbTx, to)
        return rows.length > 0
      },
    } satisfies EventHandler<'RevenueDeposited'>,
  }
}

/**
 * Awaits a statement that claims a deposit. Throws DEPOSIT_USED if the database refuses it because another,
 * possibly concurrent, transaction claimed the deposit first.
 */
export async function claimingDeposit<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    throw (error as Error).message === 'DEPOSIT_USED' ? new AppError('DEPOSIT_USED') : error
  }
}

const refused = (field: string, problem: string) => new AppError('VALIDATION_FAILED', { field, problem })

async function lockAttestation(dbTx: Db, attestationId: bigint): Promise<AttestationRow | undefined> {
  const { rows } = await sql<AttestationRow>`
    select pool, asset, amount_micros as "amountMicros", source, document_hash as "documentHash",
      deposit_id as "depositId", prepared_by as "preparedBy", approved_by as "approvedBy"
    from attestations where attestation_id = ${attestationId} for update`.execute(dbTx)
  return rows[0]
}

interface ApprovedAttestation {
  readonly attestationId: bigint
  readonly pool: AttestedPool
  readonly asset: 'USDT' | 'AMC'
  readonly amountMicros: Micros
}

/** Locks the approved attestation of a deposit. */
async function attestationOf(dbTx: Db, depositId: string): Promise<ApprovedAttestation | undefined> {
  const { rows } = await sql<ApprovedAttestation>`
    select attestation_id as "attestationId", pool, asset, amount_micros as "amountMicros"
    from attestations
    where deposit_id = ${depositId} and approved_at is not null and undone_at is null for update`.execute(
    dbTx,
  )
  return rows[0]
}

async function findDeposit(dbTx: Db, depositId: string): Promise<Deposit | undefined> {
  const { rows } = await sql<Deposit>`
    select asset, amount_micros as "amountMicros", document_hash as "documentHash",
      tx_hash as "txHash"
    from revenue_deposits where deposit_id = ${depositId}`.execute(dbTx)
  return rows[0]
}
