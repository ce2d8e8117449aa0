import { createHash } from 'node:crypto'
import type { Order, Withdrawal } from '@rif/api-schema'
import { type Micros, type PaymentAsset, parseMicros, toChainUnits } from '@rif/rules'
import { type Address, createPublicClient, custom, encodeAbiParameters, getAddress, type Hex } from 'viem'
import type { Chain } from '../chain/client.ts'
import type { ChainEvent, EventPlace } from '../chain/indexer/events.ts'
import { createNodes } from '../chain/nodes/nodes.ts'
import { CHAIN_ID } from '../settings.ts'

/** Revenue that the operator deposits, with its label and document. */
interface Deposit {
  readonly depositId: bigint
  readonly asset: PaymentAsset
  readonly amountMicros: Micros
  readonly label: Hex
  readonly documentHash: Hex
}

/** Returns the wallet address of a name: always the same, and without an owner. */
export function addressOf(name: string): Address {
  return toAddress(`wallet ${name}`)
}

/**
 * Contracts and tokens without a chain. Payments and claims are delivered as events, so the bank reports no
 * others; all other reads of the node fail.
 */
export function simulatedChain(): Chain {
  const nodes = createNodes({ rpcUrls: [], chainId: CHAIN_ID })
  const transport = custom({
    request: async ({ method }) => {
      if (method === 'eth_call') return encodeAbiParameters([{ type: 'bool' }], [false])
      throw new Error('there is no chain in a simulation')
    },
  })
  const bank = createPublicClient({ transport })
  return {
    untrustedClient: nodes.untrustedClient,
    nodes: { ...nodes, quorumRead: (read) => read(bank) },
    chainId: CHAIN_ID,
    contracts: {
      bank: toAddress('contract bank'),
      transfer: toAddress('contract transfer'),
      usdt: toAddress('contract usdt'),
      amc: toAddress('contract amc'),
    },
    decimals: { USDT: 6, AMC: 18 },
  }
}

/** Creates the events that the bank's contract would emit, each in its own block. */
export function createBankEvents({ contracts, decimals }: Chain) {
  let blocks = 0n
  const tokenOf = (asset: PaymentAsset) => (asset === 'USDT' ? contracts.usdt : contracts.amc)

  function nextPlace(at: Date): EventPlace {
    blocks += 1n
    return {
      blockNumber: blocks,
      blockHash: hashOfText(`block ${blocks}`),
      blockAt: at,
      txHash: hashOfText(`tx ${blocks}`),
      logIndex: 0,
      contract: contracts.bank,
    }
  }

  return {
    /** Returns the payment of an order as it was quoted last. */
    orderPaid(order: Order, at: Date): ChainEvent<'OrderPaid'> {
      return {
        ...nextPlace(at),
        name: 'OrderPaid',
        args: {
          orderId: BigInt(order.chain_order_id),
          payer: order.payer as Address,
          usdtAmount: toChainUnits(parseMicros(order.quote.usdt), decimals.USDT),
          amcAmount: toChainUnits(parseMicros(order.quote.amc), decimals.AMC),
        },
      }
    },

    /** Returns the claim of a withdrawal as approved. */
    claimed(withdrawal: Withdrawal, at: Date): ChainEvent<'Claimed'> {
      const { asset } = withdrawal
      return {
        ...nextPlace(at),
        name: 'Claimed',
        args: {
          withdrawalId: BigInt(withdrawal.chain_withdrawal_id),
          token: tokenOf(asset),
          to: withdrawal.address as Address,
          amount: toChainUnits(parseMicros(withdrawal.receives), decimals[asset]),
        },
      }
    },

    /** Returns revenue that the operator pays in. */
    revenueDeposited(deposit: Deposit, at: Date): ChainEvent<'RevenueDeposited'> {
      const { asset, amountMicros, ...details } = deposit
      return {
        ...nextPlace(at),
        name: 'RevenueDeposited',
        args: {
          ...details,
          from: toAddress('operator'),
          token: tokenOf(asset),
          amount: toChainUnits(amountMicros, decimals[asset]),
        },
      }
    },
  }
}

function toAddress(text: string): Address {
  return getAddress(hashOfText(text).slice(0, 42))
}

/** Returns the SHA-256 hash of a text, as 0x and 64 hex digits, for hashes that only need a valid form. */
export function hashOfText(text: string): Hex {
  return `0x${createHash('sha256').update(text).digest('hex')}`
}
