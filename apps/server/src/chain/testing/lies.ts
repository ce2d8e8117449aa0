import type { Hex } from 'viem'
import type { RpcAnswer, RpcCall, Tamper } from './rpc-proxy.ts'

type Fields = Record<string, unknown>
type Log = Fields & { topics: Hex[]; data: Hex }
type Receipt = Fields & { logs: Log[] }

/** EIP-1271. */
const IS_VALID_SIGNATURE = '0x1626ba7e'
const EMPTY_BLOOM = `0x${'0'.repeat(512)}`

/** Changes the receipts in an answer, of a whole block or of one transaction. */
function inReceipts(change: (receipt: Receipt) => Receipt): Tamper {
  return (call, answer) => {
    if (call.method === 'eth_getTransactionReceipt' && answer.result)
      return { ...answer, result: change(answer.result as Receipt) }
    if (call.method !== 'eth_getBlockReceipts' || !answer.result) return answer
    return { ...answer, result: (answer.result as Receipt[]).map(change) }
  }
}

/** Changes the headers in an answer. */
function inHeaders(change: (header: Fields) => Fields): Tamper {
  return (call, answer) =>
    call.method.startsWith('eth_getBlockBy') && answer.result
      ? { ...answer, result: change(answer.result as Fields) }
      : answer
}

/** Changes the transactions in the answer of a whole block. */
function inBodies(change: (transaction: Fields) => Fields): Tamper {
  return inHeaders((header) => {
    const { transactions } = header as { transactions: (Fields | string)[] }
    return {
      ...header,
      transactions: transactions.map((transaction) =>
        typeof transaction === 'string' ? transaction : change(transaction),
      ),
    }
  })
}

const isForLogs = ({ method }: RpcCall) => method === 'eth_getLogs' || method === 'eth_getBlockReceipts'

/** A node that says that every wallet is a contract and accepts every signature. */
export const EVERY_SIGNATURE_IS_VALID: Tamper = ({ method, params }, answer) => {
  if (method === 'eth_getCode') return { id: answer.id, result: '0x01' }
  const [{ to, data, input = data } = {}] = params as { to?: Hex; data?: Hex; input?: Hex }[]
  if (method !== 'eth_call') return answer
  if (to === undefined || to === null) return { id: answer.id, result: '0x01' }
  if (input?.startsWith(IS_VALID_SIGNATURE))
    return { id: answer.id, result: IS_VALID_SIGNATURE.padEnd(66, '0') }
  return answer
}

/** A node that says that no wallet is a contract and that none accepts a signature. */
export const NO_SIGNATURE_IS_VALID: Tamper = ({ method }, answer) =>
  method === 'eth_getCode' || method === 'eth_call' ? { id: answer.id, result: '0x' } : answer

/** The false answers of a node about its blocks; each hides, changes or invents an event. */
export const LIES: Readonly<Record<string, Tamper>> = {
  'no logs and no receipts': (call, answer): RpcAnswer =>
    isForLogs(call) ? { ...answer, result: [] } : answer,
  'receipts without logs': inReceipts((receipt) => ({ ...receipt, logs: [], logsBloom: EMPTY_BLOOM })),
  'a log less': inReceipts((receipt) => ({ ...receipt, logs: receipt.logs.slice(1) })),
  'an invented log': inReceipts((receipt) => ({ ...receipt, logs: [...receipt.logs, ...receipt.logs] })),
  'a changed amount': inReceipts((receipt) => ({
    ...receipt,
    logs: receipt.logs.map((log) => ({ ...log, data: log.data.replace(/1/, '2') as Hex })),
  })),
  'another hash of a transaction': inBodies((transaction) => ({ ...transaction, nonce: '0x7' })),
  'a header with an empty bloom': inHeaders((header) => ({ ...header, logsBloom: EMPTY_BLOOM })),
  'a header with another time': inHeaders((header) => ({ ...header, timestamp: '0x1' })),
}
