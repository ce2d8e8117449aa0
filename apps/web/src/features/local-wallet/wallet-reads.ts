import type { AppConfig } from '@rif/api-schema'
import { amcTokenAbi } from '@rif/contracts/abi'
import type { Address, PublicClient } from 'viem'
import { activeProvider } from '../../wallet/connection.ts'
import { createChainClient } from '../../wallet/tx-flow/chain-reads.ts'
import {
  approvalCall,
  type SendCall,
  sendCallOf,
  tokenOf,
  unitsOf,
  type WalletSendDraft,
} from './send-plan.ts'

const NO_REFERENCE = `0x${'0'.repeat(64)}` as const

/** Returns the transfer contract's allowance of a token from an owner. */
export const readAllowance = (
  client: PublicClient,
  config: AppConfig,
  asset: 'USDT' | 'AMC',
  owner: Address,
) =>
  client.readContract({
    address: tokenOf(config, asset),
    abi: amcTokenAbi,
    functionName: 'allowance',
    args: [owner, config.contracts.transfer as Address],
  })

/**
 * The gas of the transfer contract in addition to the token's own transfer; it cannot be estimated before the
 * approval.
 */
const CONTRACT_GAS = 60_000n

/** Estimates the network fee of a send, in wei. Throws the node's error when the send would fail. */
export async function estimateFee(config: AppConfig, owner: string, draft: WalletSendDraft): Promise<bigint> {
  const client = createChainClient(await activeProvider(config), config)
  const account = owner as Address
  const gasOf = ({ to, data, value }: SendCall) => client.estimateGas({ account, to, data, value })
  const { maxFeePerGas } = await client.estimateFeesPerGas()
  const plain = await gasOf(sendCallOf(config, { ...draft, byContract: false }, NO_REFERENCE))
  if (!draft.byContract || draft.asset === 'ETH') return plain * maxFeePerGas
  const approval = await gasOf(approvalCall(config, draft.asset, unitsOf(config, draft.asset, draft.amount)))
  return (plain + approval + CONTRACT_GAS) * maxFeePerGas
}
