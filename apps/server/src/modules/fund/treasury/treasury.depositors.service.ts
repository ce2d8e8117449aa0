import type { DepositorFacts } from '@rif/api-schema'
import { getAddress, type Hex } from 'viem'
import type { Chain } from '../../../chain/client.ts'
import { blocksOfTransactions } from '../../../chain/indexer/tx-blocks.ts'
import { observedTransfers } from '../../../chain/indexer/wallet-events.ts'
import { ofBanks, transfersTo } from '../../../chain/token-transfers.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { LeavingService } from '../../leaving/leaving.service.ts'
import type { LocalWalletService } from '../../leaving/local-wallet/local-wallet.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { AdminsService } from '../../operators/admins/admins.service.ts'
import * as repository from './treasury.depositors.repository.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly chain: Chain
  readonly admins: Pick<AdminsService, 'find'>
  readonly members: Pick<MembersService, 'byAddresses' | 'addresses'>
  readonly leaving: Pick<LeavingService, 'payoutsTo'>
  readonly localWallet: Pick<LocalWalletService, 'sendersTo'>
}

/** A final deposit whose depositor is examined. */
export interface LookedAt {
  readonly depositId: string
  /** In lower case. */
  readonly depositor: string
  readonly txHash: string
}

export type Depositors = ReturnType<typeof createDepositors>

/**
 * Creates the service that reports possible sources of a revenue depositor's money, because attested revenue
 * must be earned elsewhere. It uses the events of the bank and of the transfer contract, the sends that
 * members reported, and the token transfers that the nodes returned when an attestation was prepared. Rules,
 * section 2.
 */
export function createDepositors(deps: Deps) {
  const { chain, admins, members, leaving, localWallet } = deps

  /** Returns the wallets that sent something to an address, with the number of transfers; all in lower case. */
  async function sendersTo(
    db: Db,
    address: string,
    look: repository.DepositLook | undefined,
  ): Promise<{ paid: number; by: Map<string, number> }> {
    const { claims, senders } = await observedTransfers(db, chain.chainId, getAddress(address as Hex))
    const reported = await localWallet.sendersTo(db, address)
    const wallets = await members.addresses(db, [...reported.keys()])
    const by = new Map(senders)
    for (const [memberId, sends] of reported) {
      const wallet = wallets.get(memberId)!
      by.set(wallet, (by.get(wallet) ?? 0) + sends)
    }
    // Reported sends and events are among the token transfers too.
    const seen = new Map(Object.entries(look?.senders ?? {}))
    for (const [wallet, transfers] of seen) by.set(wallet, Math.max(by.get(wallet) ?? 0, transfers))
    by.delete(address)
    return { paid: Math.max(claims, ofBanks(chain, seen)), by }
  }

  return {
    /**
     * Reads from the nodes the token transfers to the wallet of a deposit, up to its block, and stores them,
     * once. Does nothing for an unknown deposit. Do not call it inside a transaction. Throws
     * CHAIN_UNAVAILABLE.
     */
    async look({ depositId, depositor, txHash }: LookedAt): Promise<void> {
      const { db } = deps
      if ((await repository.lookOf(db, depositId)) !== undefined) return
      const place = (await blocksOfTransactions(db, chain.chainId, [txHash])).get(txHash)
      if (place === undefined) return
      const { senders, ...range } = await transfersTo(chain, getAddress(depositor as Hex), place.block)
      const look = { depositId, depositor, ...range, senders: Object.fromEntries(senders) }
      await repository.insertLook(db, look, deps.now())
    },

    /**
     * Describes the wallet of a depositor (lower case) for one of its deposits, or for the last one examined.
     */
    async facts(db: Db, address: string, depositId?: string): Promise<DepositorFacts> {
      const look = await (depositId === undefined
        ? repository.lastLook(db, address)
        : repository.lookOf(db, depositId))
      const { paid, by } = await sendersTo(db, address, look)
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
        paid_by_bank: Math.max(paid, payouts.get(address) ?? 0),
        funded_by: fundedBy,
        looked_at: look === undefined ? null : rangeOf(look),
      }
    },
  }
}

const rangeOf = ({ fromBlock, toBlock, fromAt }: repository.DepositLook) => ({
  from_block: `${fromBlock}`,
  to_block: `${toBlock}`,
  from_at: fromAt.toISOString(),
})

/** Returns the facts in one English line, for the statement that the approver signs. */
export function depositorText(facts: DepositorFacts): string {
  const { member_id, admin, paid_by_bank, funded_by, looked_at } = facts
  const parts = [
    ...(member_id === null ? [] : [`wallet of member ${member_id}`]),
    ...(admin === null ? [] : [`wallet of the admin ${admin}`]),
    ...(paid_by_bank === 0 ? [] : [`paid by the bank ${paid_by_bank} time(s)`]),
    ...funded_by.map(({ is, name, address }) =>
      is === 'paid_by_bank' ? `funded by ${address}, which the bank paid` : `funded by the ${is} ${name}`,
    ),
  ]
  const links = parts.length === 0 ? 'no known link to the bank, a member or an admin' : parts.join(', ')
  if (looked_at === null) return `${links}; transfers of tokens to it were not looked at`
  const { from_block, to_block, from_at } = looked_at
  return `${links}; transfers of tokens to it were looked at in blocks ${from_block} to ${to_block}, from ${from_at} on`
}
