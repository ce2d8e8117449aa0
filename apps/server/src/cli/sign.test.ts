import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseMicros } from '@rif/rules'
import { type Address, getAddress, parseTransaction } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { claimTx } from '../chain/raw-tx.ts'
import { inTx } from '../db/database.ts'
import { createSignerClient, type Signer } from '../signer/client.ts'
import { writeKeystore } from '../signer/keys/keystore.ts'
import { type ProductProcess, runProductProcess } from '../testing/product-process.ts'
import { contractsSetting } from '../testing/settings.ts'
import { startTcpProxy, type TcpProxy } from '../testing/tcp-proxy.ts'
import { newWallet, startTestServer, type TestServer } from '../testing/test-server.ts'
import { createTestToken, type TestToken } from '../testing/test-token.ts'
import { WAIT } from '../testing/wait.ts'

const PIN = '493817'
const PASSPHRASE = 'a passphrase of the test'

let server: TestServer
let proxy: TcpProxy
let token: TestToken
let dir: string
let settings: Record<string, string>
let signer: Signer
let wallet: Address
const processes: ProductProcess[] = []
beforeAll(async () => {
  server = await startTestServer()
  dir = await mkdtemp(join(tmpdir(), 'rif-sign-'))
  const { contracts, keys, accounts, rpcUrl } = server.chain
  wallet = accounts[1]!
  token = await createTestToken(dir, { label: 'rif', pin: PIN })
  await token.importKey('claim', keys.claimSigner)
  const quotePath = join(dir, 'quote.json')
  await writeKeystore(quotePath, PASSPHRASE, { privateKey: keys.quoteSigner, scryptN: 4_096 })
  const publisherPath = join(dir, 'publisher.json')
  await writeKeystore(publisherPath, PASSPHRASE, { privateKey: keys.publisher, scryptN: 4_096 })
  const url = new URL(server.database.readUrl)
  proxy = await startTcpProxy(Number(url.port))
  url.port = `${proxy.port}`
  settings = {
    DATA_DIR: dir,
    SIGNER_DATABASE_URL: url.href,
    KEY_SECRETS_FD: '3',
    LOG_LEVEL: 'warn',
    CONTRACTS: contractsSetting(contracts, { usdt_decimals: 6 }),
    CLAIM_KEY_SOURCE: 'pkcs11:token=rif;object=claim',
    QUOTE_KEY_SOURCE: `keystore:${quotePath}`,
    PUBLISHER_KEY_SOURCE: `keystore:${publisherPath}`,
    SIGNER_APPROVERS: `Vera=${newWallet().address}`,
    SIGNER_RPC_URL: rpcUrl,
    PKCS11_MODULE: token.module,
    SOFTHSM2_CONF: token.settings,
  }
  signer = createSignerClient({ url: `unix:${join(dir, 'signer.sock')}` })
  await prepareMember()
})
afterAll(async () => {
  for (const { child } of processes) child.kill('SIGKILL')
  await proxy.close()
  await server.close()
  await rm(dir, { recursive: true })
})

let memberId: bigint
/** Signs up a member with money in the books and in the bank. */
async function prepareMember(): Promise<void> {
  const { db, members, ledger } = server.services
  const draft = { address: wallet.toLowerCase(), sponsorId: server.root.memberId, side: 'auto' } as const
  const member = await inTx(db, (dbTx) => members.join(dbTx, draft))
  memberId = member.memberId
  await server.chain.fund(server.chain.contracts.bank, { usdt: parseMicros('1000'), amc: 0n })
  const at = new Date()
  const money = { memberId, asset: 'USDT', source: 'external', destination: 'available' } as const
  await ledger.post(db, {
    key: 'grant/1',
    kind: 'grant',
    cause: { type: 'test', id: '1' },
    at,
    accountingDay: at.toISOString().slice(0, 10),
    lines: [{ ...money, amountMicros: parseMicros('1000') }],
  })
}

/** Requests a withdrawal of 2 USDT, of which 1 is the fee, with the deadline of a voucher. */
async function claimable(): Promise<bigint> {
  const { db, withdrawals, claims } = server.services
  const order = { asset: 'USDT', amountMicros: parseMicros('2'), address: undefined } as const
  const { withdraw_id } = await inTx(db, (dbTx) => withdrawals.request(dbTx, memberId, order))
  await claims.voucher(db, memberId, BigInt(withdraw_id))
  return BigInt(withdraw_id)
}

async function start(changes: Record<string, string> = {}): Promise<ProductProcess> {
  const started = await runProductProcess(
    'sign',
    { ...settings, ...changes },
    [],
    [PIN, PASSPHRASE, PASSPHRASE],
  )
  processes.push(started)
  return started
}
/** Starts the process and waits until it signs. */
async function startReady(changes: Record<string, string> = {}): Promise<ProductProcess> {
  const started = await start(changes)
  await vi.waitFor(async () => {
    if (started.child.exitCode !== null) throw new Error(started.output())
    expect(await signer.status()).toMatchObject({ trouble: null })
  }, WAIT)
  return started
}
async function stop(started: ProductProcess): Promise<void> {
  started.child.kill('SIGTERM')
  expect(await started.ended, started.output()).toBe(0)
}
const logPath = () => join(dir, 'signer', 'decisions.jsonl')
const signatures = async () =>
  (await readFile(logPath(), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ decision }) => decision === 'sign')

test('the bank pays a voucher signed by a token', async () => {
  const started = await startReady()
  const withdrawal = await claimable()
  const { claim, signature } = await signer.claim(memberId, withdrawal)
  const { to, data } = parseTransaction(
    claimTx(server.services.chain, server.chain.contracts.bank, claim, signature),
  )
  const hash = await server.chain.rpc('eth_sendTransaction', [{ from: wallet, to, data, gas: '0x7a120' }])
  await vi.waitFor(
    async () =>
      expect(await server.chain.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' }),
    WAIT,
  )
  expect((await stat(join(dir, 'signer.sock'))).mode & 0o777).toBe(0o600)
  expect((await stat(logPath())).mode & 0o777).toBe(0o600)
  await stop(started)
  expect(started.output()).not.toMatch(/^.*(at |Error:)/m)
})

test('killed repeatedly under load, it never signs anything that is not in its log, and counts nothing twice', {
  tags: ['full'],
}, async () => {
  const withdrawals = await Promise.all(Array.from({ length: 12 }, claimable))
  const before = (await signatures()).length
  // Half of the requests may be signed.
  const most = before + 6
  const limits = { SIGNER_LIMITS: JSON.stringify({ usdt: { hour: most, day: most, member: most } }) }
  const byWithdrawal = new Map<bigint, string>()
  let isOver = false
  async function ask(withdrawal: bigint): Promise<void> {
    while (!isOver) {
      const signed = await signer.claim(memberId, withdrawal).catch((error: { code: string }) => error.code)
      if (typeof signed !== 'string') byWithdrawal.set(withdrawal, signed.signature)
    }
  }
  const load = withdrawals.map(ask)
  for (let round = 0; round < 4; round++) {
    const started = await startReady(limits)
    await new Promise((resolve) => setTimeout(resolve, 20 + 37 * round))
    started.child.kill('SIGKILL')
    await started.ended
  }
  const last = await startReady(limits)
  await expect.poll(() => byWithdrawal.size).toBe(6)
  isOver = true
  await Promise.all(load)
  const entries = (await signatures()).slice(before)
  expect(new Set(entries.map(({ subject }) => subject))).toEqual(
    new Set([...byWithdrawal.keys()].map((withdrawal) => `withdrawal/${withdrawal}`)),
  )
  expect(new Set(entries.map(({ digest }) => digest)).size).toBe(entries.length)
  await stop(last)
})

describe('while a part fails', () => {
  let started: ProductProcess
  beforeAll(async () => {
    started = await startReady()
  })
  afterAll(() => stop(started))

  test('a full disk: nothing is signed, and it continues when there is space', async () => {
    const [withdrawal, other] = [await claimable(), await claimable()]
    const { size } = await stat(logPath())
    const limit = (bytes: string) =>
      execFileSync('prlimit', ['--pid', String(started.child.pid), `--fsize=${bytes}`])
    // The line is cut off in the middle.
    limit(`${size + 40}:unlimited`)
    await expect(signer.claim(memberId, withdrawal)).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
    await expect(signer.claim(memberId, other)).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
    expect(await signer.status()).toMatchObject({ trouble: 'log' })
    limit('unlimited')
    await signer.claim(memberId, withdrawal)
    await signer.claim(memberId, other)
    expect(await signer.status()).toMatchObject({ trouble: null })
    await stop(started)
    started = await startReady()
  })

  test.each(['cut', 'silent'] as const)(
    'a database that is %s: refused, and back by itself',
    { tags: ['full'] },
    async (state) => {
      const withdrawal = await claimable()
      proxy.setState(state)
      await expect(signer.claim(memberId, withdrawal)).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
      proxy.setState('open')
      await vi.waitFor(() => signer.claim(memberId, withdrawal), WAIT)
    },
  )

  test('the database is unavailable at start: it waits for it', { tags: ['full'] }, async () => {
    await stop(started)
    proxy.setState('cut')
    started = await start()
    await expect(signer.status()).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
    proxy.setState('open')
    await vi.waitFor(async () => expect(await signer.status()).toMatchObject({ trouble: null }), WAIT)
  })

  test('a second signer on the same log is refused', async () => {
    const second = await start({ SIGNER_URL: `unix:${join(dir, 'second.sock')}` })
    expect(await second.ended).toBe(1)
    expect(second.output().trim()).toBe(
      `rif: process ${started.child.pid} signs already with the log ${logPath()}`,
    )
  })
})

test.each([
  [
    'a login that can write',
    () => ({ SIGNER_DATABASE_URL: server.database.adminUrl }),
    /is a login that can write/,
  ],
  ['the login of the application', () => ({ DATABASE_URL: server.database.adminUrl }), /and no DATABASE_URL/],
  [
    'one key for both',
    () => ({ QUOTE_KEY_SOURCE: 'pkcs11:token=rif;object=claim' }),
    /must be different keys/,
  ],
  [
    'a passphrase in the environment',
    () => ({ KEY_SECRETS_FD: '' }),
    /set KEY_SECRETS_FD, or start this on a terminal/,
  ],
  [
    'the keys of the data folder on a real chain',
    () => ({ CLAIM_KEY_SOURCE: '' }),
    /needs these too: CLAIM_KEY_SOURCE/,
  ],
  ['to run without approvers', () => ({ SIGNER_APPROVERS: '' }), /needs these too: SIGNER_APPROVERS/],
  [
    'a login that the database does not accept',
    () => {
      const url = new URL(settings.SIGNER_DATABASE_URL!)
      url.username = 'nobody'
      return { SIGNER_DATABASE_URL: url.href }
    },
    // Which it is depends on whether the database asks for passwords.
    /^rif: the database refuses SIGNER_DATABASE_URL: (password authentication failed|role "nobody" does not exist)/,
  ],
  [
    'a log in a folder that cannot be created',
    () => ({ SIGNER_LOG: '/proc/rif/decisions.jsonl' }),
    /^rif: the signer's log \/proc\/rif\/decisions\.jsonl cannot be created: E\w+ \(SIGNER_LOG\)$/,
  ],
  [
    'a log in a folder without files of its own',
    () => ({ SIGNER_LOG: '/proc/decisions.jsonl' }),
    /^rif: the signer's log \/proc\/decisions\.jsonl cannot be created: E\w+ \(SIGNER_LOG\)$/,
  ],
  [
    'a pipe as the log',
    () => {
      const pipe = join(dir, 'pipe')
      execFileSync('mkfifo', [pipe])
      return { SIGNER_LOG: pipe }
    },
    /^rif: the signer's log \S+\/pipe is not a regular file \(SIGNER_LOG\)$/,
  ],
  [
    'a folder as the log',
    () => ({ SIGNER_LOG: dir }),
    /^rif: the signer's log \S+ is not a regular file \(SIGNER_LOG\)$/,
  ],
  [
    'an approver whose key is public',
    () => ({ SIGNER_APPROVERS: 'Vera=0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' }),
    /SIGNER_APPROVERS \(Vera\) is a well-known development key/,
  ],
])('refuses %s with one line', { tags: ['full'] }, async (_what, changes, line) => {
  const refused = await start(changes())
  expect(await refused.ended).toBe(1)
  expect(refused.output().trim()).toMatch(line)
  expect(refused.output().trim()).not.toContain('\n')
})

test('rif keystore creates a key that its passphrase opens, and prints its address', {
  tags: ['full'],
}, async () => {
  const path = join(dir, 'made.json')
  const made = await runProductProcess('keystore', { KEY_SECRETS_FD: '3' }, [path], [PASSPHRASE])
  expect(await made.ended, made.output()).toBe(0)
  const { address } = JSON.parse(await readFile(path, 'utf8'))
  expect(made.output().trim()).toBe(getAddress(`0x${address}`))
  const short = await runProductProcess('keystore', { KEY_SECRETS_FD: '3' }, [`${path}2`], ['short'])
  expect([await short.ended, short.output().trim()]).toEqual([
    1,
    'rif: the passphrase needs at least 12 characters',
  ])
})

test('rif sign --addresses prints the addresses of its keys before there is a bank and a database', {
  tags: ['full'],
}, async () => {
  const { CLAIM_KEY_SOURCE, QUOTE_KEY_SOURCE, PKCS11_MODULE, SOFTHSM2_CONF } = settings
  const keys = { CLAIM_KEY_SOURCE, QUOTE_KEY_SOURCE, PKCS11_MODULE, SOFTHSM2_CONF, KEY_SECRETS_FD: '3' }
  const printed = await runProductProcess(
    'sign',
    keys as Record<string, string>,
    ['--addresses'],
    [PIN, PASSPHRASE],
  )
  expect(await printed.ended, printed.output()).toBe(0)
  const { claimSigner, quoteSigner } = server.chain.keys
  expect(printed.output().trim().split('\n')).toEqual([
    `claim ${privateKeyToAddress(claimSigner)}`,
    `quote ${privateKeyToAddress(quoteSigner)}`,
  ])
})

test('a signer on a port accepts only calls with the secret', { tags: ['full'] }, async () => {
  const { freePort } = await import('../local/processes.ts')
  const url = `http://127.0.0.1:${await freePort()}`
  const secret = 'a secret of thirty-two characters'
  const started = await start({ SIGNER_URL: url, SIGNER_SECRET: secret })
  const trusted = createSignerClient({ url, secret })
  await vi.waitFor(async () => expect(await trusted.status()).toMatchObject({ trouble: null }), WAIT)
  const stranger = createSignerClient({ url, secret: `${secret}!` })
  await expect(stranger.status()).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
  await expect(stranger.claim(memberId, 1n)).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' })
  await stop(started)
})
