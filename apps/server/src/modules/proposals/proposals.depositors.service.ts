import type { DepositorFacts } from '@rif/api-schema'
import { getAddress, type Hex } from 'viem'
import { observedTransfers } from '../../chain/indexer/wallet-events.ts'
import type { Db } from '../../db/database.ts'
import type { AdminsService } from '../admins/admins.service.ts'
import type { LeavingService } from '../leaving/leaving.service.ts'
import type { LocalWalletService } from '../local-wallet/local-wallet.service.ts'
import type { MembersService } from '../members/members.service.ts'

interface Deps {
  readonly chainId: number
  readonly admins: Pick<AdminsService, 'find'>
  readonly members: Pick<MembersService, 'byAddresses' | 'addresses'>
  readonly leaving: Pick<LeavingService, 'payoutsTo'>
  readonly localWallet: Pick<LocalWalletService, 'sendersTo'>
}

export type Depositors = ReturnType<typeof createDepositors>

/**
 * Creates the service that says where the money of a depositor of revenue may have come from: attested revenue must be
 * earned elsewhere. It knows the bank's events, those of the transfer contract, and the sends that members reported.
 * Rules, section 2.
 */
export function createDepositors({ chainId, admins, members, leaving, localWallet }: Deps) {
  /** Returns the wallets that sent something to an address, with the number of transfers; all in lower case. */
  async function sendersTo(db: Db, address: string): Promise<{ claims: number; by: Map<string, number> }> {
    const { claims, senders } = await observedTransfers(db, chainId, getAddress(address as Hex))
    const reported = await localWallet.sendersTo(db, address)
    const wallets = await members.addresses(db, [...reported.keys()])
    const by = new Map(senders)
    for (const [memberId, sends] of reported) {
      const wallet = wallets.get(memberId)!
      by.set(wallet, (by.get(wallet) ?? 0) + sends)
    }
    by.delete(address)
    return { claims, by }
  }

  return {
    /** Describes the wallet of a depositor, which is in lower case. */
    async facts(db: Db, address: string): Promise<DepositorFacts> {
      const { claims, by } = await sendersTo(db, address)
      const wallets = [address, ...by.keys()]
      const [ofMembers, payouts] = await Promise.all([
        members.byAddresses(db, wallets),
        leaving.payoutsTo(db, wallets),
      ])
      const fundedBy: DepositorFacts['funded_by'] = []
      for (const [wallet, transfers] of by) {
        const entry = { address: getAddress(wallet as Hex), transfers }
        const admin = await admins.find(db, wallet)
        const memberId = ofMembers.get(wallet)
        if (admin !== undefined) fundedBy.push({ ...entry, is: 'admin', name: admin.person })
        else if (memberId !== undefined) fundedBy.push({ ...entry, is: 'member', name: `${memberId}` })
        else if (payouts.has(wallet)) fundedBy.push({ ...entry, is: 'paid_by_bank', name: '' })
      }
      const memberId = ofMembers.get(address)
      return {
        member_id: memberId === undefined ? null : `${memberId}`,
        admin: (await admins.find(db, address))?.person ?? null,
        paid_by_bank: Math.max(claims, payouts.get(address) ?? 0),
        funded_by: fundedBy,
      }
    },
  }
}

/** Returns the facts in one English line, for the statement that the approver signs. */
export function depositorText(facts: DepositorFacts): string {
  const { member_id, admin, paid_by_bank, funded_by } = facts
  const parts = [
    ...(member_id === null ? [] : [`wallet of member ${member_id}`]),
    ...(admin === null ? [] : [`wallet of the admin ${admin}`]),
    ...(paid_by_bank === 0 ? [] : [`paid by the bank ${paid_by_bank} time(s)`]),
    ...funded_by.map(({ is, name, address }) =>
      is === 'paid_by_bank' ? `funded by ${address}, which the bank paid` : `funded by the ${is} ${name}`,
    ),
  ]
  return parts.length === 0 ? 'no known link to the bank, a member or an admin' : parts.join(', ')
}
