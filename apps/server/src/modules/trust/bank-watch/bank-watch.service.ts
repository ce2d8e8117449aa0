import type { BankAlarmKind, BankCallBody, BankChangeKind, BankRole, MoneyAsset } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import type { Alarms } from '../../../alarms/alarms.ts'
import { type BankState, readBankState } from '../../../chain/bank-state.ts'
import type { Chain } from '../../../chain/client.ts'
import { listBanks, storeClaimKey, storeHandOver } from '../../../chain/hand-over.ts'
import {
  BANK_CHANGES,
  type BankChangeName,
  type ChainEvent,
  type EventHandlers,
} from '../../../chain/indexer/events.ts'
import { indexerStatus } from '../../../chain/indexer/position.ts'
import { type Db, inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { Signer } from '../../../signer/client.ts'
import type { TreasuryService } from '../../fund/treasury/treasury.service.ts'
import type { WithdrawalsService } from '../../leaving/withdrawals/withdrawals.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import { actorText } from '../../operators/admin-log/admin-log.service.ts'
import type { AdminsService } from '../../operators/admins/admins.service.ts'
import { alarmsOf, claimKeyOf } from './alarms.ts'
import * as repository from './bank-watch.repository.ts'
import { callSubject, capUnits, changeOf } from './changes.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly alarms: Pick<Alarms, 'begin' | 'end' | 'once'>
  readonly chain: Chain
  readonly adminLog: AdminLogService
  readonly signer: Pick<Signer, 'status'>
  readonly treasury: Pick<TreasuryService, 'strangers' | 'announced'>
  readonly admins: Pick<AdminsService, 'approverDifferences'>
  readonly withdrawals: Pick<WithdrawalsService, 'refused'>
  /** True if the chain makes blocks without transactions. An idle local chain does not. */
  readonly makesBlocks: boolean
}

export type BankWatch = ReturnType<typeof createBankWatch>

/** The action under which the admins' log stores an announced call. */
const ANNOUNCED = 'bank.call'
/**
 * The window in which a queued change can be executed; a call must be sent, and a multi-signature completed,
 * within it.
 */
const ANNOUNCED_FOR_MS = 9 * 86_400_000
const SHOWN_CHANGES = 20

/**
 * Creates the watcher of the bank contracts. Every change of a role, the queue, a cap, the pause or the
 * hand-over is stored from its final event and raises an alarm in the log, which states whether an admin
 * announced the change in the product. A periodic check of chain, indexer and signers maintains the active
 * alarms.
 */
export function createBankWatch(deps: Deps) {
  const { db, now, alarms, chain, adminLog } = deps

  async function note(dbTx: Db, event: ChainEvent<BankChangeName>): Promise<void> {
    const { announcedAs, ...change } = changeOf(chain, event)
    const bank = event.contract.toLowerCase()
    const first = await repository.deploymentTx(dbTx, bank)
    const isCreation = first === null && change.kind === 'role_granted' && change.role === 'admin'
    const isDeployment = isCreation || first === event.txHash
    const since = new Date(event.blockAt.getTime() - ANNOUNCED_FOR_MS)
    const proposedBy =
      announcedAs === undefined || isDeployment
        ? null
        : await adminLog.lastActor(dbTx, { action: ANNOUNCED, subject: announcedAs, since })
    const isNew = await repository.insertChange(dbTx, {
      ...change,
      bank,
      txHash: event.txHash,
      logIndex: event.logIndex,
      blockNumber: event.blockNumber,
      changedAt: event.blockAt,
      proposedBy,
      isDeployment,
      notedAt: now(),
    })
    if (!isNew || isDeployment) return
    const facts = { change: change.kind, role: change.role, account: change.account }
    const place = { bank, asset: change.asset, txHash: event.txHash, proposedBy }
    await alarms.once(
      proposedBy === null ? 'bank_changed_unannounced' : 'bank_changed',
      { ...facts, ...place },
      { subject: `${event.txHash}/${event.logIndex}`, on: dbTx },
    )
  }

  // A change that a reorganisation removed remains stored: it was announced, and may come again.
  const changeHandler = { onFinal: note, onUndone: async () => 'undone' as const }
  const followHandOver = (dbTx: Db, { contract }: ChainEvent<BankChangeName>) =>
    storeHandOver(dbTx, chain.chainId, contract)
  const handOverHandler = {
    async onFinal(dbTx: Db, event: ChainEvent<BankChangeName>) {
      await followHandOver(dbTx, event)
      await note(dbTx, event)
    },
    async onUndone(dbTx: Db, event: ChainEvent<BankChangeName>) {
      await followHandOver(dbTx, event)
      return 'undone' as const
    },
  }

  /** Checks chain, indexer and signers once, and stores the active alarms. */
  async function look(): Promise<void> {
    const at = now()
    const open = (await listBanks(db, chain.contracts)).filter(({ phase }) => phase !== 'handed_over')
    const [states, signer, indexer, strangers, announced, refused] = await Promise.all([
      Promise.all(open.map(({ address }) => readBankState(chain, address))).catch(() => null),
      deps.signer.status().catch(() => null),
      indexerStatus(db, chain.chainId),
      deps.treasury.strangers(),
      deps.treasury.announced(),
      deps.withdrawals.refused(db),
    ])
    const differences = signer === null ? [] : await deps.admins.approverDifferences(db, signer.approvers)
    // The oldest bank pays claims.
    const paying = states?.[0]
    const headAt = deps.makesBlocks && paying !== undefined ? paying.headAt : null
    const raisedAlarms = alarmsOf({
      at,
      banks: states,
      headAt,
      indexer,
      signer,
      strangers,
      announced,
      differences,
      refused: refused.reasons,
    })
    await inTx(db, async (dbTx) => {
      if (paying !== undefined) await repository.storeCaps(dbTx, paying.caps, at)
      if (paying !== undefined && signer !== null)
        await storeClaimKey(dbTx, open[0]!.address, claimKeyOf(paying, signer))
      const { begun, ended } = await repository.replaceAlarms(dbTx, raisedAlarms, at)
      for (const { kind, detail } of begun) await alarms.begin(kind, { detail }, { on: dbTx })
      for (const kind of ended) await alarms.end(kind as BankAlarmKind, {}, { on: dbTx })
    })
  }

  return {
    look,

    /** The handlers of the bank's changes, for the indexer. */
    eventHandlers: Object.fromEntries(
      BANK_CHANGES.map((name) => [name, isHandOver(name) ? handOverHandler : changeHandler]),
    ) as unknown as EventHandlers,

    /** Records that an admin is about to send a call to the bank, so that its event is not unexplained. */
    announce(dbTx: Db, { actor, bank, call, subject, cap }: BankCallBody & { actor: string }) {
      const newCap = cap === undefined ? undefined : capUnits(chain, subject, cap)
      const about = callSubject(bank, call, subject, newCap)
      return adminLog.record(dbTx, { actor, action: ANNOUNCED, subject: about })
    },

    /** Returns the watcher's state, for the operators' page. */
    async report() {
      const [alarms, changes, caps] = await Promise.all([
        repository.listAlarms(db),
        repository.newestChanges(db, SHOWN_CHANGES),
        repository.listCaps(db),
      ])
      return {
        alarms: alarms.map(({ kind, detail, since }) => ({
          kind: kind as BankAlarmKind,
          detail,
          since: since.toISOString(),
        })),
        changes: changes.map(changeView),
        caps: caps.map((cap) => ({
          asset: cap.asset as MoneyAsset,
          cap: formatMicros(cap.cap_micros),
          remaining: formatMicros(cap.remaining_micros),
          read_at: cap.read_at.toISOString(),
        })),
      }
    },

    /** The metrics of the watcher. */
    readings: [
      {
        name: 'rif_bank_alarm',
        help: '1 for each alarm of the bank contract that is on',
        labels: ['kind'],
        read: async () =>
          (await repository.listAlarms(db)).map(({ kind }) => ({ labels: { kind }, value: 1 })),
      },
      {
        name: 'rif_bank_cap_remaining_ratio',
        help: 'The part of the daily cap that may still leave the bank contract today',
        labels: ['asset'],
        read: async () =>
          (await repository.listCaps(db)).map(({ asset, cap_micros, remaining_micros }) => ({
            labels: { asset },
            value: cap_micros === 0n ? 0 : Number(remaining_micros) / Number(cap_micros),
          })),
      },
      {
        name: 'rif_bank_changes_unannounced',
        help: 'Changes of the bank contract that no admin announced in the product',
        labels: [],
        read: async () => [{ labels: {}, value: await repository.countUnannounced(db) }],
      },
    ],
  }
}

const isHandOver = (name: BankChangeName) =>
  name === 'HandOverQueued' || name === 'HandOverCancelled' || name === 'HandedOver'

type ChangeRow = Awaited<ReturnType<typeof repository.newestChanges>>[number]

function changeView(row: ChangeRow) {
  return {
    kind: row.kind as BankChangeKind,
    role: row.role as BankRole | null,
    bank: row.bank,
    account: row.account,
    asset: row.asset as MoneyAsset | null,
    cap: row.cap_micros === null ? null : formatMicros(row.cap_micros),
    executable_at: row.executable_at?.toISOString() ?? null,
    proposed_by: row.proposed_by === null ? null : actorText(row.proposed_by),
    changed_at: row.changed_at.toISOString(),
    tx_hash: row.tx_hash,
    log_index: row.log_index,
  }
}

/** Returns the queue of the bank contract in the API's format. */
export function queueView(queue: BankState['queue']) {
  return queue.map((item) => ({
    kind: item.kind,
    subject: item.subject,
    asset: item.asset,
    cap: item.capMicros === null ? null : formatMicros(item.capMicros),
    executable_at: item.executableAt.toISOString(),
    expires_at: item.expiresAt.toISOString(),
  }))
}
