import type { WalletAsset, WalletMove, WalletSend } from '@rif/api-schema'
import { fromChainUnits, type Micros } from '@rif/rules'
import { formatUnits, getAddress, type Hex, parseUnits } from 'viem'
import { type ChainHead, confirmationsOf } from '../../../chain/confirmations.ts'
import {
  type WalletDayChange,
  type WalletEvent,
  walletChangesSince,
  walletEventsBefore,
} from '../../../chain/indexer/wallet-events.ts'
import { unpackFundOrderId, unpackOnChainId } from '../../../chain/onchain-id.ts'
import type { Db } from '../../../db/database.ts'
import { decodeCursor, encodeCursor } from '../../../lib/cursor.ts'
import { AppError } from '../../../lib/errors.ts'
import { readAddress } from '../leaving.addresses.service.ts'
import { assetOf } from './chain.ts'
import { createSendFollower, type LocalWalletDeps } from './follower.ts'
import type { MoveFilter, SendRow } from './local-wallet.repository.ts'
import * as repository from './local-wallet.repository.ts'

/** A send as reported by the member. */
export interface ReportedSend {
  readonly tx_hash: string
  readonly nonce: number
  readonly asset: WalletAsset
  readonly to: string
  readonly amount: string
  readonly by_contract: boolean
}

/** Changes of the wallet's tokens on a UTC day, by cause; positive amounts came in. */
export interface WalletChange {
  readonly day: string
  readonly kind: WalletDayChange['kind'] | 'fund_paid'
  /** The paid order of the shop; null for anything else. */
  readonly orderId: bigint | null
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
}

export type LocalWalletService = ReturnType<typeof createLocalWalletService>

/** The maximum number of open sends of a member. */
const MAX_OPEN = 20
/** The maximum number of a wallet's changes in one read. */
const MAX_CHANGES = 2_000
const MAX_UNITS = 2n ** 256n - 1n
/** The position before the first page: beyond every block and send. */
const START = 10n ** 18n - 1n

/** Creates the service of members' own wallets: reported sends, and the events of the contracts. */
export function createLocalWalletService(deps: LocalWalletDeps) {
  const { now, chain, progress, members, contacts } = deps
  const follower = createSendFollower(deps)
  const decimalsOf = (asset: WalletAsset) => (asset === 'ETH' ? 18 : chain.decimals[asset])

  /** Converts an amount exactly. Throws INVALID_AMOUNT for more decimals than the token has. */
  function unitsOf(asset: WalletAsset, amount: string): bigint {
    const units = parseUnits(amount, decimalsOf(asset))
    const isExact = (amount.split('.')[1] ?? '').length <= decimalsOf(asset)
    if (!isExact || units <= 0n || units > MAX_UNITS) throw new AppError('INVALID_AMOUNT')
    return units
  }

  const amountOf = (asset: WalletAsset, units: string) => formatUnits(BigInt(units), decimalsOf(asset))

  async function sendView(db: Db, row: SendRow): Promise<WalletSend> {
    const labels = await contacts.labels(db, row.member_id, [row.to_address])
    return {
      first_hash: row.first_hash,
      tx_hash: row.tx_hash,
      asset: row.asset,
      amount: amountOf(row.asset, row.amount_units),
      to: getAddress(row.to_address),
      label: labels.get(row.to_address) ?? null,
      by_contract: row.by_contract,
      verified: row.verified,
      ...progressOf(row, await progress.head(db)),
      told_at: row.told_at.toISOString(),
      block_at: row.block_at?.toISOString() ?? null,
    }
  }

  function legsOf({ name, args }: WalletEvent): WalletMove['legs'] {
    const leg = (asset: WalletAsset, units: string | undefined) => ({
      asset,
      amount: amountOf(asset, units ?? '0'),
    })
    if (name === 'OrderPaid') return [leg('USDT', args.usdtAmount), leg('AMC', args.amcAmount)]
    return [leg(assetOf(chain.contracts, args.token as Hex)!, args.amount)]
  }

  function eventMove(row: WalletEvent, own: string, head: ChainHead): WalletMove {
    const { name, args } = row
    const isOut = name === 'OrderPaid' || (name === 'Transferred' && args.from === own)
    return {
      id: `${row.block_number}-${row.log_index}`,
      kind: name === 'OrderPaid' ? 'order' : name === 'Claimed' ? 'claim' : 'transfer',
      direction: isOut ? 'out' : 'in',
      legs: legsOf(row),
      counterpart: name === 'Transferred' ? ((isOut ? args.to : args.from) ?? null) : null,
      label: null,
      tx_hash: row.tx_hash,
      first_hash: null,
      status: row.is_final ? 'Success' : 'Confirming',
      confirmations: confirmationsOf(row.block_number, row.is_final, head),
      confirmations_needed: head.confirmationsNeeded,
      at: row.block_at.toISOString(),
    }
  }

  function sendMove(row: SendRow, head: ChainHead): WalletMove {
    return {
      id: `send-${row.send_id}`,
      kind: 'send',
      direction: 'out',
      legs: [{ asset: row.asset, amount: amountOf(row.asset, row.amount_units) }],
      counterpart: getAddress(row.to_address),
      label: null,
      tx_hash: row.tx_hash,
      first_hash: row.first_hash,
      ...progressOf(row, head),
      at: (row.block_at ?? row.told_at).toISOString(),
    }
  }

  async function withLabels(db: Db, memberId: bigint, moves: readonly WalletMove[]): Promise<WalletMove[]> {
    const addresses = moves.flatMap(({ counterpart }) => counterpart?.toLowerCase() ?? [])
    const labels = await contacts.labels(db, memberId, addresses)
    return moves.map((move) => ({
      ...move,
      label: labels.get(move.counterpart?.toLowerCase() ?? '') ?? null,
    }))
  }

  return {
    followDue: follower.followDue,
    sendersTo: repository.sendersTo,

    /**
     * Records a send of the member's wallet, once, and looks it up on the chain. Throws INVALID_ADDRESS,
     * INVALID_AMOUNT, RATE_LIMITED above `MAX_OPEN`, and VALIDATION_FAILED if the chain shows that it is not
     * a send of this wallet.
     */
    async report(db: Db, memberId: bigint, sent: ReportedSend): Promise<WalletSend> {
      const to = readAddress(sent.to)
      const units = unitsOf(sent.asset, sent.amount)
      const hash = sent.tx_hash.toLowerCase()
      const storedSend = await repository.findSend(db, memberId, hash)
      if (storedSend !== undefined) return sendView(db, storedSend)
      if ((await repository.countOpenSends(db, memberId)) >= MAX_OPEN) throw new AppError('RATE_LIMITED')
      const at = now()
      const row = await repository.insertSend(db, {
        member_id: memberId,
        first_hash: hash,
        tx_hash: hash,
        nonce: BigInt(sent.nonce),
        asset: sent.asset,
        to_address: to,
        amount_units: `${units}`,
        by_contract: sent.by_contract,
        status: 'Sent',
        told_at: at,
        look_at: at,
      })
      // If the node does not respond now, the worker tries again.
      const isSend = row === undefined || (await follower.follow(db, row).catch(() => true))
      if (!isSend) throw new AppError('VALIDATION_FAILED', { field: 'tx_hash' })
      return sendView(db, (await repository.findSend(db, memberId, hash))!)
    },

    /** Returns a send in its current state. Throws NOT_FOUND. */
    async send(db: Db, memberId: bigint, hash: string): Promise<WalletSend> {
      const row = await repository.findSend(db, memberId, hash.toLowerCase())
      if (row === undefined) throw new AppError('NOT_FOUND')
      return sendView(db, row)
    },

    /** Returns the last reported sends with their state, newest first. */
    async newest(
      db: Db,
      memberId: bigint,
      limit: number,
    ): Promise<Pick<WalletSend, 'first_hash' | 'status' | 'confirmations' | 'told_at'>[]> {
      const head = await progress.head(db)
      const rows = await repository.sendsBefore(db, memberId, { beforeId: START, limit })
      return rows.map((row) => ({
        first_hash: row.first_hash,
        ...progressOf(row, head),
        told_at: row.told_at.toISOString(),
      }))
    },

    /**
     * Returns the changes of the wallet's tokens on each UTC day since a time that the contracts emitted or
     * the member reported: the newest causes up to `MAX_CHANGES`, oldest first, in signed micro-units. Other
     * transfers of the tokens are not included.
     */
    async changesSince(db: Db, memberId: bigint, since: Date): Promise<WalletChange[]> {
      const wallet = getAddress((await members.get(db, memberId)).address)
      const { chainId, contracts, decimals } = chain
      const [events, sends] = await Promise.all([
        walletChangesSince(db, { chainId, contracts, wallet, since, limit: MAX_CHANGES }),
        repository.sentSince(db, memberId, since),
      ])
      const micros = (asset: 'USDT' | 'AMC', units: bigint) => fromChainUnits(units, decimals[asset]).micros
      const announced = events.map(({ day, kind, orderId, usdtUnits, amcUnits }): WalletChange => {
        const sign = kind === 'paid' || kind === 'sent' ? -1n : 1n
        const [usdtMicros, amcMicros] = [sign * micros('USDT', usdtUnits), sign * micros('AMC', amcUnits)]
        return { day, ...paidFor(kind, orderId), usdtMicros, amcMicros }
      })
      const reported = sends.map(({ day, asset, units }): WalletChange => {
        const none = { day, kind: 'sent', orderId: null, usdtMicros: 0n, amcMicros: 0n } as const
        return { ...none, [asset === 'USDT' ? 'usdtMicros' : 'amcMicros']: -micros(asset, units) }
      })
      return [...announced, ...reported].sort((a, b) => a.day.localeCompare(b.day))
    },

    /**
     * Returns a page of the wallet's sends, and of its payments, claims and receipts through the product's contracts,
     * newest first. Merges two lists, each with its own position in the cursor. Throws VALIDATION_FAILED on an invalid
     * cursor.
     */
    async history(
      db: Db,
      memberId: bigint,
      { cursor, limit, ...filter }: MoveFilter & { cursor?: string | undefined; limit: number },
    ): Promise<{ items: WalletMove[]; next: string | null }> {
      const [block, log, sendId] = decodeCursor(cursor, 3) ?? [START, 0n, START]
      const own = getAddress((await members.get(db, memberId)).address)
      const head = await progress.head(db)
      const before = { block: block!, log: log! }
      const events = await walletEventsBefore(db, {
        chainId: chain.chainId,
        contracts: chain.contracts,
        wallet: own,
        before,
        limit: limit + 1,
        ...filter,
      })
      const sends = await repository.sendsBefore(db, memberId, {
        beforeId: sendId!,
        limit: limit + 1,
        ...filter,
      })
      const reported = await repository.reportedHashes(
        db,
        memberId,
        events.map(({ tx_hash }) => tx_hash),
      )

      const place = { block: block!, log: log!, sendId: sendId! }
      const moves: WalletMove[] = []
      let [event, send] = [0, 0]
      while (moves.length < limit && (event < events.length || send < sends.length)) {
        const [nextEvent, nextSend] = [events[event], sends[send]]
        if (nextEvent !== undefined && (nextSend === undefined || nextEvent.block_at >= timeOf(nextSend))) {
          event++
          place.block = nextEvent.block_number
          place.log = BigInt(nextEvent.log_index)
          // A reported transaction is listed as a send, with more details.
          if (!reported.has(nextEvent.tx_hash)) moves.push(eventMove(nextEvent, own, head))
        } else {
          send++
          place.sendId = nextSend!.send_id
          moves.push(sendMove(nextSend!, head))
        }
      }
      const hasMore = event < events.length || send < sends.length
      const next = hasMore ? encodeCursor(place.block, place.log, place.sendId) : null
      return { items: await withLabels(db, memberId, moves), next }
    },
  }
}

const timeOf = (row: SendRow) => row.block_at ?? row.told_at

/** Returns the purpose of a payment: an order of the shop, of the fund, or one from outside the product. */
function paidFor(
  kind: WalletDayChange['kind'],
  onChainId: bigint | null,
): Pick<WalletChange, 'kind' | 'orderId'> {
  if (onChainId === null) return { kind, orderId: null }
  if (unpackFundOrderId(onChainId) !== null) return { kind: 'fund_paid', orderId: null }
  try {
    return { kind, orderId: unpackOnChainId(onChainId).id }
  } catch {
    return { kind, orderId: null }
  }
}

function progressOf(row: SendRow, head: ChainHead) {
  const isFinal = row.status === 'Success' || row.status === 'Failed'
  return {
    status: row.status,
    confirmations: confirmationsOf(row.block_number, isFinal, head),
    confirmations_needed: head.confirmationsNeeded,
  }
}
