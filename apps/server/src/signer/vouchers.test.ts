import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { dayOf } from '@rif/rules'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type RpcProxy, startRpcProxy } from '../chain/testing/rpc-proxy.ts'
import { inTx } from '../db/database.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../testing/test-product.ts'
import { startTestSigner, type TestSigner } from '../testing/test-signer.ts'
import { createSignerClient, type Signer } from './client.ts'

const usdt = (whole: number) => BigInt(whole) * 1_000_000n
const HOUR_MS = 3_600_000
const NOT_REVIEWED = 'CLAIM_NOT_APPROVED'

let product: TestProduct
let root: TestMember
let member: TestMember
let own: TestSigner
let signer: Signer
/** Counts what the signer asks its node for. */
let node: RpcProxy
const lines: string[] = []
const log = pino({ level: 'error' }, { write: (line: string) => lines.push(line) })
const startOwn = (dir?: string, bankUrls: readonly string[] = [node.url]) =>
  startTestSigner(product.database, product.testChain, {
    now: product.now,
    bankUrls,
    log,
    ...(dir !== undefined && { dir }),
    policy: { signAboveMicros: usdt(1_000), reviewAboveMicros: usdt(50), severalAboveMicros: usdt(1_000) },
  })
beforeAll(async () => {
  product = await startTestProduct({ blocksToFinality: 4 })
  await product.publishPrice('AMC', '0.5')
  root = await product.join(null)
  node = await startRpcProxy(product.testChain.rpcUrl)
  own = await startOwn()
  signer = createSignerClient(own.access)
})
afterAll(async () => {
  await own.close()
  await node.close()
  await product.stop()
})
beforeEach(async () => {
  member = await product.join(root)
  await product.grant(member, 'USDT', '1000')
  await product.grant(member, 'AMC', '1000')
  await finalise()
})
const finalise = async () => {
  await product.testChain.mine(6)
  await product.finalise()
}

/** Returns a withdrawal with a voucher from the signer of the product. */
async function claimable(amount: string, asset: 'USDT' | 'AMC' = 'USDT', of = member) {
  const { withdraw_id } = await product.withdraw(of, asset, amount)
  const { tx } = await product.services.claims.voucher(product.db, of.memberId, BigInt(withdraw_id))
  return { id: BigInt(withdraw_id), tx }
}
const answer = (id: bigint, by: Signer = signer) =>
  by.claim(member.memberId, id).then(
    () => 'SIGNED',
    (error: { code: string }) => error.code,
  )

describe('a voucher counts in the own log', () => {
  test('whatever the books say later', async () => {
    const first = await claimable('40')
    expect(await answer(first.id)).toBe('SIGNED')
    // A stolen API process returns the amount, while the voucher stays valid.
    const at = product.now()
    await inTx(product.db, (dbTx) =>
      product.services.ledger.post(dbTx, {
        key: `withdrawal/${first.id}/close`,
        kind: 'withdrawal_return',
        at,
        accountingDay: dayOf(at.getTime()),
        cause: { type: 'withdrawal', id: `${first.id}` },
        lines: [
          {
            memberId: member.memberId,
            asset: 'USDT',
            source: 'withdrawing',
            destination: 'available',
            amountMicros: usdt(40),
          },
        ],
      }),
    )
    expect(await answer((await claimable('40')).id)).toBe(NOT_REVIEWED)
  })

  test('at the highest price of the last 24 hours', async () => {
    await product.publishPrice('AMC', '1')
    await product.advance(HOUR_MS)
    await product.publishPrice('AMC', '0.1')
    await finalise()
    expect(await answer((await claimable('30', 'AMC')).id)).toBe('SIGNED')
    expect(await answer((await claimable('30', 'AMC')).id)).toBe(NOT_REVIEWED)
    await product.publishPrice('AMC', '0.5')
  })

  test('once, until 24 hours after it was signed', async () => {
    const first = await claimable('40')
    expect(await answer(first.id)).toBe('SIGNED')
    expect(await answer(first.id)).toBe('SIGNED')
    expect((await product.send(member, first.tx)).status).toBe('success')
    await product.advance(23 * HOUR_MS)
    await finalise()
    expect(await answer((await claimable('20')).id)).toBe(NOT_REVIEWED)
    await product.advance(HOUR_MS + 60_000)
    await finalise()
    expect(await answer((await claimable('20')).id)).toBe('SIGNED')
  })

  test('until a final block is past its deadline and it is not claimed', async () => {
    const first = await claimable('40')
    expect(await answer(first.id)).toBe('SIGNED')
    await product.advance(32 * 60_000)
    // The newest block is past the deadline, and no final one is.
    const second = await claimable('20')
    expect(await answer(second.id)).toBe(NOT_REVIEWED)
    await finalise()
    expect(await answer(second.id)).toBe('SIGNED')
  })

  test('and is looked up once when it was paid, few at a time, so that a member who asks again costs nothing', async () => {
    let blocks = 0
    node.setTamper(({ method }, result) => {
      if (method === 'eth_getBlockByNumber') blocks++
      return result
    })
    const lookUps = async (id: bigint) => {
      blocks = 0
      expect(await answer(id)).toBe(NOT_REVIEWED)
      return blocks
    }
    const first = await claimable('40')
    expect(await answer(first.id)).toBe('SIGNED')
    expect((await product.send(member, first.tx)).status).toBe('success')
    await product.advance(32 * 60_000)
    await finalise()
    const second = await claimable('20')
    expect(await lookUps(second.id)).toBe(1)
    expect(await lookUps(second.id)).toBe(0)

    member = await product.join(root)
    await product.grant(member, 'USDT', '100')
    await finalise()
    for (let count = 0; count < 12; count++) expect(await answer((await claimable('3')).id)).toBe('SIGNED')
    await product.advance(32 * 60_000)
    expect(await lookUps((await claimable('20')).id)).toBe(10)
    node.setTamper(undefined)
  })
})

describe('a log that lacks vouchers', () => {
  /** The folder of a signer as it was before the claim that a test makes. */
  let before: string
  beforeEach(async () => {
    expect(await signer.status()).toMatchObject({ strict: null })
    await own.stop()
    before = await mkdtemp(join(tmpdir(), 'rif-signer-'))
    await cp(dirname(own.logPath), before, { recursive: true })
    own = await own.restart()
    signer = createSignerClient(own.access)
    expect(await signer.status()).toMatchObject({ strict: null })
    const claim = await claimable('10')
    expect(await answer(claim.id)).toBe('SIGNED')
    expect((await product.send(member, claim.tx)).status).toBe('success')
    await finalise()
  })
  const others: TestSigner[] = []
  afterEach(async () => {
    for (const other of others.splice(0)) await other.close()
  })
  async function startOther(dir?: string, bankUrls?: readonly string[]): Promise<Signer> {
    const other = await startOwn(dir, bankUrls)
    others.push(other)
    return createSignerClient(other.access)
  }

  test('restored from a copy, treats every member as at the bounds for 24 hours, also after a restart', async () => {
    const restored = await startOther(before)
    const { strict } = await restored.status()
    expect(Date.parse(strict!.until!) - product.now().getTime()).toBeGreaterThan(23.9 * HOUR_MS)
    const stranger = await product.join(root)
    await product.grant(stranger, 'USDT', '100')
    await finalise()
    const small = await claimable('2', 'USDT', stranger)
    const ask = (by: Signer) =>
      by.claim(stranger.memberId, small.id).then(
        () => 'SIGNED',
        (error: { code: string }) => error.code,
      )
    expect(await ask(signer)).toBe('SIGNED')
    expect(await ask(restored)).toBe(NOT_REVIEWED)
    await others[0]!.stop()
    const again = await startOther(before)
    expect((await again.status()).strict).toEqual(strict)
    await product.advance(24 * HOUR_MS + 60_000)
    await finalise()
    const later = await claimable('2', 'USDT', stranger)
    expect((await again.status()).strict).toBeNull()
    expect(await again.claim(stranger.memberId, later.id)).toMatchObject({ claim: {} })
  })

  test('decides nothing that depends on it before the bank was read', async () => {
    const deaf = await startOther(undefined, ['http://127.0.0.1:1'])
    expect((await deaf.status()).strict).toEqual({ until: null })
    expect(await answer((await claimable('2')).id, deaf)).toBe('SIGNER_UNAVAILABLE')
  })

  test('because it is missing, as on a second host, does likewise, and alarms', async () => {
    lines.length = 0
    const second = await startOther()
    expect((await second.status()).strict?.until).toEqual(expect.any(String))
    expect(await answer((await claimable('2')).id, second)).toBe(NOT_REVIEWED)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 50, cause: 'it is empty, and vouchers were signed before' },
    ])
    // The first host finds at its next start that another one signed.
    const stolen = await claimable('3')
    expect((await product.send(member, stolen.tx)).status).toBe('success')
    await finalise()
    await own.stop()
    own = await own.restart()
    signer = createSignerClient(own.access)
    expect((await signer.status()).strict?.until).toEqual(expect.any(String))
  })
})
