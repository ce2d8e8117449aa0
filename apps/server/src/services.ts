import { createAlarmSender } from './alarms/sender.ts'
import { auditChecksOf } from './audit.ts'
import type { AnyCapability } from './modules/capability.ts'
import { createGround, type Declared, type Ground, type ServicesDeps } from './modules/ground.ts'
import { CAPABILITIES } from './modules/index.ts'
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
    eventHandlers: Object.assign({}, ...capabilities.map(({ events }) => events?.(created))),
    finalBatch: capabilities.flatMap(({ finalBatch }) => finalBatch?.(created) ?? []),
    kinds: Object.assign({}, ...capabilities.map(({ proposalKinds }) => proposalKinds?.(created))),
    audiences: Object.assign({}, ...capabilities.map(({ audiences }) => audiences?.(created))),
  }
  for (const { readings } of capabilities)
    for (const reading of readings?.(created) ?? []) ground.metrics.addReading(reading)
  for (const reading of readingsOf(created)) ground.metrics.addReading(reading)
  return { ...created, ...platformServices(ground), ...declared, capabilities }
}

/** Creates the services of the process itself, which belong to no capability. */
function platformServices(ground: Ground) {
  const { publicUrl, alarms: receivers = {} } = ground.settings
  return { alarmSender: createAlarmSender({ ...ground, publicUrl, receivers }) }
}
