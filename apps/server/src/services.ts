import { createAlarmSender } from './alarms/sender.ts'
import { auditChecksOf } from './audit.ts'
import type { EventHandlers } from './chain/indexer/events.ts'
import type { BatchKind } from './modules/books/final-batch.service.ts'
import type { AnyCapability } from './modules/capability.ts'
import { createGround, type Ground, type ServicesDeps } from './modules/ground.ts'
import { CAPABILITIES } from './modules/index.ts'
import type { Audiences } from './modules/messages/notices/notices.service.ts'
import type { Kinds } from './modules/proposal-kind.ts'
import { readingsOf } from './plugins/readings.ts'

export type { ServiceSettings, ServicesDeps } from './modules/ground.ts'

/** The services after all capabilities of a list; `never` if one needs what those before it do not offer. */
export type Assembled<List extends readonly unknown[], Below> = List extends readonly [
  infer First,
  ...infer Rest,
]
  ? First extends { create(needs: infer Needs): infer Services }
    ? Below extends Needs
      ? Assembled<Rest, Below & Services>
      : never
    : never
  : Below

type Created = Assembled<typeof CAPABILITIES, Ground>

export type Services = Created &
  ReturnType<typeof platformServices> & { readonly capabilities: readonly AnyCapability[] }

/**
 * Creates every service of the process, capability by capability, from the bottom to the top. Does not connect or start anything. The
 * application and the worker take their routes and jobs from the `capabilities` that it returns.
 */
export function createServices(
  context: ServicesDeps,
  capabilities: readonly AnyCapability[] = CAPABILITIES,
): Services {
  const eventHandlers: EventHandlers = {}
  const finalBatch: BatchKind[] = []
  const kinds = {} as Kinds
  const audiences: Audiences = {}
  const auditChecks = auditChecksOf(capabilities)
  const ground = createGround(context, { auditChecks, eventHandlers, finalBatch, kinds, audiences })
  let below: object = ground
  for (const { create } of capabilities) below = { ...below, ...create(below) }
  const created = below as Created
  for (const capability of capabilities) {
    Object.assign(eventHandlers, capability.events?.(created))
    Object.assign(kinds, capability.proposalKinds?.(created))
    Object.assign(audiences, capability.audiences?.(created))
    finalBatch.push(...(capability.finalBatch?.(created) ?? []))
    for (const reading of capability.readings?.(created) ?? []) ground.metrics.addReading(reading)
  }
  for (const reading of readingsOf(created)) ground.metrics.addReading(reading)
  return { ...created, ...platformServices(ground), capabilities }
}

/** Creates the services of the process itself, which belong to no capability. */
function platformServices(ground: Ground) {
  const { publicUrl, alarms: receivers = {} } = ground.settings
  return { alarmSender: createAlarmSender({ ...ground, publicUrl, receivers }) }
}
