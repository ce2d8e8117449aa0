import { amcTokenAbi } from '@rif/contracts/abi'
import { type Address, type Hex, type PublicClient, parseSignature } from 'viem'
import type { WalletProvider } from '../eip1193.ts'
import { FlowError } from '../errors.ts'
import type { PermitSignature } from './decode.ts'

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

/** The typed data of an EIP-2612 permit, as `eth_signTypedData_v4` takes it: numbers as decimal text. */
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

/** Has the member sign a permit for exactly this value. Throws what the wallet throws. */
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
