import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, type PublicClient, parseTransaction } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'

/**
 * An HTTP call of a member: its start, its duration, and the status of the response, or 0 without a response.
 */
export interface Call {
  readonly at: number
  readonly ms: number
  readonly path: string
  readonly status: number
  /** The error code of a refusal; `none` without a response. */
  readonly error: string | null
}

// biome-ignore lint/suspicious/noExplicitAny: the data of many routes
type Data = any

export interface Answer {
  readonly status: number
  readonly error: string | null
  readonly data: Data
}

const CALL_TIMEOUT_MS = 15_000
const RETRY_MS = 250
/** Longer than the longest fault: a transaction sent just before the chain node stops is mined only when it runs again. */
const RECEIPT_TIMEOUT_MS = 180_000

/** The browser and wallet of a member. Every call is recorded in `calls`. */
export interface Browser {
  readonly account: PrivateKeyAccount
  /**
   * Repeats a call under one idempotency key until the server responds with success or a refusal. Signs with
   * the wallet if the server requires it.
   */
  ask(path: string, body?: object): Promise<Answer>
  /** Makes one call, without retries. */
  try(path: string, body?: object): Promise<Answer>
  signIn(inviteCode?: string): Promise<void>
  /** Tries once to sign in as a wallet with any signature. */
  enterAs(address: Hex, signature: Hex): Promise<Answer>
  /** Signs and sends raw transactions in order, waits for their receipts, and returns the last hash. */
  send(txs: readonly Hex[]): Promise<Hex>
}

/** Returns the message that a wallet signs to sign in. */
function messageOf(terms: Data, address: Hex): string {
  const { nonce, domain, uri, chain_id: chainId, statement, terms_uri: termsUri } = terms
  return createSiweMessage({
    address,
    nonce,
    domain,
    uri,
    chainId,
    statement,
    version: '1',
    issuedAt: new Date(),
    resources: [termsUri],
  })
}

export function createBrowser(deps: {
  address: string
  account: PrivateKeyAccount
  client: PublicClient
  sendRaw: (raw: Hex) => Promise<Hex>
  /** Returns why a transaction reverted. */
  trace: (hash: Hex) => Promise<string>
  calls: Call[]
  stopped: AbortSignal
}): Browser {
  const { address, account, client, calls, stopped } = deps
  let token: string | null = null

  async function callOnce(
    path: string,
    body: object | undefined,
    key: string,
  ): Promise<Answer & { retryMs: number }> {
    const at = performance.now()
    const record = (status: number, error: string | null) =>
      calls.push({
        at,
        ms: performance.now() - at,
        path: path.replace(/\d+/g, ':id').split('?')[0]!,
        status,
        error,
      })
    try {
      const response = await fetch(`${address}/api/v1/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
        headers: {
          ...(token !== null && { authorization: `Bearer ${token}`, 'x-wallet-address': account.address }),
          'idempotency-key': key,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const { data } = (await response.json()) as { data: Data }
      const error = response.status === 200 ? null : String(data?.error ?? response.status)
      record(response.status, error)
      const retryMs = Number(response.headers.get('retry-after') ?? 0) * 1000
      return { status: response.status, error, data, retryMs }
    } catch {
      record(0, 'none')
      return { status: 0, error: 'none', data: null, retryMs: 0 }
    }
  }

  /** Signs with the wallet what the server requires, and repeats the call. */
  async function withConsent(call: typeof askOnce, path: string, body?: object): Promise<Answer> {
    const answer = await call(path, body)
    if (answer.error !== 'SIGNATURE_REQUIRED') return answer
    const { typed_data: typedData, ...signed } = answer.data.details
    const signature = await account.signTypedData(JSON.parse(typedData))
    return call(path, { ...body, signed: { ...signed, signature } })
  }

  const ask = (path: string, body?: object) => withConsent(askOnce, path, body)

  async function askOnce(path: string, body?: object): Promise<Answer> {
    const key = randomUUID()
    for (;;) {
      const answer = await callOnce(path, body, key)
      const isAnswered = answer.status !== 0 && answer.status !== 429 && answer.status < 500
      if (isAnswered || stopped.aborted) return answer
      await sleep(Math.max(RETRY_MS, Math.min(answer.retryMs, 5000)))
    }
  }

  return {
    account,
    ask,
    try: (path, body) => withConsent((...call) => callOnce(call[0], call[1], randomUUID()), path, body),
    async enterAs(other, signature) {
      const terms = await callOnce(`nonce?address=${other}`, undefined, randomUUID())
      if (terms.status !== 200) return terms
      return callOnce('auth', { message: messageOf(terms.data, other), signature }, randomUUID())
    },
    async signIn(inviteCode) {
      const terms = (await ask(`nonce?address=${account.address}`)).data
      const message = messageOf(terms, account.address)
      const signature = await account.signMessage({ message })
      const answer = await ask('auth', { message, signature, ...(inviteCode && { invite_code: inviteCode }) })
      if (answer.status !== 200) throw new Error(`sign-in: ${answer.error}`)
      token = answer.data.token
    },
    async send(txs) {
      let hash: Hex = '0x'
      for (const raw of txs) {
        const { to, data } = parseTransaction(raw)
        const nonce = await client.getTransactionCount({ address: account.address })
        const signed = await account.signTransaction({
          type: 'eip1559',
          chainId: 42_161,
          to: to!,
          data: data ?? '0x',
          nonce,
          gas: 2_000_000n,
          maxFeePerGas: 20_000_000_000n,
          maxPriorityFeePerGas: 1_000_000_000n,
        })
        hash = await deps.sendRaw(signed)
        const receipt = await client.waitForTransactionReceipt({
          hash,
          checkReplacement: false,
          timeout: RECEIPT_TIMEOUT_MS,
          pollingInterval: 200,
        })
        if (receipt.status !== 'success') {
          const trace = await deps.trace(hash)
          throw new Error(`transaction to ${to} with ${data?.slice(0, 10)} reverted: ${trace}`)
        }
      }
      return hash
    },
  }
}
