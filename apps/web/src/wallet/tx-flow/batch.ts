import type { Address, Hex } from 'viem'
import type { WalletProvider } from '../eip1193.ts'
import { RPC } from '../eip1193.ts'
import { walletProblem } from '../errors.ts'
import type { Call } from './decode.ts'
import { pause, type TxOutcome } from './follow.ts'

const POLL_MS = 1000

/** Hands the wallet all calls as one atomic batch (EIP-5792); answers the batch's id. */
export async function sendBatch(
  provider: WalletProvider,
  chainId: number,
  from: Address,
  calls: readonly Call[],
): Promise<string> {
  const answer = await provider.request({
    method: 'wallet_sendCalls',
    params: [
      {
        version: '2.0.0',
        chainId: `0x${chainId.toString(16)}`,
        from,
        atomicRequired: true,
        calls: calls.map(({ to, data }) => ({ to, data, value: '0x0' })),
      },
    ],
  })
  return typeof answer === 'string' ? answer : (answer as { id: string }).id
}

/** Whether a batch failed only because the wallet cannot or may not do batches: then the single steps are tried. */
export function isBatchUnsupported(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return (
    walletProblem(error) === 'unsupported' ||
    code === RPC.upgradeRejected ||
    (typeof code === 'number' && code >= 5700 && code < 5770)
  )
}

/** Follows a batch to its end; answers the hash of its last transaction too. */
export async function followBatch(
  provider: WalletProvider,
  id: string,
  signal: AbortSignal,
): Promise<{ outcome: TxOutcome; hash: Hex | null }> {
  for (;;) {
    const answer = (await provider.request({ method: 'wallet_getCallsStatus', params: [id] })) as {
      status: number
      receipts?: { transactionHash: Hex }[]
    }
    const hash = answer.receipts?.at(-1)?.transactionHash ?? null
    if (answer.status >= 200 && answer.status < 300) return { outcome: 'mined', hash }
    if (answer.status >= 400) return { outcome: 'reverted', hash }
    await pause(POLL_MS, signal)
  }
}
