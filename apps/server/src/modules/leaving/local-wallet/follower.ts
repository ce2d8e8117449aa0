import type { Updateable } from 'kysely'
import { type Address, getAddress, type Hash, isAddressEqual, type Transaction } from 'viem'
import type { Chain } from '../../../chain/client.ts'
import { confirmationsOf } from '../../../chain/confirmations.ts'
import type { ChainProgress } from '../../../chain/progress.ts'
import type { ReadBudget } from '../../../chain/read-budget.ts'
import { unlessMissing } from '../../../chain/unless-missing.ts'
import { type Db, inTx } from '../../../db/database.ts'
import type { WalletSends } from '../../../db/types.gen.ts'
import type { Now } from '../../../lib/clock.ts'
import { eachDespiteFailures } from '../../../lib/despite-failures.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { AddressesService } from '../leaving.addresses.service.ts'
import { type DecodedSend, decodeSend, findByNonce } from './chain.ts'
import type { SendRow } from './local-wallet.repository.ts'
import * as repository from './local-wallet.repository.ts'

/** The services that the local wallet and the follower of its sends use. */
export interface LocalWalletDeps {
  readonly now: Now
  readonly chain: Chain
  readonly progress: ChainProgress
  readonly ledger: LedgerService
  readonly members: MembersService
  readonly contacts: AddressesService
  readonly readBudget: ReadBudget
}

const BATCH = 50
const FIRST_CHECK_MS = 2_000
const LAST_CHECK_MS = 600_000
/** The pause before the next check, as a fraction of the send's age: a tenth. */
const CHECKS_PER_AGE = 10
const LOST_AFTER_MS = 7 * 86_400_000
/** The calls to a node for one check, and for the search by nonce; the member's budget limits both. */
const CHECK_CALLS = 5
const SEARCH_CALLS = 40

/**
 * The result of a check on the chain: the changes to store, or that the transaction is not a send of this
 * member.
 */
type Finding = { readonly changes: Updateable<WalletSends> } | { readonly isNoSend: true }

/**
 * Creates the follower of reported sends. Every check reads the chain again, which also corrects the effects of a
 * reorganisation, of a transaction sped up or cancelled in the wallet, and of a node that was behind. Only a state with
 * the required confirmations is final.
 */
export function createSendFollower(deps: LocalWalletDeps) {
  const { now, chain, progress, ledger, members, contacts, readBudget } = deps
  const { untrustedClient: client } = chain

  /** Returns the time of the next check, by the age of a send. */
  function nextCheck(send: SendRow): Date {
    const at = now().getTime()
    const pauseMs = Math.max(0, at - send.told_at.getTime()) / CHECKS_PER_AGE
    return new Date(at + Math.min(LAST_CHECK_MS, Math.max(FIRST_CHECK_MS, pauseMs)))
  }

  async function mined(db: Db, tx: Transaction, blockNumber: bigint, isSuccess: boolean): Promise<Finding> {
    const head = await progress.head(db)
    const isFinal = confirmationsOf(blockNumber, false, head) >= head.confirmationsNeeded
    const { timestamp } = await client.getBlock({ blockNumber })
    return {
      changes: {
        ...shown(tx),
        status: !isFinal ? 'Confirming' : isSuccess ? 'Success' : 'Failed',
        block_number: blockNumber,
        block_at: new Date(Number(timestamp) * 1000),
      },
    }
  }

  /** Returns the values of a transaction on chain. */
  function shown(tx: Transaction): Updateable<WalletSends> {
    const send = decodeSend(chain, tx)!
    return {
      tx_hash: tx.hash,
      nonce: BigInt(tx.nonce),
      asset: send.asset,
      to_address: send.to,
      amount_units: `${send.amountUnits}`,
      by_contract: send.byContract,
      verified: true,
    }
  }

  const waiting = { status: 'Sent', block_number: null, block_at: null } as const

  /** Examines a transaction that the node does not have: replaced, not received yet, or lost. */
  async function missing(db: Db, send: SendRow, wallet: Address): Promise<Finding> {
    const head = await progress.head(db)
    const nonce = Number(send.nonce)
    if (!(await readBudget.take(db, send.member_id, SEARCH_CALLS))) return { changes: {} }
    const other = await findByNonce(chain, wallet, nonce)
    if (other !== null && isSame(decodeSend(chain, other.tx), send)) {
      return { changes: { ...waiting, tx_hash: other.hash } }
    }
    const finalBlock = head.number - BigInt(head.confirmationsNeeded) + 1n
    const isUsed =
      finalBlock >= 0n &&
      (await client.getTransactionCount({ address: wallet, blockNumber: finalBlock })) > nonce
    if (isUsed) return { changes: { ...waiting, status: 'Replaced' } }
    const isLost = other === null && now().getTime() - send.told_at.getTime() > LOST_AFTER_MS
    return { changes: { ...waiting, status: isLost ? 'Lost' : 'Sent' } }
  }

  async function check(db: Db, send: SendRow): Promise<Finding> {
    if (!(await readBudget.take(db, send.member_id, CHECK_CALLS))) return { changes: {} }
    const wallet = getAddress((await members.get(db, send.member_id)).address)
    const hash = send.tx_hash as Hash
    const receipt = await unlessMissing(client.getTransactionReceipt({ hash }))
    const tx = await unlessMissing(client.getTransaction({ hash }))
    if (tx === null) return missing(db, send, wallet)
    if (!isAddressEqual(tx.from, wallet) || decodeSend(chain, tx) === null) return { isNoSend: true }
    if (receipt === null) return { changes: { ...waiting, ...shown(tx) } }
    return mined(db, tx, receipt.blockNumber, receipt.status === 'success')
  }

  /** Checks one open send. Returns false, and deletes it, if it is not a send of this member. */
  async function follow(db: Db, send: SendRow): Promise<boolean> {
    const outcome = await check(db, send)
    if ('isNoSend' in outcome) {
      await repository.deleteSend(db, send)
      return false
    }
    const { changes } = outcome
    await inTx(db, async (dbTx) => {
      await ledger.lock(dbTx, { memberIds: [send.member_id] })
      const isChanged = await repository.updateOpen(dbTx, send, { ...changes, look_at: nextCheck(send) })
      if (!isChanged || changes.status !== 'Success') return
      await contacts.noteSent(dbTx, send.member_id, changes.to_address!, changes.block_at as Date)
    })
    return true
  }

  return {
    follow,

    /**
     * Checks the open sends that are due. A failed check is repeated after the usual pause, behind those that
     * are due by then. Throws viem's error if a node is unreachable.
     */
    async followDue(db: Db): Promise<void> {
      await eachDespiteFailures(await repository.dueSends(db, now(), BATCH), async (send) => {
        await follow(db, send).catch(async (error: unknown) => {
          await repository.updateOpen(db, send, { look_at: nextCheck(send) })
          throw error
        })
      })
    },
  }
}

function isSame(decodedSend: DecodedSend | null, sent: SendRow): boolean {
  return (
    decodedSend !== null &&
    decodedSend.asset === sent.asset &&
    decodedSend.to === sent.to_address &&
    decodedSend.amountUnits === BigInt(sent.amount_units) &&
    decodedSend.byContract === sent.by_contract
  )
}
