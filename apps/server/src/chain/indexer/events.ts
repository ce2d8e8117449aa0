import { rifBankAbi, rifTransferAbi } from '@rif/contracts/abi'
import type { Kysely } from 'kysely'
import {
  type AbiEvent,
  type AbiParameter,
  type Address,
  concatHex,
  decodeAbiParameters,
  type GetEventArgs,
  getAbiItem,
  type Hash,
  type Hex,
  toEventSelector,
} from 'viem'
import type { DB } from '../../db/types.gen.ts'

type DecodedArgs<abi extends readonly unknown[], name extends string> = GetEventArgs<
  abi,
  name,
  { EnableUnion: false; IndexedOnly: false; Required: true }
>

/** The events of a bank that change a role, the queue, a cap, the pause of orders or the hand-over. */
export const BANK_CHANGES = [
  ...(['RoleGranted', 'RoleRevoked', 'OrdersPauseChanged'] as const),
  ...(['ClaimSignerQueued', 'ClaimSignerCancelled'] as const),
  ...(['GuardianRemovalQueued', 'GuardianRemovalCancelled'] as const),
  ...(['CapRaiseQueued', 'CapRaiseCancelled', 'DailyCapChanged'] as const),
  ...(['DefaultAdminTransferScheduled', 'DefaultAdminTransferCanceled'] as const),
  'DefaultAdminDelayChangeScheduled',
  ...(['HandOverQueued', 'HandOverCancelled', 'HandedOver'] as const),
] as const
export type BankChangeName = (typeof BANK_CHANGES)[number]

/** The events of the exits: of their destinations, and of each exit. */
export const EXIT_EVENTS = [
  ...(['DestinationQueued', 'DestinationListed', 'DestinationCancelled', 'DestinationRemoved'] as const),
  ...(['ExitAnnounced', 'ExitExecuted', 'ExitCancelled'] as const),
] as const
export type ExitEventName = (typeof EXIT_EVENTS)[number]

/** The events that the indexer stores, with their decoded arguments: uints above 48 bits are bigints. */
export type EventArgs = {
  [name in BankChangeName | ExitEventName]: DecodedArgs<typeof rifBankAbi, name>
} & {
  OrderPaid: DecodedArgs<typeof rifBankAbi, 'OrderPaid'>
  Claimed: DecodedArgs<typeof rifBankAbi, 'Claimed'>
  RevenueDeposited: DecodedArgs<typeof rifBankAbi, 'RevenueDeposited'>
  SolvencyPublished: DecodedArgs<typeof rifBankAbi, 'SolvencyPublished'>
  Transferred: DecodedArgs<typeof rifTransferAbi, 'Transferred'>
}
export type EventName = keyof EventArgs

/** The position and time of an event. `blockAt` is the block's time, which counts for accounting. */
export type EventPlace = {
  readonly blockNumber: bigint
  readonly blockHash: Hash
  readonly blockAt: Date
  readonly txHash: Hash
  readonly logIndex: number
  readonly contract: Address
}

export type ChainEvent<name extends EventName = EventName> = EventPlace & {
  readonly name: name
  readonly args: EventArgs[name]
}

/**
 * The steps of an event, each handled exactly once, in the database transaction that records the delivery. The
 * steps are: seen, dropped (by a reorganisation; it may be seen again), final. Final can come alone, if the
 * indexer was behind. Undone or moved follow if a reorganisation removes the block of a final event. A
 * handler that throws is retried later, and until then no later event is delivered.
 */
export type EventSteps<name extends EventName> = {
  readonly onSeen?: (dbTx: Kysely<DB>, event: ChainEvent<name>) => Promise<void>
  readonly onDropped?: (dbTx: Kysely<DB>, event: ChainEvent<name>) => Promise<void>
  /**
   * Reverses the final step of an event that a reorganisation removed later. The same event may become final
   * again. Returns `covered` if the effects stand and the operator pays for them.
   */
  readonly onUndone: (dbTx: Kysely<DB>, event: ChainEvent<name>) => Promise<'undone' | 'covered'>
  /**
   * Updates the position of an event that is now in another block, with the same arguments. Returns false if
   * it must be undone and handled again, which is also the case without this step.
   */
  readonly onMoved?: (dbTx: Kysely<DB>, from: ChainEvent<name>, to: ChainEvent<name>) => Promise<boolean>
  /** Books the money of a final event that cannot be applied, so that the books equal the bank. */
  readonly onSetAside?: (dbTx: Kysely<DB>, event: ChainEvent<name>) => Promise<void>
}

/** Handles events whose final step is applied one at a time. */
export type EventHandler<name extends EventName> = EventSteps<name> & {
  readonly onFinal: (dbTx: Kysely<DB>, event: ChainEvent<name>) => Promise<void>
}

/**
 * Applies final events in order, all in one database transaction. Takes the locks of all events in the fixed
 * order before it writes. If it throws, nothing has happened.
 */
export type FinalBatch = (dbTx: Kysely<DB>, events: readonly ChainEvent[]) => Promise<void>

/** Handles events whose final step is applied to one or many. Handlers with the same function get their events together. */
export type BatchHandler<name extends EventName> = EventSteps<name> & { readonly onFinalBatch: FinalBatch }

export type EventHandlers = { readonly [name in EventName]?: EventHandler<name> | BatchHandler<name> }

/** Returns the function that applies final events of this name together with others; undefined if each is applied alone. */
export function batchOf(handlers: EventHandlers, name: EventName): FinalBatch | undefined {
  const handler = handlers[name]
  return handler && 'onFinalBatch' in handler ? handler.onFinalBatch : undefined
}

/** Applies final events of one handler, or of handlers with the same `onFinalBatch`, in order. */
export async function applyFinal(
  handlers: EventHandlers,
  dbTx: Kysely<DB>,
  events: readonly ChainEvent[],
): Promise<void> {
  const [first] = events
  if (first === undefined) return
  const batch = batchOf(handlers, first.name)
  if (batch !== undefined) return batch(dbTx, events)
  const { onFinal } = handlers[first.name] as EventHandler<EventName>
  for (const event of events) await onFinal(dbTx, event)
}

const bankChanges = [...BANK_CHANGES, ...EXIT_EVENTS].map((name) => [
  name,
  getAbiItem({ abi: rifBankAbi, name }),
])

const abiEvents: Record<EventName, AbiEvent> = {
  ...(Object.fromEntries(bankChanges) as Record<BankChangeName | ExitEventName, AbiEvent>),
  OrderPaid: getAbiItem({ abi: rifBankAbi, name: 'OrderPaid' }),
  Claimed: getAbiItem({ abi: rifBankAbi, name: 'Claimed' }),
  RevenueDeposited: getAbiItem({ abi: rifBankAbi, name: 'RevenueDeposited' }),
  SolvencyPublished: getAbiItem({ abi: rifBankAbi, name: 'SolvencyPublished' }),
  Transferred: getAbiItem({ abi: rifTransferAbi, name: 'Transferred' }),
}

/** An event with its parameters in the order of logs: those in the topics, and those in the data. */
interface LogFormat {
  readonly name: EventName
  readonly indexed: readonly AbiParameter[]
  readonly others: readonly AbiParameter[]
}

const formatsBySelector = new Map(
  Object.values(abiEvents).map((item): [Hex, LogFormat] => {
    const isIndexed = (input: AbiParameter) => 'indexed' in input && input.indexed === true
    const indexed = item.inputs.filter(isIndexed)
    const others = item.inputs.filter((input) => !isIndexed(input))
    return [toEventSelector(item), { name: item.name as EventName, indexed, others }]
  }),
)

/** The first topics of the events that the indexer stores. */
export const eventSelectors = [...formatsBySelector.keys()]

export const isKnownSelector = (selector: Hex | undefined): boolean =>
  selector !== undefined && formatsBySelector.has(selector)

/**
 * Decodes a log of one of our contracts. Throws if it does not have the declared shape: nothing may be
 * skipped, and a log that our own contract cannot have written means that the node or this code is wrong.
 */
export function decodeLog(log: { readonly topics: readonly Hex[]; readonly data: Hex }): {
  name: EventName
  args: EventArgs[EventName]
} {
  const [selector, ...topics] = log.topics
  const format = selector === undefined ? undefined : formatsBySelector.get(selector)
  if (format === undefined) throw new Error(`a log has an unknown event: ${selector}`)
  const { name, indexed, others } = format
  if (topics.length !== indexed.length) throw new Error(`a log of ${name} has ${topics.length} topics`)
  // viem's `decodeEventLog` hashes the event's signature for every log, which costs more than the decoding.
  const values = [
    ...(indexed.length === 0 ? [] : decodeAbiParameters(indexed, concatHex(topics))),
    ...(others.length === 0 ? [] : decodeAbiParameters(others, log.data)),
  ]
  const names = [...indexed, ...others].map((parameter) => parameter.name!)
  const args: unknown = Object.fromEntries(names.map((name, index) => [name, values[index]]))
  return { name, args: args as EventArgs[EventName] }
}

/** Returns arguments as JSON text; bigints become decimal strings. */
export function encodeArgs(args: EventArgs[EventName]): string {
  return JSON.stringify(args, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
}

/** Reverses `encodeArgs`, by the types in the event's ABI. */
export function decodeArgs<name extends EventName>(
  name: name,
  json: Record<string, unknown>,
): EventArgs[name] {
  return reviveMembers(abiEvents[name].inputs, json) as EventArgs[name]
}

function reviveMembers(parameters: readonly AbiParameter[], json: Record<string, unknown>): unknown {
  return Object.fromEntries(
    parameters.map((parameter) => [parameter.name, revive(parameter, json[parameter.name ?? ''])]),
  )
}

function revive(parameter: AbiParameter, value: unknown): unknown {
  if (parameter.type.endsWith('[]')) {
    const element = { ...parameter, type: parameter.type.slice(0, -2) } as AbiParameter
    return (value as unknown[]).map((item) => revive(element, item))
  }
  if (parameter.type === 'tuple' && 'components' in parameter)
    return reviveMembers(parameter.components, value as Record<string, unknown>)
  // viem gives integers of at most 48 bits as numbers, and JSON keeps those as they are.
  return /^u?int/.test(parameter.type) && typeof value === 'string' ? BigInt(value) : value
}
