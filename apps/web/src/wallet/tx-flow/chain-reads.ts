import type { AppConfig } from '@rif/api-schema'
import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import {
  type Address,
  type Chain,
  createPublicClient,
  custom,
  defineChain,
  type Hex,
  type PublicClient,
  parseSignature,
} from 'viem'
import { getCapabilities } from 'viem/actions'
import { FlowError, type WalletProvider } from '../provider.ts'
import type { PermitSignature } from './decode.ts'
import type { Method, TokenFacts } from './payment-plan.ts'

/**
 * Reads the chain through the member's own wallet, so that the reads match the state on which the wallet will
 * act.
 */
export function createChainClient(provider: WalletProvider, config: Pick<AppConfig, 'chain'>): PublicClient {
  return createPublicClient({ chain: chainOf(config), transport: custom(provider, { retryCount: 0 }) })
}

function chainOf({ chain }: Pick<AppConfig, 'chain'>): Chain {
  return defineChain({
    id: chain.id,
    name: chain.name,
    nativeCurrency: chain.native,
    rpcUrls: { default: { http: [chain.rpc_url] } },
  })
}

/** Reads an owner's balance of a token and the bank's allowance, with the needed amount. */
export async function readTokenFacts(
  client: PublicClient,
  token: Address,
  owner: Address,
  bank: Address,
  needed: bigint,
): Promise<TokenFacts> {
  const [balance, allowance] = await Promise.all([
    client.readContract({ address: token, abi: amcTokenAbi, functionName: 'balanceOf', args: [owner] }),
    client.readContract({ address: token, abi: amcTokenAbi, functionName: 'allowance', args: [owner, bank] }),
  ])
  return { needed, balance, allowance }
}

/** Reads whether this payer has paid an order of this id. */
export const readOrderPaid = (client: PublicClient, bank: Address, orderId: bigint, payer: Address) =>
  client.readContract({ address: bank, abi: rifBankAbi, functionName: 'orderPaid', args: [orderId, payer] })

/** Reads the copies of a package that were paid to the bank and the banks before it. */
export const readCopiesPaid = (client: PublicClient, bank: Address, level: bigint) =>
  client.readContract({ address: bank, abi: rifBankAbi, functionName: 'copiesPaid', args: [level] })

/** The terms that the bank pays once: a voucher without its deadline. `amount` is in base units. */
export interface ClaimTerms {
  withdrawalId: bigint
  token: Address
  to: Address
  amount: bigint
}

/** Reads whether a claim with exactly these terms was paid. */
export const readClaimed = (client: PublicClient, bank: Address, terms: ClaimTerms) =>
  client.readContract({
    address: bank,
    abi: rifBankAbi,
    functionName: 'claimed',
    args: [terms.withdrawalId, terms.token, terms.to, terms.amount],
  })

const LOOK_BACK_BLOCKS = 1000n

/**
 * Returns the transaction in which a payer paid an order, within the last blocks; null when it is older or
 * the wallet has no logs.
 */
export async function findPayment(
  client: PublicClient,
  bank: Address,
  orderId: bigint,
  payer: Address,
): Promise<Hex | null> {
  try {
    const latest = await client.getBlockNumber()
    const [event] = await client.getContractEvents({
      address: bank,
      abi: rifBankAbi,
      eventName: 'OrderPaid',
      args: { orderId, payer },
      fromBlock: latest > LOOK_BACK_BLOCKS ? latest - LOOK_BACK_BLOCKS : 0n,
    })
    return event?.transactionHash ?? null
  } catch {
    return null
  }
}

/** EIP-7702: an ordinary account that has code by delegation; it still signs for itself. */
const DELEGATION_PREFIX = '0xef0100'

/**
 * Returns the payment methods of this account. A capability that the wallet does not report counts as absent.
 */
export async function readMethod(client: PublicClient, account: Address): Promise<Method> {
  if (await offersAtomicBatch(client, account)) return 'batch'
  const code = await client.getCode({ address: account })
  const isContract = code !== undefined && code !== '0x' && !code.startsWith(DELEGATION_PREFIX)
  // A contract cannot sign a permit: the token recovers the signer from the signature.
  return isContract ? 'plain' : 'permit'
}

async function offersAtomicBatch(client: PublicClient, account: Address): Promise<boolean> {
  try {
    const { atomic } = await getCapabilities(client, { account, chainId: client.chain!.id })
    return atomic?.status === 'supported' || atomic?.status === 'ready'
  } catch {
    return false
  }
}

export interface PermitRequest {
  chainId: number
  token: Address
  owner: Address
  spender: Address
  value: bigint
  deadline: bigint
}

const TYPES = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
}

/**
 * Returns the typed data of an EIP-2612 permit in the form of `eth_signTypedData_v4`: numbers as decimal
 * text.
 */
export function permitTypedData(request: PermitRequest, name: string, version: string, nonce: bigint) {
  return {
    types: TYPES,
    primaryType: 'Permit',
    domain: { name, version, chainId: request.chainId, verifyingContract: request.token },
    message: {
      owner: request.owner,
      spender: request.spender,
      value: request.value.toString(),
      nonce: nonce.toString(),
      deadline: request.deadline.toString(),
    },
  }
}

/** Requests a permit for exactly this value from the wallet. Throws the wallet's error. */
export async function signPermit(
  provider: WalletProvider,
  client: PublicClient,
  request: PermitRequest,
): Promise<PermitSignature> {
  const token = { address: request.token, abi: amcTokenAbi } as const
  const [[, name, version, chainId, verifyingContract], nonce] = await Promise.all([
    client.readContract({ ...token, functionName: 'eip712Domain' }),
    client.readContract({ ...token, functionName: 'nonces', args: [request.owner] }),
  ])
  const isOurs =
    chainId === BigInt(request.chainId) && verifyingContract.toLowerCase() === request.token.toLowerCase()
  if (!isOurs) throw new FlowError('mismatch', 'permit domain')
  const typedData = permitTypedData(request, name, version, nonce)
  const signature = await provider.request({
    method: 'eth_signTypedData_v4',
    params: [request.owner, JSON.stringify(typedData)],
  })
  const { r, s, yParity } = parseSignature(signature as Hex)
  return { deadline: request.deadline, v: yParity + 27, r, s }
}
