import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { signRecoverable } from 'tiny-secp256k1'
import { Pool } from 'undici'
import { bytesToHex, hashMessage, hexToBytes } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { type Caller, KINDS, type Kind, type LoadOrder, type LoadReport, WEIGHTS } from './load.ts'

// The load in a separate process, so that it does not share an event loop with the server.
let isEnded = false
process.on('message', async (order: LoadOrder | 'end') => {
  isEnded = order === 'end'
  if (order !== 'end') process.send!(await run(order))
})

const BUSY = 503
const BUSY_PAUSE_MS = 50

// `fetch` takes several times the processor time of this client, which the server and the database would lack.
async function request(
  pool: Pool,
  path: string,
  caller: Caller,
  key: string,
  body?: object,
): Promise<Answer> {
  const { body: answer } = await pool.request({
    path,
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${caller.token}`,
      'x-wallet-address': caller.address,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as Answer
}

interface Answer {
  readonly code: number
  readonly data: Record<string, string>
}

/** Signs a text (EIP-191) with libsecp256k1, which takes a tenth of the processor time of viem's BigInts. */
function signed(message: string, key: `0x${string}`): `0x${string}` {
  const { signature, recoveryId } = signRecoverable(hexToBytes(hashMessage(message)), hexToBytes(key))
  return bytesToHex(Uint8Array.of(...signature, 27 + recoveryId))
}

async function run({ address, callers, connections, seconds = Infinity }: LoadOrder): Promise<LoadReport> {
  const pool = new Pool(address, { connections })
  const latenciesMs: number[] = []
  const errors: string[] = []
  let operations = 0
  let busy = 0
  const end = performance.now() + seconds * 1000

  async function ask(caller: Caller, path: string, body?: object) {
    const begun = performance.now()
    const key = randomUUID()
    const send = () => request(pool, `/api/v1/${path}`, caller, key, body)
    let answer = await send()
    // Calls are retried when the server is too busy, as in the app; the pauses are part of the measured time.
    while (answer.code === BUSY) {
      busy++
      await sleep(BUSY_PAUSE_MS)
      answer = await send()
    }
    latenciesMs.push(performance.now() - begun)
    if (answer.code !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.data
  }

  const amount = '0.777777'
  const operate: Record<Kind, (caller: Caller) => Promise<unknown>> = {
    async signIn(caller) {
      const terms = await ask(caller, `nonce?address=${caller.address}`)
      const message = createSiweMessage({
        address: caller.address,
        nonce: terms.nonce!,
        domain: terms.domain!,
        uri: terms.uri!,
        chainId: Number(terms.chain_id),
        statement: terms.statement!,
        version: '1',
        issuedAt: new Date(),
        resources: [terms.terms_uri!],
      })
      await ask(caller, 'auth', { message, signature: signed(message, caller.key) })
    },
    read: (caller) => ask(caller, 'me'),
    transfer: (caller) => ask(caller, 'transfer', { asset: 'USDT', amount: '1', address: caller.other }),
    async order(caller) {
      const { order_id } = await ask(caller, 'order', { product_id: caller.product })
      await ask(caller, 'order/cancel', { order_id })
    },
    async savings(caller) {
      await ask(caller, 'savings/in', { asset: 'USDT', amount })
      await ask(caller, 'savings/out', { asset: 'USDT', amount })
    },
  }
  const deck = KINDS.flatMap((kind) => Array<Kind>(WEIGHTS[kind]).fill(kind))

  async function connection(number: number): Promise<void> {
    // Each connection has its own members, because two concurrent orders of one member would be refused.
    const own = callers.filter((_, index) => index % connections === number)
    for (let turn = 0; performance.now() < end && !isEnded; turn++) {
      const caller = own[turn % own.length]!
      const kind = deck[Math.floor(Math.random() * deck.length)]!
      await operate[kind](caller).then(
        () => operations++,
        (error: unknown) => errors.push(String(error)),
      )
    }
  }
  const begun = performance.now()
  const cpu = process.cpuUsage()
  await Promise.all(Array.from({ length: connections }, (_, number) => connection(number)))
  const perSecond = (operations * 1000) / (performance.now() - begun)
  const { user, system } = process.cpuUsage(cpu)
  const loadMs = (user + system) / 1_000 / operations
  await pool.close()
  latenciesMs.sort((a, b) => a - b)
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? 0
  return {
    perSecond,
    operations,
    loadMs,
    requests: latenciesMs.length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    busy,
    errors,
  }
}
