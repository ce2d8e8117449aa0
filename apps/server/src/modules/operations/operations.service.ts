import type { AuditedDeparture, PauseArea } from '@rif/api-schema'
import { rifBankAbi } from '@rif/contracts/abi'
import { dayOf, formatMicros } from '@rif/rules'
import { type Address, type Hex, keccak256, toBytes, zeroHash } from 'viem'
import type { Chain } from '../../chain/client.ts'
import { type Db, inDbTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../lib/cursor.ts'
import type { Signer } from '../../signer/client.ts'
import { type AdminLogService, actorText } from '../admin-log/admin-log.service.ts'
import type { Admin } from '../admins/admins.service.ts'
import { freezeReason, listPauses, setFrozen } from '../gates/gates.service.ts'
import type { DepartureQueue } from '../leaving/leaving.queue.service.ts'
import type { LeavingService } from '../leaving/leaving.service.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import type { PlansService } from '../plans/plans.service.ts'
import {
  type ProposalsService,
  SEVERAL_TRANSFERS,
  SEVERAL_WITHDRAWALS,
  transferSubject,
  withdrawalSubject,
} from '../proposals/proposals.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly chain: Chain
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly leaving: Pick<LeavingService, 'isFlagged' | 'flag'>
  readonly departureQueue: DepartureQueue
  readonly proposals: Pick<ProposalsService, 'openBySubject' | 'openPayloads'>
  readonly adminLog: AdminLogService
  readonly signer: Pick<Signer, 'status'>
}

export type OperationsService = ReturnType<typeof createOperations>

const CLAIM_SIGNER_ROLE = keccak256(toBytes('CLAIM_SIGNER_ROLE'))
const PAUSER_ROLE = keccak256(toBytes('PAUSER_ROLE'))
const AREAS: readonly PauseArea[] = ['sign_ups', 'orders', 'withdrawals', 'settlement']

/** Creates the operators' views and actions that need no second person. Rules, section 12. */
export function createOperations(deps: Deps) {
  const { db, now, chain, ledger, plans, leaving, departureQueue, proposals, adminLog } = deps

  async function hold(on: Db, memberId: bigint) {
    const reason = await freezeReason(on, memberId)
    return {
      member_id: `${memberId}`,
      frozen: reason !== null,
      freeze_reason: reason,
      flagged: await leaving.isFlagged(on, memberId),
    }
  }

  /** Returns the open proposals about held departures, by their subject. */
  async function openReviews(held: readonly HeldSubject[]): Promise<ReadonlyMap<string, bigint>> {
    const subjects = (is: HeldSubject['is']) => held.filter((one) => one.is === is).map(subjectOf)
    const open = new Map([
      ...(await proposals.openBySubject(db, 'withdrawals', subjects('withdrawal'))),
      ...(await proposals.openBySubject(db, 'transfers', subjects('transfer'))),
    ])
    for (const [id, several] of await proposals.openPayloads(db, 'withdrawals', SEVERAL_WITHDRAWALS)) {
      for (const one of several.withdrawals) open.set(withdrawalSubject(one.member_id, one.withdraw_id), id)
    }
    for (const [id, several] of await proposals.openPayloads(db, 'transfers', SEVERAL_TRANSFERS)) {
      for (const one of several.transfers) open.set(transferSubject(one.member_id, one.transfer_id), id)
    }
    return open
  }

  return {
    /** Returns withdrawals and transfers under audit, oldest first, with the open proposal about each. */
    async auditQueue(query: { cursor?: string | undefined; limit: number }) {
      const cursor = decodeCursor(query.cursor, 3)
      const after = cursor && ([cursor[0]!, cursor[1]!, cursor[2]!] as const)
      const plan = await plans.planAt(db, dayOf(now().getTime()))
      const limit = plan.withdrawal.auditAboveMicros
      const found = await departureQueue.page(db, { after, limit: query.limit + 1 })
      const open = await openReviews(found)
      const page = toPage(
        found,
        query.limit,
        ({ recentMicros, ...one }): AuditedDeparture => {
          const proposalId = open.get(subjectOf(one))
          return {
            ...one,
            proposal_id: proposalId === undefined ? null : `${proposalId}`,
            bulk: recentMicros <= limit,
          }
        },
        (one) => encodeCursor(new Date(one.created_at).getTime(), one.id, one.is === 'transfer' ? 1 : 0),
      )
      return {
        ...page,
        waiting: await departureQueue.countWaiting(db),
        bulk_up_to_usdt: formatMicros(limit),
      }
    },

    hold: (memberId: bigint) => hold(db, memberId),

    /** Freezes a member at once; once more changes nothing. Throws MEMBER_NOT_FOUND. */
    freeze(admin: Admin, memberId: bigint, reason: string) {
      return inDbTx(db, async (dbTx) => {
        await ledger.lock(dbTx, { memberIds: [memberId] })
        if ((await freezeReason(dbTx, memberId)) === null) {
          await setFrozen(dbTx, ledger, { memberId, reason })
          await adminLog.record(dbTx, {
            ...{ actor: admin.address, action: 'member.freeze', subject: `member/${memberId}`, reason },
            ...{ before: { state: 'active' }, after: { state: 'frozen' } },
          })
        }
        return hold(dbTx, memberId)
      })
    },

    /** Holds every withdrawal and transfer of a member for review. Throws MEMBER_NOT_FOUND. */
    flag(admin: Admin, memberId: bigint, reason: string) {
      return inDbTx(db, async (dbTx) => {
        await freezeReason(dbTx, memberId)
        await leaving.flag(dbTx, { memberId, flagged: true, actor: admin.address, reason })
        return hold(dbTx, memberId)
      })
    },

    /** Returns the pauses of server and bank contract, and those of the contract that the admin's wallet may change. */
    async emergency(admin: Admin) {
      const paused = new Map((await listPauses(db)).map((one) => [one.area, one]))
      const items = AREAS.map((area) => {
        const one = paused.get(area)
        const facts = one && {
          since: one.pausedAt.toISOString(),
          by: actorText(one.pausedBy),
          reason: one.reason,
        }
        return { area, paused: facts ?? null }
      })
      return { items, chain: await bankSwitches(chain, deps.signer, admin.address as Address) }
    },

    /** The areas that are stopped. */
    paused: async (): Promise<PauseArea[]> => (await listPauses(db)).map(({ area }) => area),
  }
}

type HeldSubject = Pick<AuditedDeparture, 'is' | 'id' | 'member_id'>

const subjectOf = ({ is, id, member_id }: HeldSubject): string =>
  is === 'transfer' ? transferSubject(member_id, id) : withdrawalSubject(member_id, id)

/** The bank's own switches, and which of them a wallet holds; null when the node or the signer does not answer. */
async function bankSwitches({ client, contracts }: Chain, signer: Pick<Signer, 'status'>, caller: Address) {
  const bank = { address: contracts.bank, abi: rifBankAbi } as const
  const hasRole = (role: Hex, account: Address) =>
    client.readContract({ ...bank, functionName: 'hasRole', args: [role, account] })
  try {
    const { claimSigner } = await signer.status()
    const [ordersPaused, appointed, pauser, admin] = await Promise.all([
      client.readContract({ ...bank, functionName: 'ordersPaused' }),
      hasRole(CLAIM_SIGNER_ROLE, claimSigner),
      hasRole(PAUSER_ROLE, caller),
      hasRole(zeroHash, caller),
    ])
    return {
      ...{ orders_paused: ordersPaused, claim_signer: claimSigner, claim_signer_appointed: appointed },
      you: { pauser, admin },
    }
  } catch {
    return null
  }
}
