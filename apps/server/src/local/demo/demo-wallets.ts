import type { Address } from 'viem'
import { TEAM, VISITORS } from './cast.ts'

/** The demo accounts of the local chain by their parts in the demonstration. */
export interface DemoAccounts {
  walletOf(name: string): Address
  /** An address that belongs to nobody in the demonstration. */
  readonly stranger: Address
}

/** Gives the demo accounts, in the node's order, their parts. */
export function assignAccounts(accounts: readonly Address[]): DemoAccounts {
  const stranger = accounts.at(-1)
  if (stranger === undefined || accounts.length <= TEAM.length + VISITORS.length) {
    throw new Error(`the local chain has too few accounts: ${accounts.length}`)
  }
  const wallets = new Map(TEAM.map(({ name }, index) => [name, accounts[index]!]))
  return {
    stranger,
    walletOf(name) {
      const wallet = wallets.get(name)
      if (wallet === undefined) throw new Error(`${name} is not in the team`)
      return wallet
    },
  }
}

/**
 * What the demo wallet of the app offers. With the team: some of its members, and visitors who can sign up. Without:
 * wallets with nothing but test tokens. The first is the root member's, where the settings name no other.
 */
export function demoWallets(
  accounts: readonly Address[],
  withTeam: boolean,
): { address: Address; label: string }[] {
  const { walletOf } = assignAccounts(accounts)
  const visitors = VISITORS.map((label, index) => ({ address: accounts[TEAM.length + index]!, label }))
  if (!withTeam) return [{ address: walletOf(TEAM[0]!.name), label: 'Root' }, ...visitors]
  const offered = TEAM.filter((person) => person.label !== undefined)
  const members = offered.map(({ name, label }) => ({ address: walletOf(name), label: `${name} - ${label}` }))
  return [...members, ...visitors]
}
