import { amcTokenAbi, rifBankAbi, rifTransferAbi } from '@rif/contracts/abi'
import {
  type Abi,
  type AbiParameter,
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  parseTransaction,
  size,
} from 'viem'
import { FlowError, sameAddress } from '../provider.ts'

/**
 * Checks every raw transaction before the wallet receives it: the server's transaction must be exactly the
 * one that the member saw. Every function here returns the call for the wallet, and throws
 * `FlowError('mismatch')` with the difference.
 */
export interface Call {
  to: Address
  data: Hex
}

const refuse = (what: string): never => {
  throw new FlowError('mismatch', what)
}

export function need(holds: boolean, what: string) {
  if (!holds) refuse(what)
}

/**
 * The operator's signer is a plain key: r, s and v (EIP-712 over ECDSA), the only form that the bank accepts.
 */
const SIGNATURE_BYTES = 65

/** An ERC-20 approval; the ABI of AMC serves, the selector is the standard's. */
const tokenAbi = amcTokenAbi

interface Target {
  chainId: number
  to: string
}

/**
 * Decodes an unsigned EIP-1559 transaction without value to one contract on one chain, and its canonical
 * calldata.
 */
export function readCall(
  raw: Hex,
  target: Target,
  abi: Abi,
  functionName: string,
): { call: Call; args: readonly unknown[] } {
  const tx = parse(raw)
  need(tx.type === 'eip1559', 'transaction type')
  need(tx.chainId === target.chainId, 'chain')
  need(tx.r === undefined && tx.s === undefined, 'signature on the transaction')
  need((tx.value ?? 0n) === 0n, 'value')
  need((tx.accessList ?? []).length === 0, 'access list')
  const { to, data } = tx
  if (!to || !data || !sameAddress(to, target.to)) return refuse('contract')
  const decoded = decode(abi, data)
  need(decoded.functionName === functionName, 'function')
  const args = decoded.args ?? []
  // Bytes after the arguments, or another encoding of them, would have a meaning that was not checked.
  need(encodeFunctionData({ abi, functionName, args }) === data.toLowerCase(), 'encoding')
  return { call: { to, data }, args }
}

function parse(raw: Hex) {
  try {
    return parseTransaction(raw)
  } catch {
    return refuse('transaction')
  }
}

function decode(abi: Abi, data: Hex): { functionName: string; args: readonly unknown[] | undefined } {
  try {
    return decodeFunctionData({ abi, data }) as { functionName: string; args: readonly unknown[] | undefined }
  } catch {
    return refuse('calldata')
  }
}

export interface ExpectedApproval {
  chainId: number
  token: string
  spender: string
  amount: bigint
}

/** `approve(spender, amount)` of a token, for exactly this amount. */
export function checkApproval(raw: Hex, expected: ExpectedApproval): Call {
  const { call, args } = readCall(raw, { chainId: expected.chainId, to: expected.token }, tokenAbi, 'approve')
  const [spender, amount] = args as [Address, bigint]
  need(sameAddress(spender, expected.spender), 'spender')
  need(amount === expected.amount, 'approved amount')
  return call
}

export interface OrderArgs {
  orderId: bigint
  payer: Address
  package: bigint
  limit: bigint
  usdtAmount: bigint
  amcAmount: bigint
  deadline: bigint
}

export interface ExpectedPayment {
  chainId: number
  bank: string
  orderId: bigint
  payer: string
  /** The level of the package that the bank counts, and the most copies of it in all; 0 and 0 for fund units. */
  package: bigint
  limit: bigint
  usdtAmount: bigint
  amcAmount: bigint
  deadline: bigint
}

export interface CheckedPayment {
  call: Call
  order: OrderArgs
  signature: Hex
}

/**
 * Checks `payOrder(order, signature)` of the bank, with the order, package, amounts, payer and deadline on the page.
 */
export function checkPayment(raw: Hex, expected: ExpectedPayment): CheckedPayment {
  const { call, args } = readCall(
    raw,
    { chainId: expected.chainId, to: expected.bank },
    rifBankAbi,
    'payOrder',
  )
  const [order, signature] = args as [OrderArgs, Hex]
  need(order.orderId === expected.orderId, 'order')
  need(sameAddress(order.payer, expected.payer), 'payer')
  need(order.package === expected.package, 'package')
  need(order.limit === expected.limit, 'limit of copies')
  need(order.usdtAmount === expected.usdtAmount, 'USDT amount')
  need(order.amcAmount === expected.amcAmount, 'AMC amount')
  need(order.deadline === expected.deadline, 'deadline')
  need(size(signature) === SIGNATURE_BYTES, 'signature')
  return { call, order, signature }
}

export interface ExpectedClaim {
  chainId: number
  bank: string
  withdrawalId: bigint
  token: string
  to: string
  amount: bigint
  deadline: bigint
}

export interface CheckedVoucher {
  call: Call
  voucher: { withdrawalId: bigint; token: Address; to: Address; amount: bigint; deadline: bigint }
  signature: Hex
}

/**
 * Checks `claim(voucher, signature)` of the bank, with the withdrawal, token, receiver and amount on the
 * page.
 */
export function checkClaim(raw: Hex, expected: ExpectedClaim): CheckedVoucher {
  const { call, args } = readCall(raw, { chainId: expected.chainId, to: expected.bank }, rifBankAbi, 'claim')
  const [voucher, signature] = args as [CheckedVoucher['voucher'], Hex]
  need(voucher.withdrawalId === expected.withdrawalId, 'withdrawal')
  need(sameAddress(voucher.token, expected.token), 'token')
  need(sameAddress(voucher.to, expected.to), 'receiver')
  need(voucher.amount === expected.amount, 'amount')
  need(voucher.deadline === expected.deadline, 'deadline')
  need(size(signature) === SIGNATURE_BYTES, 'signature')
  return { call, voucher, signature }
}

/**
 * Returns all vouchers in one transaction: `claimMany` composed of checked claims of one bank, at least one.
 */
export function withAllVouchers(claims: readonly CheckedVoucher[]): Call {
  const args = [claims.map(({ voucher }) => voucher), claims.map(({ signature }) => signature)] as const
  return {
    to: claims[0]!.call.to,
    data: encodeFunctionData({ abi: rifBankAbi, functionName: 'claimMany', args }),
  }
}

/** An EIP-2612 permit's signature in parts. */
export interface PermitSignature {
  deadline: bigint
  v: number
  r: Hex
  s: Hex
}

/**
 * Returns the payment with the permit in place of an approval: `payOrderWithPermit` composed of a checked
 * `payOrder`.
 */
export function withPermit(payment: CheckedPayment, permit: PermitSignature): Call {
  const args = [payment.order, payment.signature, permit.deadline, permit.v, permit.r, permit.s] as const
  return {
    to: payment.call.to,
    data: encodeFunctionData({ abi: rifBankAbi, functionName: 'payOrderWithPermit', args }),
  }
}

/**
 * Converts a deadline on the wire to the contract's whole seconds, never later than the deadline on the page.
 * `shown` is the time limit of the order or voucher, or null without one on the page.
 */
export function deadlineSeconds(deadline: string, shown: string | null): bigint {
  const seconds = Math.floor(Date.parse(deadline) / 1000)
  if (shown !== null) need(seconds <= Math.ceil(Date.parse(shown) / 1000), 'deadline')
  return BigInt(seconds)
}

/** A labelled value of something to be signed. */
export interface Line {
  label: string
  value: string
}

const ABIS = [amcTokenAbi, rifBankAbi, rifTransferAbi] as const satisfies readonly Abi[]

/**
 * Returns a call argument by argument, or the bare calldata when no contract of the product has the function.
 */
export function describeCall(data: Hex): { name: string; lines: Line[] } {
  for (const abi of ABIS as readonly Abi[]) {
    try {
      const { functionName, args = [] } = decodeFunctionData({ abi, data })
      const entry = abi.find((item) => item.type === 'function' && item.name === functionName)
      const inputs = entry?.type === 'function' ? entry.inputs : []
      return {
        name: functionName,
        lines: inputs.flatMap((input, index) => argumentLines(input, args[index], '')),
      }
    } catch {
      // Not a function of this contract.
    }
  }
  return { name: data.slice(0, 10), lines: [{ label: 'data', value: data }] }
}

function argumentLines(input: AbiParameter, value: unknown, path: string): Line[] {
  const label = path + (input.name ?? '')
  if ('components' in input && input.type === 'tuple') {
    const fields = value as Record<string, unknown>
    return input.components.flatMap((field) => argumentLines(field, fields[field.name ?? ''], `${label}.`))
  }
  return [{ label, value: String(value) }]
}

/** Returns the fields of EIP-712 typed data, as passed to the wallet. */
export function describeTypedData(json: string): { name: string; lines: Line[] } {
  const { primaryType, domain, message } = JSON.parse(json) as {
    primaryType: string
    domain: Record<string, unknown>
    message: Record<string, unknown>
  }
  const lines = (from: Record<string, unknown>) =>
    Object.entries(from).map(([label, value]) => ({ label, value: String(value) }))
  return { name: primaryType, lines: [...lines(domain), ...lines(message)] }
}
