import type { AppConfig } from '@rif/api-schema'
import { rifBankAbi } from '@rif/contracts/abi'
import { encodeFunctionData, type Hex, keccak256, toBytes } from 'viem'
import { sessionStore } from '../lib/session.ts'
import { ensureChain } from './chain.ts'
import { activeProvider } from './connection.ts'

/** What the bank contract's pausers and its default admin switch. */
export type BankSwitch = 'pauseOrders' | 'unpauseOrders' | 'dismissClaimSigner' | 'appointClaimSigner'

const CLAIM_SIGNER_ROLE = keccak256(toBytes('CLAIM_SIGNER_ROLE'))
const POLL_MS = 1_000
const POLLS = 90

function dataOf(what: BankSwitch, signer: Hex): Hex {
  const abi = rifBankAbi
  switch (what) {
    case 'dismissClaimSigner':
      return encodeFunctionData({ abi, functionName: what, args: [signer] })
    case 'appointClaimSigner':
      return encodeFunctionData({ abi, functionName: 'grantRole', args: [CLAIM_SIGNER_ROLE, signer] })
    default:
      return encodeFunctionData({ abi, functionName: what })
  }
}

/**
 * Has the wallet send one of these calls to the bank, and waits until it is in a block; false when that takes longer than
 * it should. The contract lets the holders of its roles only: another wallet fails before anything is sent. Throws what the
 * wallet throws, `FlowError`, and an error when the transaction was undone.
 */
export async function callBank(config: AppConfig, what: BankSwitch, signer: string): Promise<boolean> {
  const provider = await activeProvider(config)
  await ensureChain(provider, config.chain)
  const tx = {
    from: sessionStore.get().tokenAddress,
    to: config.contracts.bank,
    data: dataOf(what, signer as Hex),
  }
  await provider.request({ method: 'eth_call', params: [tx, 'latest'] })
  const hash = await provider.request({ method: 'eth_sendTransaction', params: [tx] })
  for (let left = POLLS; left > 0; left--) {
    const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (receipt !== null) {
      if ((receipt as { status: string }).status !== '0x1') throw new Error('the transaction was undone')
      return true
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return false
}
