import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { processIdentity } from '../local/processes.ts'
import { type ProductProcess, runProductProcess } from '../testing/product-process.ts'
import { WAIT } from '../testing/wait.ts'

// Every test starts whole products, which takes long on a busy machine.

let dataDir: string
let product: ProductProcess
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'rif-recovery-'))
  await start()
})
afterAll(async () => {
  product.child.kill('SIGINT')
  await product.ended
  await rm(dataDir, { recursive: true, force: true })
})

async function start(): Promise<void> {
  product = await runProductProcess('start', { DATA_DIR: dataDir, DEMO_DAYS: 'none' })
  await product.ready()
}

async function pids(): Promise<{ node: number; postgres: number; anvil: number; signer: number }> {
  const read = (path: string) => readFile(join(dataDir, path), 'utf8')
  return {
    node: JSON.parse(await read('running.json')).pid,
    postgres: Number((await read('postgres/postmaster.pid')).split('\n')[0]),
    anvil: JSON.parse(await read('chain/anvil-pid.json')).pid,
    signer: JSON.parse(await read('signer/decisions.jsonl.lock')).pid,
  }
}

async function rpc<T>(method: string, params: unknown[] = []): Promise<T> {
  const response = await fetch(`${product.address}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
  if (error) throw new Error(error.message)
  return result
}

/** Runs a statement as the owner of the database, because the application's login may not. */
async function inDatabase(statement: string): Promise<void> {
  const { databaseUrl } = JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8'))
  const url = new URL(databaseUrl)
  expect(url.username).toBe('rif_app')
  url.username = 'rif_owner'
  url.password = (await readFile(join(dataDir, 'postgres-logins', 'rif_owner'), 'utf8')).trim()
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** A transaction sent by a browser: once answered, it must never be lost. */
async function pay(): Promise<{ hash: string; blockHash: string }> {
  const [from, to] = await rpc<[string, string]>('eth_accounts')
  const hash = await rpc<string>('eth_sendTransaction', [{ from, to, value: '0x1' }])
  return rpc<{ hash: string; blockHash: string }>('eth_getTransactionByHash', [hash])
}

async function rootMember(): Promise<unknown> {
  // On a busy machine a read may be answered with 503, and is repeated.
  const answer = await vi.waitFor(async () => {
    const response = await fetch(`${product.address}/api/v1/config`)
    expect(response.status).toBe(200)
    return response.json()
  }, WAIT)
  const { data } = answer as {
    data: { demo: { address: string; member: boolean }[]; contracts: unknown }
  }
  return { contracts: data.contracts, members: data.demo.filter(({ member }) => member) }
}

type Victim = 'node' | 'postgres' | 'anvil' | 'everything'

async function losesNothing(victim: Victim): Promise<void> {
  const before = await rootMember()
  const paid = await Promise.all([pay(), pay(), pay()])
  const running = await pids()
  const killed = victim === 'everything' ? Object.values(running) : [running[victim]]
  for (const pid of killed) process.kill(pid, 'SIGKILL')
  const code = await product.ended
  if (victim === 'postgres' || victim === 'anvil') {
    expect(code).toBe(1)
    const name = victim === 'postgres' ? 'PostgreSQL' : 'the local chain'
    expect(product.errors()).toBe(`rif: ${name} was ended by SIGKILL\n`)
  }
  await start()
  expect(await rootMember()).toEqual(before)
  for (const { hash, blockHash } of paid) {
    expect(await rpc('eth_getTransactionByHash', [hash])).toMatchObject({ blockHash })
  }
  for (const pid of Object.values(running)) expect(await processIdentity(pid)).toBeUndefined()
}

it('loses nothing when everything is killed', () => losesNothing('everything'))

it.each<Victim>(['node', 'postgres', 'anvil'])(
  'loses nothing when %s is killed',
  { tags: ['full'] },
  losesNothing,
)

it('restarts a killed signer, and continues in the meantime', { tags: ['full'] }, async () => {
  const before = await pids()
  process.kill(before.signer, 'SIGKILL')
  await vi.waitFor(async () => {
    const { parts } = (await (await fetch(`${product.address}/status`)).json()) as {
      parts: { signer: unknown }
    }
    expect(parts.signer).toEqual({ ok: true })
    expect((await pids()).signer).not.toBe(before.signer)
  }, WAIT)
  expect(await pids()).toMatchObject({ node: before.node, postgres: before.postgres, anvil: before.anvil })
  expect(await processIdentity(before.signer)).toBeUndefined()
})

/**
 * Stops a process and all its children, and returns their ids. The kernel's list of children can omit some
 * while others end, so it is read until it lists nobody new; a stopped parent starts no more.
 */
async function stopFamily(parent: number): Promise<number[]> {
  process.kill(parent, 'SIGSTOP')
  const all = [parent]
  for (let sameReads = 0; sameReads < 3; sameReads++) {
    const children = (await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8'))
      .split(' ')
      .filter(Boolean)
    const others = children.map(Number).filter((pid) => !all.includes(pid))
    for (const pid of others) process.kill(pid, 'SIGSTOP')
    if (others.length > 0) sameReads = 0
    all.push(...others)
  }
  return all
}

it('answers 503 while PostgreSQL is stopped, and recovers by itself', { tags: ['full'] }, async () => {
  const { postgres } = await pids()
  const calls = ['api/v1/invitation?code=AAAAAAAA', `api/v1/nonce?address=0x${'1'.repeat(40)}`, 'ready']
  const timed = async (path: string) => {
    const begun = performance.now()
    const { status } = await fetch(`${product.address}/${path}`)
    return { path, status, begun }
  }
  const all = await stopFamily(postgres)
  const stopped = performance.now()
  try {
    while (performance.now() < stopped + 2_500) {
      for (const { path, status, begun } of await Promise.all(calls.map(timed))) {
        // The readiness result is cached for a second.
        if (path !== 'ready' || begun > stopped + 1_500) expect(status, path).toBe(503)
      }
      await sleep(200)
    }
  } finally {
    for (const pid of all.reverse()) process.kill(pid, 'SIGCONT')
  }
  for (const path of calls)
    await vi.waitFor(async () => expect((await timed(path)).status).not.toBe(503), WAIT)
})

it('holds no key in its environment or its settings in memory, and the signer holds only its own', {
  tags: ['full'],
}, async () => {
  const { node, signer } = await pids()
  const environment = async (pid: number) => (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0')
  const keys = JSON.parse(await readFile(join(dataDir, 'chain', 'operator-keys.json'), 'utf8'))
  for (const pid of [node, signer]) {
    const text = (await environment(pid)).join('\n')
    for (const key of Object.values(keys) as string[]) expect(text).not.toContain(key.slice(2))
  }
  const names = (await environment(signer)).map((variable) => variable.split('=')[0])
  expect(names).toContain('SIGNER_DATABASE_URL')
  expect(names).not.toContain('DATABASE_URL')
})

it('refuses a second product in its folder', async () => {
  const second = await runProductProcess('start', { DATA_DIR: dataDir })
  expect(await second.ended).toBe(1)
  expect(second.output()).toMatch(/^rif: the product is running already with DATA_DIR .*\n$/)
})

it('refuses a port in use', async () => {
  const second = await runProductProcess('start', { DATA_DIR: dataDir, PORT: new URL(product.address).port })
  expect(await second.ended).toBe(1)
  expect(second.output()).toMatch(/^rif: port \d+ is taken: .*\n$/)
})

it('stops cleanly on Ctrl-C, which npm passes on twice; audits with and without a running product', async () => {
  const beside = await runProductProcess('audit', { DATA_DIR: dataDir })
  expect([await beside.ended, beside.output()]).toEqual([0, 'The books agree.\n'])
  await inDatabase(
    "insert into ledger_heads values (1, 0, '{5,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}') on conflict (member_id) do update set balances = excluded.balances",
  )
  const wrong = await runProductProcess('audit', { DATA_DIR: dataDir })
  expect([await wrong.ended, wrong.output()]).toEqual([
    1,
    [
      'balance: member 1 USDT available: expected 0, is 5',
      'sum: member 1 USDT: all accounts: expected 0, is 5',
      '2 difference(s) found.\n',
    ].join('\n'),
  ])
  await inDatabase('update ledger_heads set balances[1] = 0 where member_id = 1')
  const running = await pids()
  product.child.kill('SIGINT')
  product.child.kill('SIGINT')
  expect(await product.ended).toBe(0)
  expect(lastLine(product)).toContain('Ctrl-C stops it')
  for (const pid of Object.values(running)) expect(await processIdentity(pid)).toBeUndefined()
  const alone = await runProductProcess('audit', { DATA_DIR: dataDir })
  expect([await alone.ended, alone.output()]).toEqual([0, 'The books agree.\n'])
})

/** Returns the last line of the output that is not a log entry. */
function lastLine({ output }: ProductProcess): string | undefined {
  return output()
    .trim()
    .split('\n')
    .findLast((line) => line !== '' && !line.startsWith('{'))
}
