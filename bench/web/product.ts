import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stringToHex } from 'viem'
import { createSiweMessage } from 'viem/siwe'

const START_TIMEOUT_MS = 120_000
const PROGRAM = new URL('../../apps/server/src/cli/rif.ts', import.meta.url).pathname

/**
 * Starts the built product with its demonstration, on its own port and in its own folder, with further
 * settings.
 */
export async function startProduct(port: number, settings: Readonly<Record<string, string>> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-web-'))
  const baseUrl = `http://localhost:${port}`
  const child = spawn(process.execPath, [PROGRAM, 'start'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // From the start on: the exit of a product that ends by itself is reported only once, and `stop` would wait for it in vain.
  const ended = once(child, 'exit')
  await isReady(child, `${baseUrl}/ready`)
  return {
    baseUrl,
    async stop() {
      if (!child.kill('SIGTERM')) process.stderr.write(`the product ended by itself: ${await ended}\n`)
      await ended
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function isReady(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (child.exitCode === null && Date.now() < deadline) {
    const ready = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) return
    await sleep(200)
  }
  throw new Error('the product does not start; `npm run build` first')
}

/**
 * Signs in the n-th member of the demonstration, from 0. Returns the session as the app stores it in local
 * storage.
 */
export async function signInDemoMember(baseUrl: string, index = 0): Promise<Record<string, string>> {
  // biome-ignore lint/suspicious/noExplicitAny: answers of the product's own API
  const call = async (path: string, body?: unknown): Promise<any> => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    const answer = await fetch(`${baseUrl}${path}`, body === undefined ? {} : init)
    return answer.json()
  }
  const { data: config } = await call('/api/v1/config')
  const { address } = config.demo.filter((wallet: { member: boolean }) => wallet.member)[index]
  const { data: nonce } = await call(`/api/v1/nonce?address=${address}`)
  const message = createSiweMessage({
    address,
    chainId: nonce.chain_id,
    domain: nonce.domain,
    uri: nonce.uri,
    statement: nonce.statement,
    nonce: nonce.nonce,
    version: '1',
    issuedAt: new Date(),
    resources: [nonce.terms_uri],
    expirationTime: new Date(nonce.expires_at),
  })
  const params = [stringToHex(message), address]
  const { result: signature } = await call('/rpc', { jsonrpc: '2.0', id: 1, method: 'personal_sign', params })
  const { data: session, msg } = await call('/api/v1/auth', { message, signature })
  if (!session.token) throw new Error(`sign-in of the demonstration's member: ${msg}`)
  return { token: session.token, token_address: session.address, wallet_id: 'demo' }
}
