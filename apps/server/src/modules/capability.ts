import type { FastifyInstance } from 'fastify'
import type { EventHandlers } from '../chain/indexer/events.ts'
import type { JobHandler } from '../jobs/jobs.service.ts'
import type { Job } from '../lib/job.ts'
import type { Logger } from '../lib/logger.ts'
import type { ErrorMessages } from '../lib/messages.ts'
import type { Reading } from '../plugins/metrics.ts'
import type { BatchKind } from './books/final-batch.service.ts'
import type { AuditCheck } from './books/ledger/audit.ts'
import type { Audiences } from './messages/notices/notices.service.ts'
import type { Kinds } from './proposal-kind.ts'
import type { RunComparison } from './settlement/plan-comparison/plan-comparison.service.ts'

/**
 * A capability of the product, declared whole. The application, the commands and the audit are derived from the list of capabilities;
 * `Needs` are the services that it uses, `Services` those that it adds. Its tables are in its `tables.ts`.
 */
export interface Capability<Needs, Services> {
  /** Creates its services. Does not connect or start anything. */
  create(needs: Needs): Services
  routes?(app: FastifyInstance, services: Needs & Services, edge: Edge): unknown
  jobs?(services: Needs & Services, worker: WorkerContext): Jobs
  /** The handlers of the chain's events. Each event has one capability. */
  events?(services: Needs & Services): EventHandlers
  /** The final events that are applied together with those of others in one transaction, in the order of their locks. */
  finalBatch?(services: Needs & Services): readonly BatchKind[]
  proposalKinds?(services: Needs & Services): Partial<Kinds>
  /** The metrics that are read on request. */
  readings?(services: Needs & Services): readonly Reading[]
  /** The receivers of notices about events of many members. */
  audiences?(services: Needs & Services): Audiences
  readonly audits?: readonly AuditCheck[]
  /** The texts of its errors. */
  readonly messages?: ErrorMessages
}

/** The facts about this process that routes need. */
export interface Edge {
  readonly log: Logger
  readonly publicUrl: string
  /** True if this process learns the country of a request. */
  readonly knowsCountry: boolean
  readonly clock?: { status(): { readonly isRight: boolean; readonly offsetMs: number } } | undefined
  readonly contracts?: { isPassed(): boolean } | undefined
}

export interface WorkerContext {
  readonly log: Logger
  readonly runComparison: RunComparison
}

export interface Jobs {
  /** The standing work that moves no money. */
  readonly always?: readonly Job[]
  /** The standing work that moves money. It runs only once the contracts were checked. */
  readonly money?: readonly Job[]
  /** The handlers of queued jobs. */
  readonly queued?: readonly JobHandler[]
}

/** Returns a capability, with the types of its needs and services taken from `create`. */
export const capability = <Needs, Services>(declared: Capability<Needs, Services>) => declared

// biome-ignore lint/suspicious/noExplicitAny: the list of capabilities gives each what it needs; `Assembled` checks the order.
export type AnyCapability = Capability<any, any>

export type ServicesOf<C extends AnyCapability> = ReturnType<C['create']>
