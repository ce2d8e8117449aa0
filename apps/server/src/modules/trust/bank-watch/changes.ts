import type { BankChangeKind, BankRole } from '@rif/api-schema'
import { fromChainUnits, type Micros, parseMicros, toChainUnits } from '@rif/rules'
import { type Address, isAddressEqual } from 'viem'
import { BANK_ROLES } from '../../../chain/bank-state.ts'
import type { Chain } from '../../../chain/client.ts'
import type { BankChangeName, ChainEvent, EventArgs } from '../../../chain/indexer/events.ts'

/** The change that an event of the bank contract reports. */
export interface BankChange {
  readonly kind: BankChangeKind
  readonly role?: BankRole
  readonly account?: Address
  readonly asset?: 'USDT' | 'AMC'
  readonly capMicros?: Micros
  readonly executableAt?: Date
  /**
   * The call that an admin announces in the product before sending it, and its subject; none if the page does
   * not offer the call.
   */
  readonly announcedAs?: string
}

type Chained = Pick<Chain, 'contracts' | 'decimals'>

/** The subject of an announced call of a bank in the admins' log. `newCap` is in base units of the token. */
export const callSubject = (bank: string, call: string, subject: string, newCap?: bigint) =>
  [bank.toLowerCase(), call, subject.toLowerCase(), ...(newCap === undefined ? [] : [newCap])].join('/')

/** Returns the change of an event, by the event's name. */
export function changeOf(chain: Chained, event: ChainEvent<BankChangeName>): BankChange {
  const describe = DESCRIPTIONS[event.name] as (args: unknown, chain: Chained) => Described
  const { call, ...change } = describe(event.args, chain)
  return { ...change, ...(call && { announcedAs: callSubject(event.contract, ...call) }) }
}

/** A change with the call, and its subject, that an admin announces before sending it. */
type Described = Omit<BankChange, 'announcedAs'> & {
  readonly call?: readonly [name: string, subject: string, newCap?: bigint]
}

const DESCRIPTIONS: { [name in BankChangeName]: (args: EventArgs[name], chain: Chained) => Described } = {
  RoleGranted: ({ role, account }) => ofRole('role_granted', role, account),
  RoleRevoked: ({ role, account }) => ofRole('role_revoked', role, account),
  ClaimSignerQueued: ({ signer, executableAt }) => ({
    kind: 'signer_queued',
    account: signer,
    executableAt: timeOf(executableAt),
    call: ['queueClaimSigner', signer],
  }),
  ClaimSignerCancelled: ({ signer }) => ({
    kind: 'signer_cancelled',
    account: signer,
    call: ['cancelClaimSigner', signer],
  }),
  GuardianRemovalQueued: ({ guardian, executableAt }) => ({
    kind: 'removal_queued',
    account: guardian,
    executableAt: timeOf(executableAt),
  }),
  GuardianRemovalCancelled: ({ guardian }) => ({
    kind: 'removal_cancelled',
    account: guardian,
    call: ['cancelGuardianRemoval', guardian],
  }),
  CapRaiseQueued: ({ token, newCap, executableAt }, chain) => ({
    kind: 'raise_queued',
    executableAt: timeOf(executableAt),
    ...capOf(chain, token, newCap),
    call: ['queueCapRaise', token, newCap],
  }),
  CapRaiseCancelled: ({ token }, chain) => ({
    kind: 'raise_cancelled',
    asset: assetOf(chain, token),
    call: ['cancelCapRaise', token],
  }),
  DailyCapChanged: ({ token, previousCap, newCap }, chain) => ({
    kind: 'cap_changed',
    ...capOf(chain, token, newCap),
    ...(newCap > previousCap && { call: ['executeCapRaise', token] }),
  }),
  OrdersPauseChanged: ({ paused, account }) => ({
    kind: paused ? 'orders_paused' : 'orders_resumed',
    account,
    call: [paused ? 'pauseOrders' : 'unpauseOrders', 'bank'],
  }),
  DefaultAdminTransferScheduled: ({ newAdmin, acceptSchedule }) => ({
    kind: 'admin_transfer',
    role: 'admin',
    account: newAdmin,
    executableAt: timeOf(acceptSchedule),
  }),
  DefaultAdminTransferCanceled: () => ({ kind: 'admin_transfer_cancelled', role: 'admin' }),
  HandOverQueued: ({ successor, executableAt }) => ({
    kind: 'hand_over_queued',
    account: successor,
    executableAt: timeOf(executableAt),
  }),
  HandOverCancelled: ({ successor }) => ({
    kind: 'hand_over_cancelled',
    account: successor,
    call: ['cancelHandOver', successor],
  }),
  HandedOver: ({ successor }) => ({
    kind: 'handed_over',
    account: successor,
    call: ['executeHandOver', successor],
  }),
  DefaultAdminDelayChangeScheduled: ({ effectSchedule }) => ({
    kind: 'admin_delay',
    role: 'admin',
    executableAt: timeOf(effectSchedule),
  }),
}

const CALL_OF_ROLE: Readonly<Record<string, string>> = {
  'role_granted claim_signer': 'executeClaimSigner',
  'role_revoked claim_signer': 'dismissClaimSigner',
  'role_revoked guardian': 'executeGuardianRemoval',
}

function ofRole(kind: 'role_granted' | 'role_revoked', id: string, account: Address): Described {
  const entry = Object.entries(BANK_ROLES).find(([, hash]) => hash === id)
  const role = (entry?.[0] ?? 'unknown') as BankRole
  const call = CALL_OF_ROLE[`${kind} ${role}`]
  return { kind, role, account, ...(call !== undefined && { call: [call, account] as const }) }
}

function capOf(chain: Chained, token: Address, cap: bigint) {
  const asset = assetOf(chain, token)
  return { asset, capMicros: fromChainUnits(cap, chain.decimals[asset]).micros }
}

/** Returns the base units of a cap for a token of the bank. */
export const capUnits = (chain: Chained, token: string, cap: string): bigint =>
  toChainUnits(parseMicros(cap), chain.decimals[assetOf(chain, token as Address)])

const assetOf = ({ contracts }: Chained, token: Address) =>
  isAddressEqual(token, contracts.usdt) ? ('USDT' as const) : ('AMC' as const)

const timeOf = (seconds: bigint | number) => new Date(Number(seconds) * 1_000)
