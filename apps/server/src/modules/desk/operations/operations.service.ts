import { type BankCallBody, PAUSE_AREAS, type PausesData } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import type { Address } from 'viem'
import { type BankRole, readBankState } from '../../../chain/bank-state.ts'
import type { Chain } from '../../../chain/client.ts'
import { listBanks } from '../../../chain/hand-over.ts'
import { type StoredNode, storedNodes } from '../../../chain/nodes/node-states.ts'
import { type Db, inTx } from '../../../db/database.ts'
import type { Admin } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import type { Signer } from '../../../signer/client.ts'
import { freezeReason, guardCauses, listPauses, setFrozen } from '../../access/gates/gates.service.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { LeavingService } from '../../leaving/leaving.service.ts'
import { type AdminLogService, actorText } from '../../operators/admin-log/admin-log.service.ts'
import { type BankWatch, queueView } from '../../trust/bank-watch/bank-watch.service.ts'
import type { Guard } from '../../trust/guard/guard.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly chain: Chain
  readonly ledger: LedgerService
  readonly leaving: Pick<LeavingService, 'isFlagged' | 'flag'>
  readonly adminLog: AdminLogService
  readonly signer: Pick<Signer, 'status'>
  readonly bankWatch: BankWatch
  readonly guard: Pick<Guard, 'report' | 'causes' | 'lastAuditedAt'>
}

export type OperationsService = ReturnType<typeof createOperations>

/** Creates the operators' views and actions that need no second person. Rules, section 12. */
export function createOperations(deps: Deps) {
  const { db, chain, ledger, leaving, adminLog } = deps

  async function hold(on: Db, memberId: bigint) {
    const reason = await freezeReason(on, memberId)
    return {
      member_id: `${memberId}`,
      frozen: reason !== null,
      freeze_reason: reason,
      flagged: await leaving.isFlagged(on, memberId),
    }
  }

  return {
    hold: (memberId: bigint) => hold(db, memberId),

    /** Freezes a member at once; repeating it changes nothing. Throws MEMBER_NOT_FOUND. */
    freeze(admin: Admin, memberId: bigint, reason: string) {
      return inTx(db, async (dbTx) => {
        await ledger.lock(dbTx, { memberIds: [memberId] })
        if ((await freezeReason(dbTx, memberId)) === null) {
          await setFrozen(dbTx, ledger, { memberId, reason })
          await adminLog.record(dbTx, {
            actor: admin.address,
            action: 'member.freeze',
            subject: `member/${memberId}`,
            reason,
            before: { state: 'active' },
            after: { state: 'frozen' },
          })
        }
        return hold(dbTx, memberId)
      })
    },

    /** Holds every withdrawal and transfer of a member for review. Throws MEMBER_NOT_FOUND. */
    flag(admin: Admin, memberId: bigint, reason: string) {
      return inTx(db, async (dbTx) => {
        await freezeReason(dbTx, memberId)
        await leaving.flag(dbTx, { memberId, flagged: true, actor: admin.address, reason })
        return hold(dbTx, memberId)
      })
    },

    /** Records that the admin's wallet is about to send a call to the bank contract. */
    async announceBankCall(admin: Admin, call: BankCallBody) {
      await inTx(db, (dbTx) => deps.bankWatch.announce(dbTx, { actor: admin.address, ...call }))
      return { announced: true } as const
    },

    /**
     * Returns the pauses of server and bank contract, the queued changes there, the rights of the admin's
     * wallet, and the alarms.
     */
    async emergency(admin: Admin) {
      const paused = new Map((await listPauses(db)).map((pause) => [pause.area, pause]))
      const items = PAUSE_AREAS.map((area) => {
        const pause = paused.get(area)
        const facts = pause && {
          since: pause.pausedAt.toISOString(),
          by: actorText(pause.pausedBy),
          reason: pause.reason,
        }
        return { area, paused: facts ?? null }
      })
      const open = (await listBanks(db, chain.contracts)).filter(
        ({ address, phase }) => phase !== 'handed_over' && address !== chain.contracts.bank,
      )
      const [switches, formerBanks, watch, nodes] = await Promise.all([
        bankSwitches(chain, chain.contracts.bank, deps.signer, admin.address),
        Promise.all(open.map(({ address }) => bankSwitches(chain, address, deps.signer, admin.address))),
        deps.bankWatch.report(),
        storedNodes(db, chain.chainId),
      ])
      return {
        items,
        nodes: nodesView(nodes, chain.nodes.quorum),
        chain: switches,
        watch,
        guard: await deps.guard.report(),
        former_banks: formerBanks.filter((bank) => bank !== null),
      }
    },

    /** Returns the paused areas, the reasons why the guard has closed the gate, and since when. */
    async stopped(): Promise<PausesData> {
      const [pauses, causes] = [await listPauses(db), await guardCauses(db)]
      const auditedAt = await deps.guard.lastAuditedAt()
      return {
        paused: pauses.map(({ area }) => area),
        paused_since: firstOf(pauses.map(({ pausedAt }) => pausedAt)),
        guard: causes.map(({ cause }) => cause),
        guard_since: firstOf(causes.map(({ since }) => since)),
        audited_at: auditedAt?.toISOString() ?? null,
      }
    },
  }
}

/** Returns the first of some times in ISO text, or null. */
const firstOf = (times: readonly Date[]): string | null =>
  times.length === 0 ? null : new Date(Math.min(...times.map(Number))).toISOString()

function nodesView(nodes: readonly StoredNode[], quorum: number) {
  return {
    quorum,
    items: nodes.map(({ place, host, state, reason, headNumber, headAt, since }) => ({
      place,
      host,
      state,
      reason,
      head: headNumber === null ? null : { number: Number(headNumber), at: headAt!.toISOString() },
      since: since.toISOString(),
    })),
  }
}

/**
 * Returns the state of a bank contract, and the roles of a wallet there; null if the node does not answer.
 * Lists a key that the bank accepts even if the signer does not answer, so that it can still be dismissed.
 */
async function bankSwitches(chain: Chain, bank: Address, signer: Pick<Signer, 'status'>, caller: string) {
  const [state, status] = await Promise.all([
    readBankState(chain, bank).catch(() => null),
    signer.status().catch(() => null),
  ])
  if (state === null) return null
  const claimSigner = status?.claimSigner ?? state.holders.claim_signer[0] ?? null
  const holds = (role: BankRole, account: string) =>
    state.holders[role].some((holder) => holder.toLowerCase() === account.toLowerCase())
  return {
    bank,
    orders_paused: state.ordersPaused,
    claim_signer: claimSigner,
    claim_signer_appointed: claimSigner !== null && holds('claim_signer', claimSigner),
    caps: state.caps.map(({ asset, capMicros, remainingMicros }) => ({
      asset,
      cap: formatMicros(capMicros),
      remaining: formatMicros(remainingMicros),
    })),
    queue: queueView(state.queue),
    head_at: state.headAt.toISOString(),
    you: {
      pauser: holds('pauser', caller),
      admin: holds('admin', caller),
      guardian: holds('guardian', caller),
    },
  }
}
