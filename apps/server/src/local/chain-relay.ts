import type { Gate } from './chain-gate.ts'

/** Answers one JSON-RPC request, or a batch, of a browser. */
export type Relay = (body: unknown) => Promise<unknown>

type Request = { jsonrpc: '2.0'; id: number | string | null; method: string; params: unknown[] }

/** Besides signing. */
const ALLOWED = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getLogs',
  'eth_getStorageAt',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'net_version',
  'web3_clientVersion',
])
/** The position of the signing account in a method's parameters. */
const SIGNING = new Map<string, (params: unknown[]) => unknown>([
  ['eth_sendTransaction', ([tx]) => (tx as { from?: unknown } | null | undefined)?.from],
  ['eth_signTypedData_v4', ([account]) => account],
  ['personal_sign', ([, account]) => account],
])
const MAX_BATCH = 50

const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
const UNAUTHORIZED = 4100

/**
 * Lets browsers use the local chain: reading, sending signed transactions, and signing with the given
 * unlocked accounts (not the first development account, which is the operator's). Nothing else of the node
 * (mining, impersonation, balances) is reachable.
 */
export function createRelay(gate: Pick<Gate, 'forward'>, accounts: readonly string[]): Relay {
  const usable = new Set(accounts.map((account) => account.toLowerCase()))

  async function answer(request: unknown): Promise<unknown> {
    if (!isRequest(request)) return failure(null, INVALID_REQUEST, 'Invalid request')
    const { id, method, params } = request
    if (method === 'eth_accounts') return { jsonrpc: '2.0', id, result: accounts }
    const signer = SIGNING.get(method)
    if (!ALLOWED.has(method) && !signer) {
      return failure(id, METHOD_NOT_FOUND, `The method ${method} is not available`)
    }
    if (signer && !usable.has(String(signer(params)).toLowerCase())) {
      return failure(id, UNAUTHORIZED, 'The requested account has not been authorized by the user.')
    }
    return gate.forward({ jsonrpc: '2.0', id, method, params })
  }

  return async (body) => {
    if (!Array.isArray(body)) return answer(body)
    if (body.length === 0 || body.length > MAX_BATCH) return failure(null, INVALID_REQUEST, 'Invalid request')
    return Promise.all(body.map(answer))
  }
}

function isRequest(value: unknown): value is Request {
  if (typeof value !== 'object' || value === null) return false
  const request = value as Partial<Request>
  request.params ??= []
  return typeof request.method === 'string' && Array.isArray(request.params) && request.id !== undefined
}

function failure(id: Request['id'], code: number, message: string) {
  return { jsonrpc: '2.0', id, error: { code, message } }
}
