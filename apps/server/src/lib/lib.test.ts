import { ERROR_CODES, LOCALES } from '@rif/api-schema'
import fc from 'fast-check'
import { createPublicClient, http } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { MESSAGES } from '../messages.ts'
import { batched } from './batched.ts'
import { decodeCursor, encodeCursor, toPage } from './cursor.ts'
import { localeOf } from './locale.ts'
import { createLogger } from './logger.ts'

describe('the languages of responses', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['fr-FR,fr;q=0.9', 'en'],
    ['zh-TW', 'zh-Hans'],
    ['fr, ja;q=0.5, ko;q=0.7', 'ko'],
    ['en-GB,en;q=0.9,zh;q=0.8', 'en'],
    ['ja;q=0, ko;q=nonsense', 'en'],
  ])('%s -> %s', (header, locale) => {
    expect(localeOf(header)).toBe(locale)
  })

  it('has a status and a text in every language for every error code', () => {
    expect(Object.keys(MESSAGES).sort()).toEqual([...ERROR_CODES].sort())
    for (const message of Object.values(MESSAGES)) {
      expect(message.status).toBeGreaterThanOrEqual(400)
      for (const locale of LOCALES) expect(message[locale].trim()).not.toBe('')
    }
  })

  it('has the texts of the specification', () => {
    expect(MESSAGES.ORDER_FINAL.en).toBe('Order status cannot be modified')
    expect(MESSAGES.INSUFFICIENT_BALANCE.en).toBe('The balance is insufficient')
    expect(MESSAGES.INVALID_ADDRESS.en).toBe('Invalid address')
    expect(MESSAGES.UNAUTHORIZED).toMatchObject({ status: 401, en: 'Please log in again' })
  })
})

describe('cursors', () => {
  it('are decoded as encoded, and nothing else is accepted as one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), { minLength: 1, maxLength: 3 }),
        (parts) => {
          expect(decodeCursor(encodeCursor(...parts), parts.length)).toEqual(parts)
        },
      ),
    )
    for (const text of ['', 'x', encodeCursor(1, 2), encodeCursor('-1'), encodeCursor('1e3')]) {
      expect(() => decodeCursor(text, 1)).toThrow('VALIDATION_FAILED')
    }
    expect(decodeCursor(undefined, 1)).toBeUndefined()
  })

  it('lead to a next page only when there is one', () => {
    const page = (count: number) => toPage([1, 2, 3].slice(0, count), 2, (row) => row, String)
    expect(page(3)).toEqual({ items: [1, 2], next: '2' })
    expect(page(2)).toEqual({ items: [1, 2], next: null })
    expect(page(0)).toEqual({ items: [], next: null })
  })
})

describe('batched', () => {
  it('combines concurrent requests, returns each its own value, and caches nothing', async () => {
    const load = vi.fn(async (keys: readonly number[]) => keys.map((key) => key * 2))
    const double = batched(load)
    expect(await Promise.all([double(1), double(2), double(3)])).toEqual([2, 4, 6])
    expect(await double(1)).toBe(2)
    expect(load.mock.calls).toEqual([[[1, 2, 3]], [[1]]])
  })

  it('fails all of a batch, and none of the next', async () => {
    let broken = true
    const get = batched(async (keys: readonly number[]) => {
      if (broken) throw new Error('down')
      return keys
    })
    await expect(Promise.allSettled([get(1), get(2)])).resolves.toMatchObject([
      { status: 'rejected' },
      { status: 'rejected' },
    ])
    broken = false
    expect(await get(3)).toBe(3)
  })
})

describe('the log', () => {
  it('never contains a token, a signature, a key or a password', () => {
    const lines: string[] = []
    const log = createLogger({ level: 'info', stream: { write: (line) => lines.push(line) } })
    const secrets = { token: 's3cret', signature: 's3cret', privateKey: 's3cret', password: 's3cret' }
    log.info(secrets, 'top')
    log.info({ body: secrets, req: { headers: { authorization: 's3cret', cookie: 's3cret' } } }, 'nested')
    expect(lines).toHaveLength(2)
    expect(lines.join('')).not.toContain('s3cret')
  })

  it('shows only the host of an address in an error', async () => {
    const lines: string[] = []
    const log = createLogger({ level: 'info', stream: { write: (line) => lines.push(line) } })
    const client = createPublicClient({
      transport: http('http://user:s3cret@127.0.0.1:1/v2/s3cret?key=s3cret', { retryCount: 0 }),
    })
    log.error({ err: await client.getBlockNumber().catch((error) => error) }, 'node')
    log.error({ err: new Error('postgres://rif:s3cret@db.test:5432/rif is away', { cause: client }) }, 'db')
    log.error({ err: 's3cret is no error' }, 'text')
    expect(lines.slice(0, 2).join('')).not.toContain('s3cret')
    expect(lines[0]).toContain('http://127.0.0.1:1')
    expect(JSON.parse(lines[1]!).err.message).toBe('postgres://db.test:5432 is away')
    expect(lines).toHaveLength(3)
  })
})

describe('the log of an outage', () => {
  it('is one line a minute for each text, without stacks, and says how many were left out', () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const lines: string[] = []
      const log = createLogger({ level: 'info', stream: { write: (line) => lines.push(line) } })
      const away = () =>
        Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { syscall: 'connect' })
      for (let time = 0; time < 429; time++)
        log.error({ err: away(), job: `job ${time % 30}` }, 'a job failed')
      log.error({ err: away() }, 'request failed')
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([
        { cause: 'database', reason: 'connect ECONNREFUSED 127.0.0.1:5432', msg: 'a job failed' },
        { cause: 'database', msg: 'request failed' },
      ])
      expect(lines.join('')).not.toContain('stack')
      vi.setSystemTime(Date.now() + 60_000)
      log.error({ err: away(), job: 'job 1' }, 'a job failed')
      expect(JSON.parse(lines[2]!)).toMatchObject({ leftOut: 428 })
    } finally {
      vi.useRealTimers()
    }
  })

  it('leaves every other error as it is', () => {
    const lines: string[] = []
    const log = createLogger({ level: 'info', stream: { write: (line) => lines.push(line) } })
    for (let time = 0; time < 3; time++) log.error({ err: new TypeError('a defect') }, 'a job failed')
    expect(lines).toHaveLength(3)
    for (const line of lines)
      expect(JSON.parse(line).err).toMatchObject({ type: 'TypeError', stack: expect.any(String) })
  })
})
