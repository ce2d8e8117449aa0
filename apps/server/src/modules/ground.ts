import type { Operator } from '@rif/rules'
import { createAlarms } from '../alarms/alarms.ts'
import type { AlarmSettings } from '../alarms/sender.ts'
import type { Chain } from '../chain/client.ts'
import type { EventHandlers } from '../chain/indexer/events.ts'
import { createChainProgress } from '../chain/progress.ts'
import { createReadBudget } from '../chain/read-budget.ts'
import { createSignatures } from '../chain/signature.ts'
import { noteChange } from '../db/changes.ts'
import type { Db } from '../db/database.ts'
import { OPERATOR_MEMBER_ID } from '../lib/caller.ts'
import type { Now } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { createOutgoing } from '../lib/outgoing.ts'
import { createMetrics, type Metrics } from '../plugins/metrics.ts'
import { createSignerClient } from '../signer/client.ts'
import type { SignerAccess } from '../signer/protocol.ts'
import type { BatchKind } from './books/final-batch.service.ts'
import type { AuditCheck } from './books/ledger/audit.ts'
import type { Posting, PostingListener } from './books/ledger/ledger.service.ts'
import type { PriceSettings } from './desk/price-intake/price-intake.service.ts'
import type { Audiences } from './messages/notices/notices.service.ts'
import type { NoticeSettings } from './messages/notices/notices.ts'
import { createWebhookEvents } from './messages/webhooks/webhooks.events.service.ts'
import type { PublicSettings } from './overview/system/system.service.ts'
import type { Kinds } from './proposal-kind.ts'

/** The settings of the services. */
export interface ServiceSettings extends PublicSettings {
  /** The address at which browsers reach the product. */
  readonly publicUrl: string
  /** The process that holds the claim and quote keys. */
  readonly signer: SignerAccess
  /** The key of the salts of solvency reports, 32 bytes; without it none are built. */
  readonly saltKey?: Uint8Array | null
  /** The SHA-256 of the verifier that is offered beside the app, in hexadecimal digits; null where there is none. */
  readonly verifierSha256?: string | null
  /** The key of the secrets of webhooks, 32 bytes; without it there are none. */
  readonly webhookKey?: Uint8Array | null
  /** The price feeds and oracles; none by default. */
  readonly prices?: PriceSettings
  /** The receivers of alarms; by default they are only logged. */
  readonly alarms?: AlarmSettings
  /** Internal hosts that requests to external addresses may reach; none by default. */
  readonly localHosts?: readonly string[]
  /** Settings of notices by mail and push; off by default. */
  readonly notices?: NoticeSettings
  /** The operator, as the terms name it; nobody in a demonstration, the default. */
  readonly operator?: Operator
  /** True (the default) if an old solvency report closes the gate. */
  readonly needsSnapshots?: boolean
  /** The longest time for which an audit waits for a lagging replica. */
  readonly replicaWaitMs?: number
  /** Stops the fund while its NAV is older than the plan allows; false only in a simulation. */
  readonly navsGoStale?: boolean
  /** Limits and reviews transfers; false only in a simulation. */
  readonly transfersLimited?: boolean
  /** Requires the signatures of members' wallets; false only in a simulation, which has no wallets. */
  readonly membersSign?: boolean
}

/** The parts of a process from which its services are created. */
export interface ServicesDeps {
  readonly db: Db
  /** A replica of the database, for audits. */
  readonly replicaDb?: Db | undefined
  readonly now: Now
  readonly log: Logger
  readonly chain: Chain
  readonly settings: ServiceSettings
}

/** The declarations of all capabilities, by kind. */
export interface Declared {
  readonly eventHandlers: EventHandlers
  readonly finalBatch: readonly BatchKind[]
  readonly kinds: Kinds
  readonly audiences: Audiences
}

/** Prices come from operators alone. */
const NO_OUTSIDE_PRICES: PriceSettings = { feeds: [], oracles: [], sequencer: null, jumpPpm: 100_000 }

export type Ground = ReturnType<typeof createGround>

/** Creates what every capability stands on: the parts of the process, the access to the chain and the signer, and the listeners. */
export function createGround(
  context: ServicesDeps,
  declarations: { readonly auditChecks: readonly AuditCheck[]; declared(): Declared },
) {
  const { db, replicaDb, now, log, chain, settings } = context
  const { contracts, decimals } = chain
  const metrics = createMetrics()
  const webhookEvents = createWebhookEvents({ now })
  // Whoever wants to hear of postings: of all of them, in this order.
  const postingListeners: readonly PostingListener[] = [
    webhookEvents.ofPostings,
    countPostings(metrics),
    noteBalances,
  ]
  return {
    db,
    replicaDb,
    now,
    log,
    chain,
    settings,
    ...declarations,
    contracts,
    decimals,
    /** The contract and the chain for which members and operators sign. */
    domain: { chainId: chain.chainId, bank: contracts.bank },
    outsidePrices: settings.prices ?? NO_OUTSIDE_PRICES,
    metrics,
    webhookEvents,
    postingListeners,
    signer: createSignerClient(settings.signer),
    alarms: createAlarms(context),
    outgoing: createOutgoing({ localHosts: settings.localHosts ?? [] }),
    signatures: createSignatures(chain.nodes),
    readBudget: createReadBudget({ now }),
    progress: createChainProgress({
      chainId: chain.chainId,
      confirmations: settings.confirmations,
      now,
    }),
  }
}

/** Counts postings, including those that their transaction then rolls back. */
const countPostings =
  ({ ledgerTransactions }: Metrics) =>
  (_dbTx: Db, postings: readonly Posting[]): void => {
    for (const { kind, count } of postings) ledgerTransactions.inc({ kind }, count)
  }

/** Notes changed balances for open pages. That of a settled range is noted when its day is settled. */
function noteBalances(dbTx: Db, postings: readonly Posting[]): void {
  for (const { lines } of postings)
    for (const { memberId } of lines ?? [])
      if (memberId !== OPERATOR_MEMBER_ID) noteChange(dbTx, memberId, 'balance')
}
