import { sql } from 'kysely'
import type { LocalAccount } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { inTx } from '../../../db/database.ts'
import {
  call,
  messageOf,
  newWallet,
  type StartedServer,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'
import { makeNonce } from './nonce.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let server: StartedServer
/** Another API process on the same database. */
let second: TestServer
let aheadMs = 0

const now = () => new Date(Date.now() + aheadMs)

beforeAll(async () => {
  server = await startTestServer({ now })
  second = { ...server, ...(await server.openAnother()) }
})
afterEach(() => {
  aheadMs = 0
})
afterAll(() => server.close())

const nonceFor = async (wallet: LocalAccount, at: TestServer = server) =>
  (await call(at, `nonce?address=${wallet.address}`)).data

/** Signs in, by default with an asked nonce and a new wallet. */
async function send(wallet: LocalAccount, { nonce, at = server }: { nonce?: string; at?: TestServer } = {}) {
  const terms = await nonceFor(wallet)
  const message = messageOf({ ...terms, nonce: nonce ?? terms.nonce }, wallet.address, { issuedAt: now() })
  const signature = await wallet.signMessage({ message })
  return call(at, 'auth', { payload: { message, signature, invite_code: server.root.inviteCode } })
}

const INVALID = { code: 400, data: { error: 'NONCE_INVALID' } }

async function key(): Promise<Buffer> {
  const { rows } = await sql<{ key: Buffer }>`select key from sign_in_key`.execute(server.database.db)
  return rows[0]!.key
}

/** Draws another key, as the operations page says. */
const changeKey = () =>
  inTx(server.database.adminDb, async (dbTx) => {
    await sql`delete from sign_in_key`.execute(dbTx)
    await sql`insert into sign_in_key default values`.execute(dbTx)
  })

const rowsOf = async (nonce: string) =>
  (await sql`select from sign_in_nonces where nonce = ${nonce}`.execute(server.database.db)).rows.length

describe('a nonce', () => {
  it('is one of EIP-4361, is never the same, and is no row before it is used', async () => {
    const wallet = newWallet()
    const all = await Promise.all(Array.from({ length: 20 }, () => nonceFor(wallet)))
    const nonces = all.map(({ nonce }) => nonce)
    for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{64}$/)
    expect(new Set(nonces).size).toBe(20)
    expect(await rowsOf(nonces[0])).toBe(0)
    expect(await send(wallet, { nonce: nonces[0] })).toMatchObject({ code: 200 })
    expect(await rowsOf(nonces[0])).toBe(1)
  })

  it('is refused with any digit changed, and in capital letters', async () => {
    const wallet = newWallet()
    const { nonce } = await nonceFor(wallet)
    const changed = Array.from(nonce as string, (digit, place) => {
      const other = digit === '0' ? '1' : '0'
      return `${nonce.slice(0, place)}${other}${nonce.slice(place + 1)}`
    })
    for (const forged of [...changed, nonce.toUpperCase(), `${nonce}0`, nonce.slice(1), '0'.repeat(64)])
      expect({ forged, ...(await send(wallet, { nonce: forged })) }).toMatchObject(INVALID)
    expect(await send(wallet, { nonce })).toMatchObject({ code: 200 })
    expect(await send(wallet, { nonce: nonce.toUpperCase() })).toMatchObject(INVALID)
  })

  it('is refused with another key, for another wallet, for a text that was never in force, and after five minutes', async () => {
    const wallet = newWallet()
    const address = wallet.address.toLowerCase()
    const { sha256 } = await server.services.termsTexts.inForce()
    const own = await key()
    const made = (changes: { address?: string; sha256?: string } = {}, ageMs = 0, by = own) =>
      makeNonce(by, { address, sha256, ...changes }, new Date(Date.now() - ageMs))
    const refused = {
      'another key': made({}, 0, Buffer.alloc(32, 1)),
      'another wallet': made({ address: newWallet().address.toLowerCase() }),
      'another text': made({ sha256: 'ab'.repeat(32) }),
      'a text whose hash starts alike': made({ sha256: sha256.slice(0, 8).padEnd(64, '0') }),
      'too old': made({}, 5 * MINUTE_MS),
    }
    for (const [name, nonce] of Object.entries(refused))
      expect({ name, ...(await send(wallet, { nonce })) }).toMatchObject(INVALID)
    expect(await send(wallet, { nonce: made({}, 4 * MINUTE_MS) })).toMatchObject({ code: 200 })
  })

  it('of one process is used in another, once, also at the same moment', async () => {
    const wallet = newWallet()
    for (let round = 0; round < 5; round++) {
      const { nonce } = await nonceFor(wallet, round % 2 === 0 ? server : second)
      const both = [server, second, server, second].map((at) => send(wallet, { nonce, at }))
      const answers = await Promise.all(both)
      expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
      expect(answers.filter(({ data }) => data.error === 'NONCE_INVALID')).toHaveLength(3)
      expect(await send(wallet, { nonce, at: second })).toMatchObject(INVALID)
    }
  })

  it('is used by whichever call comes first: a sign-in or an acceptance', async () => {
    const wallet = newWallet()
    const { data } = await send(wallet)
    const as = { wallet, token: data.token, address: wallet.address, memberId: BigInt(data.member_id) }
    const terms = await nonceFor(wallet)
    const message = messageOf(terms, wallet.address)
    const payload = { message, signature: await wallet.signMessage({ message }) }
    const answers = await Promise.all([
      call(server, 'auth', { payload }),
      call(second, 'auth/terms', { as, payload }),
    ])
    expect(answers.map(({ code }) => code).sort()).toEqual([200, 400])
    expect(answers.find(({ code }) => code === 400)).toMatchObject(INVALID)
  })

  it('stays used until it has long expired, and is then deleted', async () => {
    const wallet = newWallet()
    const { nonce } = await nonceFor(wallet)
    await send(wallet, { nonce })
    for (const [ms, left] of [
      [5 * MINUTE_MS, 1],
      [DAY_MS, 1],
      [DAY_MS + 6 * MINUTE_MS, 0],
    ] as const) {
      aheadMs = ms
      await server.services.auth.tidy()
      expect([ms, await rowsOf(nonce)]).toEqual([ms, left])
      expect(await send(wallet, { nonce })).toMatchObject(INVALID)
    }
  })

  it('of before is refused at once when the owner changes the key, in every process', async () => {
    const wallet = newWallet()
    const { nonce } = await nonceFor(wallet)
    await changeKey()
    for (const at of [server, second]) expect(await send(wallet, { nonce, at })).toMatchObject(INVALID)
    expect(await send(wallet, { at: second })).toMatchObject({ code: 200 })
  })
})

it('the database makes another key for each product, which its application may only read', async () => {
  const { adminDb, db } = server.database
  const before = await key()
  await changeKey()
  const after = await key()
  expect([before.length, after.length, after.equals(before)]).toEqual([32, 32, false])
  await expect(sql`insert into sign_in_key default values`.execute(adminDb)).rejects.toMatchObject({
    code: '23505',
  })
  for (const statement of [
    sql`update sign_in_key set key = key`,
    sql`delete from sign_in_key`,
    sql`insert into sign_in_key default values`,
  ])
    await expect(statement.execute(db)).rejects.toMatchObject({ code: '42501' })
})
