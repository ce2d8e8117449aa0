import type { AppConfig } from '@rif/api-schema'
import { rifBankAbi } from '@rif/contracts/abi'
import { encodeFunctionData } from 'viem'
import { sessionStore } from '../lib/session.ts'
import { ensureChain } from './chain.ts'
import { activeProvider } from './connection.ts'

/**
 * Has the wallet stop the payment of orders, or of claims, in the bank contract; answers the hash. The contract lets its
 * pausers only: a wallet that is none fails before anything is sent. Throws what the wallet throws, and `FlowError`.
 */
export async function pauseBank(config: AppConfig, what: 'orders' | 'claims'): Promise<string> {
  const provider = await activeProvider(config)
  await ensureChain(provider, config.chain)
  const functionName = what === 'orders' ? 'pauseOrders' : 'pauseClaims'
  const tx = {
    from: sessionStore.get().tokenAddress,
    to: config.contracts.bank,
    data: encodeFunctionData({ abi: rifBankAbi, functionName }),
  }
  await provider.request({ method: 'eth_call', params: [tx, 'latest'] })
  return (await provider.request({ method: 'eth_sendTransaction', params: [tx] })) as string
}
