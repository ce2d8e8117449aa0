import { createAlarmSender } from './alarms/sender.ts'
import { auditChecksOf } from './audit.ts'
import type { EventHandlers } from './chain/indexer/events.ts'
import type { AnyCapability } from './modules/capability.ts'
import { createGround, type Declared, type Ground, type ServicesDeps } from './modules/ground.ts'
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
  ReturnType<typeof platformServices> &
  Declared & { readonly capabilities: readonly AnyCapability[] }

/**
 * Creates every service of the process, capability by capability, from the bottom to the top. Does not connect or start anything. The
 * application and the worker take their routes and jobs from the `capabilities` that it returns.
 */
export function createServices(
  context: ServicesDeps,
  capabilities: readonly AnyCapability[] = CAPABILITIES,
): Services {
  let declared: Declared | undefined
  const ground = createGround(context, {
    auditChecks: auditChecksOf(capabilities),
    declared() {
      if (declared === undefined) throw new Error('the capabilities are still being created')
      return declared
    },
  })
  let below: object = ground
  for (const { create } of capabilities) below = { ...below, ...create(below) }
  const created = below as Created
  declared = {
    eventHandlers: joined<EventHandlers>(capabilities.map(({ events }) => events?.(created))),
    finalBatch: capabilities.flatMap(({ finalBatch }) => finalBatch?.(created) ?? []),
    kinds: joined<Kinds>(capabilities.map(({ proposalKinds }) => proposalKinds?.(created))),
    audiences: joined<Audiences>(capabilities.map(({ audiences }) => audiences?.(created))),
  }
  for (const { readings } of capabilities)
    for (const reading of readings?.(created) ?? []) ground.metrics.addReading(reading)
  for (const reading of readingsOf(created)) ground.metrics.addReading(reading)
  return { ...created, ...platformServices(ground), ...declared, capabilities }
}

/** Joins what capabilities declare. Throws if two of them declare the same key, since only one would count. */
function joined<T extends object>(parts: readonly (Partial<T> | undefined)[]): T {
  const all = {} as T
  for (const part of parts)
    for (const [key, value] of Object.entries(part ?? {})) {
      if (key in all) throw new Error(`two capabilities declare ${key}`)
      Object.assign(all, { [key]: value })
    }
  return all
}

/** Creates the services of the process itself, which belong to no capability. */
function platformServices(ground: Ground) {
  const { publicUrl, alarms: receivers = {} } = ground.settings
  return { alarmSender: createAlarmSender({ ...ground, publicUrl, receivers }) }
}
