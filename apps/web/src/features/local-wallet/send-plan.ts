import type { AppConfig, WalletAsset } from '@rif/api-schema'
import { amcTokenAbi, rifTransferAbi } from '@rif/contracts/abi'
import { parseMicros, toChainUnits } from '@rif/rules'
import { type Address, decodeFunctionData, encodeFunctionData, getAddress, type Hex } from 'viem'
import { kept } from '../../lib/index.ts'
import { FlowError, sameAddress } from '../../wallet/provider.ts'

/** The send that the member has confirmed. */
export interface WalletSendDraft {
  asset: WalletAsset
  /** A wire amount: six decimals, which every one of the three assets has. */
  amount: string
  to: string
  /** To a member, through the transfer contract with a reference. */
  byContract: boolean
}

/** A transaction of a send, as passed to the wallet. */
export interface SendCall {
  to: Address
  data: Hex
  value: bigint
}

type Facts = Pick<AppConfig, 'contracts' | 'banks' | 'decimals'>

export const unitsOf = ({ decimals }: Facts, asset: WalletAsset, amount: string): bigint =>
  toChainUnits(parseMicros(amount), asset === 'ETH' ? 18 : decimals[asset])

export const tokenOf = ({ contracts }: Facts, asset: 'USDT' | 'AMC') =>
  getAddress(asset === 'USDT' ? contracts.usdt : contracts.amc)

/** Reports whether tokens or ether sent to an address would be lost: the zero address and the product's own contracts, also its former banks. */
export function isDeadEnd({ contracts, banks }: Pick<Facts, 'contracts' | 'banks'>, to: string): boolean {
  const own = [...Object.values(contracts), ...banks.map(({ address }) => address)]
  return /^0x0{40}$/.test(to) || own.some((contract) => sameAddress(contract, to))
}

/** Returns the transaction of a send. Throws `mismatch` for a forbidden receiver. */
export function sendCallOf(facts: Facts, draft: WalletSendDraft, reference: Hex): SendCall {
  if (isDeadEnd(facts, draft.to)) throw new FlowError('mismatch', 'receiver')
  const to = getAddress(draft.to)
  const amount = unitsOf(facts, draft.asset, draft.amount)
  if (draft.asset === 'ETH') return { to, data: '0x', value: amount }
  const token = tokenOf(facts, draft.asset)
  if (draft.byContract) {
    const args = [token, to, amount, reference] as const
    const data = encodeFunctionData({ abi: rifTransferAbi, functionName: 'transfer', args })
    return { to: getAddress(facts.contracts.transfer), data, value: 0n }
  }
  return {
    to: token,
    data: encodeFunctionData({ abi: amcTokenAbi, functionName: 'transfer', args: [to, amount] }),
    value: 0n,
  }
}

/** Returns the approval of exactly the amount for the transfer contract; 0 revokes an old one. */
export function approvalCall(facts: Facts, asset: 'USDT' | 'AMC', amount: bigint): SendCall {
  const args = [getAddress(facts.contracts.transfer), amount] as const
  const data = encodeFunctionData({ abi: amcTokenAbi, functionName: 'approve', args })
  return { to: tokenOf(facts, asset), data, value: 0n }
}

/**
 * Checks the transaction for the last time before the wallet opens: decodes it and compares it with the
 * confirmed send. Throws `mismatch` with the differing field.
 */
export function checkSend(facts: Facts, draft: WalletSendDraft, call: SendCall): void {
  const need = (holds: boolean, what: string) => {
    if (!holds) throw new FlowError('mismatch', what)
  }
  const amount = unitsOf(facts, draft.asset, draft.amount)
  if (draft.asset === 'ETH') {
    need(call.data === '0x', 'calldata')
    need(call.value === amount, 'amount')
    need(sameAddress(call.to, draft.to), 'receiver')
    return
  }
  need(call.value === 0n, 'value')
  const token = tokenOf(facts, draft.asset)
  if (draft.byContract) {
    const { args } = decodeFunctionData({ abi: rifTransferAbi, data: call.data })
    need(sameAddress(call.to, facts.contracts.transfer), 'contract')
    need(sameAddress(args[0], token), 'token')
    need(sameAddress(args[1], draft.to), 'receiver')
    need(args[2] === amount, 'amount')
    return
  }
  const decoded = decodeFunctionData({ abi: amcTokenAbi, data: call.data })
  need(decoded.functionName === 'transfer', 'function')
  const [to, sent] = decoded.args as readonly [Address, bigint]
  need(sameAddress(call.to, token), 'token')
  need(sameAddress(to, draft.to), 'receiver')
  need(sent === amount, 'amount')
}

/**
 * A send that was passed to the wallet, kept until the server has recorded it, so that a reload loses
 * nothing.
 */
export interface SendIntent {
  draft: WalletSendDraft
  from: string
  nonce: number
  /** Null while the wallet is open, because it may have sent without this page receiving the hash. */
  hash: string | null
}

const KEY = 'wallet_send'

export function readIntent(): SendIntent | null {
  try {
    const value = JSON.parse(kept.get(KEY) ?? 'null')
    return typeof value?.nonce === 'number' && typeof value.from === 'string' ? value : null
  } catch {
    return null
  }
}

export function writeIntent(intent: SendIntent | null) {
  kept.set(KEY, intent === null ? null : JSON.stringify(intent))
}
