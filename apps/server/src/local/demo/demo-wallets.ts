import { roleAllows } from '@rif/rules'
import type { Address } from 'viem'
import type { AdminDraft } from '../../modules/operators/admins/admins.service.ts'
import { DEV_ACCOUNT_COUNT } from '../anvil.ts'
import { developmentAccounts } from '../development-keys.ts'
import { ADMINS, DEMO_TEAM, VISITORS } from './cast.ts'

/** The demo accounts of the local chain by their roles in the demonstration. */
export interface DemoAccounts {
  walletOf(name: string): Address
  /** An address without an owner in the demonstration. */
  readonly stranger: Address
}

/** Assigns roles to the demo accounts, in the node's order. */
export function assignAccounts(accounts: readonly Address[]): DemoAccounts {
  const stranger = accounts.at(-1)
  if (stranger === undefined || accounts.length <= DEMO_TEAM.length + VISITORS.length + ADMINS.length) {
    throw new Error(`the local chain has too few accounts: ${accounts.length}`)
  }
  const wallets = new Map(DEMO_TEAM.map(({ name }, index) => [name, accounts[index]!]))
  return {
    stranger,
    walletOf(name) {
      const wallet = wallets.get(name)
      if (wallet === undefined) throw new Error(`${name} is not in the team`)
      return wallet
    },
  }
}

/** The admins of the demonstration, each a different person. */
export function demoAdmins(accounts: readonly Address[]): AdminDraft[] {
  return ADMINS.map(({ label, role }, index) => ({
    address: adminWallet(accounts, index),
    role,
    person: label.split(' ')[0]!,
  }))
}

/** The wallets of the demonstration that approve proposals, each of a different person. */
export function demoApprovers(): { person: string; address: Address }[] {
  const [, ...accounts] = developmentAccounts(DEV_ACCOUNT_COUNT).map(({ address }) => address)
  return demoAdmins(accounts)
    .filter(({ role }) => roleAllows(role, 'approver'))
    .map(({ person, address }) => ({ person, address: address as Address }))
}

const adminWallet = (accounts: readonly Address[], index: number) =>
  accounts[DEMO_TEAM.length + VISITORS.length + index]!

/**
 * Returns the accounts that the app's demo wallet offers. With the team: some of its members, and visitors
 * who can sign up. Without it: wallets with only test tokens. The first one is the root member's, unless the
 * settings name another.
 */
export function demoWallets(
  accounts: readonly Address[],
  withTeam: boolean,
): { address: Address; label: string }[] {
  const { walletOf } = assignAccounts(accounts)
  const visitors = VISITORS.map((label, index) => ({ address: accounts[DEMO_TEAM.length + index]!, label }))
  const admins = ADMINS.map(({ label }, index) => ({ address: adminWallet(accounts, index), label }))
  if (!withTeam) return [{ address: walletOf(DEMO_TEAM[0]!.name), label: 'Root' }, ...visitors, ...admins]
  const offered = DEMO_TEAM.filter((person) => person.label !== undefined)
  const members = offered.map(({ name, label }) => ({ address: walletOf(name), label: `${name} - ${label}` }))
  return [...members, ...visitors, ...admins]
}
