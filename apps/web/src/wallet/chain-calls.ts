import type { AppConfig } from '@rif/api-schema'
import { OTHER_TIMEOUT_MS } from '../lib/api-routes.ts'

/** Reads of the chain by JSON-RPC that start before the app has loaded; imports nothing heavy. */

/** A method with its parameters. */
export type ChainCall = readonly [method: string, params: readonly unknown[]]

/** The selector of `balanceOf(address)` (ERC-20). */
const BALANCE_OF = '0x70a08231'
const WORD_DIGITS = 64

/** Returns the calls that read a wallet's ETH, USDT and AMC. */
export function balanceCalls(
  { contracts }: Pick<AppConfig, 'contracts'>,
  owner: string,
): readonly ChainCall[] {
  const data = BALANCE_OF + owner.slice(2).toLowerCase().padStart(WORD_DIGITS, '0')
  return [
    ['eth_getBalance', [owner, 'latest']],
    ['eth_call', [{ to: contracts.usdt, data }, 'latest']],
    ['eth_call', [{ to: contracts.amc, data }, 'latest']],
  ]
}

let requestId = 1

/** Sends a call to a node. Rejects when it cannot be reached within the time limit. */
export const askChain = (url: string, [method, params]: ChainCall): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: requestId++, method, params }),
    signal: AbortSignal.timeout(OTHER_TIMEOUT_MS),
  })

/** The responses that were requested while the app was loading, by call; null once the app has asked itself. */
const answers = new Map<string, Promise<Response> | null>()

/** Sends calls before the app has loaded, except those that the app was the first to send. */
export function sendEarly(url: string, calls: readonly ChainCall[]) {
  for (const call of calls) {
    const key = JSON.stringify(call)
    if (answers.has(key)) continue
    const answer = askChain(url, call)
    // The caller that takes the response handles its failure.
    answer.catch(() => undefined)
    answers.set(key, answer)
  }
}

/** Returns the response to a call that was sent early, only once; undefined when there is none. */
export function takeSent(call: ChainCall): Promise<Response> | undefined {
  const key = JSON.stringify(call)
  const answer = answers.get(key)
  answers.set(key, null)
  return answer ?? undefined
}
