import { createECDH, randomBytes } from 'node:crypto'
import { LOCALES, type NoticeSettings } from '@rif/api-schema'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inDbTx } from '../../db/database.ts'
import { startMailSink } from '../../testing/mail-sink.ts'
import { startPushService } from '../../testing/push-service.ts'
import {
  call,
  callSigned,
  messageOf,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../testing/test-server.ts'
import { createMailer } from './mail.ts'
import { stopToken } from './notices.contacts.service.ts'
import { createNotices } from './notices.module.ts'
import { notify, notifyMany } from './notices.service.ts'
import { noticeText } from './notices.texts.ts'
import { TOPICS, type Topic } from './notices.topics.ts'
import { createSealing } from './sealing.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const KEY = randomBytes(32)
const pair = createECDH('prime256v1')
pair.generateKeys()
// A number with leading zeros is shorter; the setting has 32 bytes.
const privateKey = pair.getPrivateKey('hex').padStart(64, '0')
const push = {
  privateKey: Buffer.from(privateKey, 'hex').toString('base64url'),
  subject: 'mailto:operator@rif.test',
}

let server: TestServer
let sink: Awaited<ReturnType<typeof startMailSink>>
let service: Awaited<ReturnType<typeof startPushService>>
let member: SignedIn
let offsetMs = 0
let keys = 0
const logged: string[] = []
const now = () => new Date(Date.now() + offsetMs)

beforeAll(async () => {
  sink = await startMailSink()
  service = await startPushService(pair.getPublicKey().toString('base64url'))
  server = await startTestServer({
    now,
    log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
    notices: { key: KEY, push, mail: { smtpUrl: sink.url, from: 'notices@rif.test' } },
    localHosts: [service.host],
  })
})
afterAll(async () => {
  await Promise.all([server.close(), sink.stop(), service.stop()])
})
beforeEach(async () => {
  member = await signIn(server, newWallet())
  sink.mails.length = 0
  service.pushed.length = 0
  service.answer(201)
})

const db = () => server.database.db
const settings = async (as = member): Promise<NoticeSettings> =>
  (await call(server, 'me/notices', { as })).data
const post = (path: string, payload: object, as = member, headers = {}) =>
  call(server, path, { as, payload, headers })
const deliver = () => server.services.noticeDelivery.sendDue()
const mailsTo = (address: string) => sink.mails.filter(({ to }) => to === address)
const codeIn = (address: string) => /\d{6}/.exec(mailsTo(address).at(-1)!.headers.subject!)![0]
const newAddress = () => `${randomBytes(6).toString('hex')}@example.org`

async function confirm(email = newAddress(), as = member, headers = {}): Promise<string> {
  expect((await post('me/notices/email', { email }, as, headers)).code).toBe(200)
  expect((await post('me/notices/email/confirm', { code: codeIn(email) }, as, headers)).code).toBe(200)
  return email
}

async function withdraw(amount: string, as = member) {
  const at = now()
  await server.services.ledger.post(db(), {
    ...{ key: `grant-${keys++}`, kind: 'grant', cause: { type: 'test', id: '1' }, at },
    accountingDay: at.toISOString().slice(0, 10),
    lines: [
      {
        ...{ memberId: as.memberId, asset: 'USDT', amountMicros: 50_000_000n },
        ...{ source: 'external', destination: 'available' },
      },
    ],
  })
  const headers = { 'idempotency-key': `withdraw-${keys++}` }
  const payload = { address: as.address, amount, asset: 'USDT' }
  const { data } = await callSigned(server, 'withdraw', { as, payload, headers })
  return data as { withdraw_id: string; status: string }
}

/** Books the posting of a withdrawal, as the ledger has it. */
async function heldInLedger(as = member): Promise<string> {
  const { rows } = await sql<{ amount: string }>`
    select (amount / 1000000.0)::numeric(20, 6)::text as amount from ledger_postings
    where member_id = ${as.memberId} and kind = 'withdrawal_request'`.execute(db())
  return rows[0]!.amount
}

const happened = (event: string, topic: Topic, facts = {}) =>
  inDbTx(db(), (dbTx) => notify(dbTx, { memberId: member.memberId, event, topic, facts, at: now() }))

describe('mail', () => {
  test('a code confirms an address, a withdrawal is announced with the figure of the ledger, one click ends it', async () => {
    expect((await settings()).mail).toEqual({ available: true, confirmed: null, pending: null })
    const email = newAddress()
    await post('me/notices/email', { email })
    expect((await settings()).mail).toMatchObject({ confirmed: null, pending: { address: email } })
    await withdraw('12.5')
    await deliver()
    expect(mailsTo(email)).toHaveLength(1)
    await post('me/notices/email/confirm', { code: codeIn(email) })
    expect((await settings()).mail).toMatchObject({ confirmed: { address: email }, pending: null })

    const { withdraw_id, status } = await withdraw('7.25')
    expect(status).toBe('Withdrawable')
    await Promise.all([deliver(), deliver()])
    const [, mail, ...rest] = mailsTo(email)
    expect(rest).toEqual([])
    expect(await heldInLedger()).toBe('12.500000')
    expect(mail!.text).toContain('7.25 USDT')
    expect(mail!.text).toContain(`http://rif.test:8080/pages/withdrawal/detail?withdraw_id=${withdraw_id}`)
    expect(mail!.headers).toMatchObject({
      subject: 'Withdrawal ready',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'message-id': expect.stringMatching(/^<notice-\d+-\d+@rif\.test>$/),
    })

    const link = new URL(mail!.headers['list-unsubscribe']!.slice(1, -1))
    const opened = await server.app.inject({ url: link.pathname + link.search })
    expect([opened.statusCode, opened.headers.location]).toEqual([303, `/pages/my/stopNotices${link.search}`])
    expect((await settings()).kinds).toContainEqual(
      expect.objectContaining({ kind: 'withdrawal', mail: true }),
    )
    const clicked = await server.app.inject({
      ...{ method: 'POST', url: link.pathname + link.search, payload: 'List-Unsubscribe=One-Click' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(clicked.json().data).toEqual({ stopped: 'withdrawal' })
    expect((await settings()).kinds).toContainEqual(
      expect.objectContaining({ kind: 'withdrawal', mail: false, push: true }),
    )
    await withdraw('6')
    await deliver()
    expect(mailsTo(email)).toHaveLength(2)
    // The link of the text does the same, again and again.
    const token = /stopNotices\?token=([\w-]+)/.exec(mail!.text)![1]!
    expect((await call(server, 'notices/stop', { payload: { token } })).data).toEqual({
      stopped: 'withdrawal',
    })
  })

  test('a code ends after five wrong ones and after half an hour, and few are sent', async () => {
    const email = newAddress()
    await post('me/notices/email', { email })
    const code = codeIn(email)
    const wrong = code === '000000' ? '000001' : '000000'
    for (let time = 0; time < 5; time++)
      expect((await post('me/notices/email/confirm', { code: wrong })).data.error).toBe('NOTICE_CODE_WRONG')
    expect((await post('me/notices/email/confirm', { code })).data.error).toBe('NOTICE_CODE_OVER')

    await post('me/notices/email', { email })
    offsetMs += HOUR_MS / 2
    expect((await post('me/notices/email/confirm', { code: codeIn(email) })).data.error).toBe(
      'NOTICE_CODE_OVER',
    )
    await post('me/notices/email', { email })
    expect((await post('me/notices/email', { email })).data.error).toBe('TOO_MANY_NOTICES')
    const other = await signIn(server, newWallet())
    expect((await post('me/notices/email', { email: email.toUpperCase() }, other)).data.error).toBe(
      'TOO_MANY_NOTICES',
    )
    expect(mailsTo(email)).toHaveLength(3)
    expect((await settings(other)).mail.pending).toBeNull()
  })

  test('the former address is notified of another one and of the removal, and is then deleted', async () => {
    const first = await confirm()
    const second = await confirm()
    await deliver()
    expect(mailsTo(first).at(-1)!.headers.subject).toBe('E-mail address changed')
    expect(mailsTo(second)).toHaveLength(1)
    await post('me/notices/email/remove', {})
    await deliver()
    expect(mailsTo(second).at(-1)!.headers.subject).toBe('E-mail address removed')
    expect((await settings()).mail.confirmed).toBeNull()
    offsetMs += 2 * DAY_MS
    await server.services.noticeDelivery.clear()
    const { rows } = await sql`select from notice_emails where member_id = ${member.memberId}`.execute(db())
    expect(rows).toEqual([])
  })

  test('addresses are encrypted, in one table only, and in no log', async () => {
    const email = await confirm()
    await withdraw('8')
    sink.setDown(true)
    await deliver()
    sink.setDown(false)
    const tables = await sql<{ text: string }>`
      select query_to_xml('select * from ' || quote_ident(table_name), true, false, '')::text as text
      from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
      db(),
    )
    const hex = Buffer.from(email).toString('hex')
    const base64 = Buffer.from(email).toString('base64').slice(0, 30)
    for (const { text } of tables.rows)
      for (const form of [email, hex, base64]) expect(text.includes(form)).toBe(false)
    expect(logged.join('')).not.toContain(email)
  })

  test('what the server does not take is sent again later, for three days; an unknown receiver is given up', async () => {
    const email = await confirm()
    const gone = await signIn(server, newWallet())
    await inDbTx(db(), async (dbTx) => {
      const at = now()
      await sql`insert into notice_members values (${gone.memberId}, '{withdrawal}', '{}', 'en', ${at})`.execute(
        dbTx,
      )
      await sql`insert into notice_emails (member_id, sealed, address_hash, created_at, confirmed_at)
        values (${gone.memberId}, ${createSealing(KEY).seal('address', 'nobody@refused.test')},
          ${randomBytes(32)}, ${at}, ${at})`.execute(dbTx)
    })
    await withdraw('9', gone)
    await withdraw('9')
    sink.setDown(true)
    await deliver()
    sink.setDown(false)
    await deliver()
    expect(mailsTo(email)).toHaveLength(1)
    offsetMs += 60_000
    await deliver()
    expect(mailsTo(email)).toHaveLength(2)
    offsetMs += 4 * DAY_MS
    await deliver()
    const left = await sql`select from notice_deliveries`.execute(db())
    expect(left.rows).toEqual([])
    expect(mailsTo('nobody@refused.test')).toEqual([])
    // A server that stays away is tried for three days.
    const waiting = async () => (await sql`select from notice_deliveries`.execute(db())).rows.length
    sink.setDown(true)
    await withdraw('8')
    for (const [days, count] of [
      [0, 1],
      [2.9, 1],
      [0.2, 0],
    ] as const) {
      offsetMs += days * DAY_MS
      await deliver()
      expect(await waiting()).toBe(count)
    }
    sink.setDown(false)
  })

  test('mails are in the language of the member', async () => {
    const email = await confirm(newAddress(), member, { 'accept-language': 'ko' })
    await happened('one', 'claim_ready', { id: '7', amount: '1234.500000', asset: 'USDT' })
    await deliver()
    const mail = mailsTo(email).at(-1)!
    expect(mail.headers).toMatchObject({ subject: '출금 준비 완료', 'content-language': 'ko' })
    expect(mail.text).toContain('1,234.5 USDT 출금을 청구할 수 있습니다.')
  })
})

describe('unsubscribe links', () => {
  const sealing = createSealing(KEY)
  const stop = (token: string) => call(server, 'notices/stop', { payload: { token } })
  const emailId = async () => {
    const { rows } = await sql<{ id: bigint }>`
      select email_id as id from notice_emails where member_id = ${member.memberId} and ended_at is null`.execute(
      db(),
    )
    return rows[0]!.id
  }

  test('cannot be made, changed, used for something else, or used late', async () => {
    await confirm()
    const id = await emailId()
    const token = stopToken(sealing, { emailId: id, kind: 'redemption', at: now() })
    const before = await settings()
    const bytes = Buffer.from(token, 'base64url')
    const attempts = Array.from(bytes, (_, index) => {
      const changed = Buffer.from(bytes)
      changed[index]! ^= 1
      return changed.toString('base64url')
    })
    attempts.push(token.slice(0, -8), `${token}AAAA`, 'a'.repeat(60))
    attempts.push(stopToken(createSealing(randomBytes(32)), { emailId: id, kind: 'redemption', at: now() }))
    attempts.push(sealing.seal('address', `${id} all ${Date.now() * 2}`).toString('base64url'))
    attempts.push(
      stopToken(sealing, { emailId: id, kind: 'redemption', at: new Date(now().getTime() - 91 * DAY_MS) }),
    )
    for (const attempt of attempts) expect((await stop(attempt)).data.error).toBe('NOTICE_LINK_OVER')
    expect(await settings()).toEqual(before)
    const other = await signIn(server, newWallet())
    await confirm(newAddress(), other)
    const ofOther = await settings(other)
    // It opens no session, shows neither member nor address, and concerns nobody else.
    const opened = await stop(token)
    expect(opened.data).toEqual({ stopped: 'redemption' })
    expect(await settings(other)).toEqual(ofOther)
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toMatch(/redemption|example/)
    expect(opened.headers['set-cookie']).toBeUndefined()
    const asToken = { authorization: `Bearer ${token}`, 'x-wallet-address': member.address }
    expect((await call(server, 'me/notices', { headers: asToken })).code).toBe(401)
  })

  test('of a mail about safety end all mail, and end with the address', async () => {
    await confirm()
    const token = stopToken(sealing, { emailId: await emailId(), kind: 'changes', at: now() })
    expect((await stop(token)).data).toEqual({ stopped: 'all' })
    expect((await settings()).mail.confirmed).toBeNull()
    expect((await stop(token)).data.error).toBe('NOTICE_LINK_OVER')
    await confirm()
    expect((await stop(token)).data.error).toBe('NOTICE_LINK_OVER')
  })
})

describe('hostile texts', () => {
  const HOSTILE = 'x\r\nBcc: victim@example.org\r\n\r\n<a href="https://evil.test">sign here</a>'

  test('no fact of a notice adds a header, a receiver, a part or a link to a mail', async () => {
    const names = ['code', 'device', 'address', 'id', 'product', 'product_id', 'asset', 'units']
    const facts = {
      ...Object.fromEntries(names.map((name) => [name, HOSTILE])),
      ...{ amount: '1.000000', usdt: '1.000000', amc: '0.000000', nav: '1.000000', day: '2026-01-02' },
      ...{ at: '2026-01-02T03:04:05Z', from: '2026-01-02T03:04:05Z' },
    }
    const mailer = createMailer({ smtpUrl: sink.url, from: 'notices@rif.test' }, 'http://rif.test:8080')
    for (const topic of Object.keys(TOPICS) as Topic[]) {
      await mailer.send({ to: 'a@example.org', key: '1', topic, facts, locale: 'en' })
      const mail = sink.mails.at(-1)!
      expect(mail.to).toBe('a@example.org')
      expect(
        Object.keys(mail.headers).filter((name) => /bcc|^cc$/.test(name)),
        topic,
      ).toEqual([])
      expect(mail.headers['content-type'], topic).toMatch(/^text\/plain/)
      const opened = new URL(TOPICS[topic].path(facts), 'http://rif.test:8080')
      expect([opened.origin, opened.pathname.startsWith('/pages/')], topic).toEqual([
        'http://rif.test:8080',
        true,
      ])
    }
  })

  test('an address is one receiver, whatever stands in it', async () => {
    const mailer = createMailer({ smtpUrl: sink.url, from: 'notices@rif.test' }, 'http://rif.test:8080')
    const mail = { key: '1', topic: 'test', facts: {}, locale: 'en' } as const
    for (const to of ['a@example.org, victim@example.org', 'a@example.org;victim@example.org'])
      await mailer.send({ ...mail, to }).catch(() => undefined)
    expect(mailsTo('victim@example.org')).toEqual([])
    expect(mailsTo('a@example.org')).toEqual([])
  })

  test.each([
    ...['a@example.org\r\nBcc: b@example.org', 'a@example.org,b@example.org', 'a@example.org b@example.org'],
    ...[
      '"a" <a@example.org>',
      'a@example.org>',
      'a@[127.0.0.1]',
      'a@localhost',
      `${'a'.repeat(300)}@example.org`,
    ],
  ])('%o is no address of mail', async (email) => {
    expect((await post('me/notices/email', { email })).data.error).toBe('VALIDATION_FAILED')
    expect(sink.mails).toEqual([])
  })
})

test('a link of a mail leads into the app whatever stands in it, and never acts when it is opened', async () => {
  for (const token of ['//evil.test', 'https://evil.test', '\r\nset-cookie: a=b', 'a&next=//evil.test']) {
    const opened = await server.app.inject({
      url: `/api/v1/notices/one-click?token=${encodeURIComponent(token)}`,
    })
    expect(opened.statusCode).toBe(303)
    const to = new URL(opened.headers.location as string, 'http://rif.test:8080')
    expect([to.origin, to.pathname, [...to.searchParams]]).toEqual([
      ...['http://rif.test:8080', '/pages/my/stopNotices'],
      [['token', token]],
    ])
    expect(opened.headers['set-cookie']).toBeUndefined()
  }
})

describe('push', () => {
  const register = (name: string, as = member, headers = {}) =>
    post('me/notices/push', service.registration(name), as, headers)

  test('a message is signed, encrypted for the browser, in its language, and opens a page of the app', async () => {
    expect((await settings()).push).toMatchObject({ available: true, browsers: [] })
    const { data } = await register(`${member.memberId}`, member, { 'accept-language': 'ja' })
    expect(data.push.browsers).toEqual([expect.objectContaining({ current: true, taken_at: null })])
    const { withdraw_id } = await withdraw('7')
    await Promise.all([deliver(), deliver()])
    expect(service.problems).toEqual([])
    expect(service.pushed).toHaveLength(1)
    const [{ content, headers }] = service.pushed as [(typeof service.pushed)[0]]
    expect(content).toEqual({
      ...{ title: '出金を受け取れます', body: '7 USDT の出金を受け取れます。', lang: 'ja' },
      path: `/pages/withdrawal/detail?withdraw_id=${withdraw_id}`,
      tag: expect.stringMatching(/^[\w-]{32}$/),
    })
    expect(headers.topic).toBe(content.tag)
    expect((await settings()).push.browsers[0]!.taken_at).not.toBeNull()
  })

  test('a repeated event is one notice, and a repeated delivery replaces itself', async () => {
    await register(`${member.memberId}`)
    const facts = { id: '1', amount: '1.000000', asset: 'USDT' }
    await happened('claim_ready/1', 'claim_ready', facts)
    await happened('claim_ready/1', 'claim_ready', facts)
    service.answer(503)
    await deliver()
    service.answer(201)
    offsetMs += 60_000
    await deliver()
    // The service took the first one too before it failed.
    expect(service.pushed).toHaveLength(2)
    expect(service.pushed[0]!.content.tag).toBe(service.pushed[1]!.content.tag)
  })

  test('a browser that the service no longer knows is removed', async () => {
    await register(`${member.memberId}`)
    await happened('one', 'claim_ready', { id: '1', amount: '1', asset: 'USDT' })
    service.answer(410)
    await deliver()
    expect((await settings()).push.browsers).toEqual([])
  })

  test.each([
    ...[
      'http://push.example.org/a',
      'https://127.0.0.1/a',
      'https://169.254.169.254/latest',
      'https://[::1]/a',
    ],
    ...[
      'https://localhost/a',
      'https://database:5432/',
      'https://user:key@push.example.org/',
      'https://10.0.0.1/',
    ],
  ])('the endpoint %s is refused', async (endpoint) => {
    const { data } = await post('me/notices/push', { ...service.registration(), endpoint })
    expect(data.error).toBe('VALIDATION_FAILED')
  })

  test('keys that are no point of the curve are refused', async () => {
    const { endpoint, keys: valid } = service.registration()
    const p256dh = Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url')
    const { data } = await post('me/notices/push', { endpoint, keys: { ...valid, p256dh } })
    expect(data.error).toBe('VALIDATION_FAILED')
  })

  test('a browser belongs to its last member, and ends with its session', async () => {
    await register('shared')
    await happened('one', 'claim_ready', { id: '1', amount: '1', asset: 'USDT' })
    const other = await signIn(server, newWallet())
    await register('shared', other)
    await deliver()
    expect(service.pushed).toEqual([])
    expect((await settings()).push.browsers).toEqual([])
    await post('auth/sign-out', {}, other)
    const again = await signIn(server, other.wallet)
    expect((await settings(again)).push.browsers).toEqual([])
  })

  test('a member has at most ten browsers', async () => {
    for (let index = 0; index < 11; index++) await register(`${member.memberId}-${index}`)
    const { browsers } = (await settings()).push
    expect(browsers).toHaveLength(10)
    const [newest] = browsers
    const { data } = await post('me/notices/push/remove', { push_id: newest!.push_id })
    expect(data.push.browsers).toHaveLength(9)
    const stranger = await signIn(server, newWallet())
    const foreign = { push_id: data.push.browsers[0].push_id }
    expect((await post('me/notices/push/remove', foreign, stranger)).data.error).toBe('NOT_FOUND')
  })
})

describe('kinds', () => {
  test('are chosen by channel, except those about safety', async () => {
    const email = await confirm()
    const choice = { kind: 'sign_in', channel: 'mail', on: false }
    expect((await post('me/notices/choose', choice)).data.error).toBe('FORBIDDEN')
    await post('me/notices/choose', { kind: 'plan', channel: 'mail', on: true })
    await inDbTx(db(), (dbTx) => {
      const facts = { day: '2027-01-02' }
      return notifyMany(dbTx, { event: `plan/${email}`, topic: 'plan_published', facts, at: now() })
    })
    await server.services.noticeSpreads.writeDue()
    await server.services.noticeSpreads.writeDue()
    await deliver()
    const about = mailsTo(email).filter(({ headers }) => headers.subject === 'The plan changes')
    expect(about.map(({ text }) => text)).toEqual([expect.stringContaining('Jan 2, 2027')])
  })

  test('a sign-in with another browser is announced, one with a known browser is not', async () => {
    const email = await confirm()
    const signInWith = async (device_key?: string) => {
      const { address } = member
      const { data: terms } = await call(server, `nonce?address=${address}`)
      const message = messageOf(terms, address as `0x${string}`, { issuedAt: now() })
      const signature = await member.wallet.signMessage({ message })
      const payload = { message, signature, ...(device_key && { device_key }) }
      const headers = { 'user-agent': 'Mozilla/5.0 (Android 16) Firefox/140.0' }
      expect((await call(server, 'auth', { payload, headers })).code).toBe(200)
      await deliver()
      return mailsTo(email).length
    }
    const [one, two] = ['11'.repeat(16), '22'.repeat(16)]
    expect(await signInWith(one)).toBe(1)
    expect(await signInWith(two)).toBe(2)
    expect(mailsTo(email).at(-1)!.text).toContain('Firefox · Android')
    expect(await signInWith(one)).toBe(2)
    expect(await signInWith()).toBe(3)
  })

  test('saved addresses are announced', async () => {
    const email = await confirm()
    const payload = { address: newWallet().address, label: 'Cold wallet' }
    await callSigned(server, 'transfer/contacts', { as: member, payload })
    await deliver()
    expect(mailsTo(email).at(-1)!.text).toContain(payload.address)
    expect(mailsTo(email).at(-1)!.text).not.toContain('Cold wallet')
  })

  test('the rewards of a settled day are announced once with what they paid', async () => {
    const email = await confirm()
    await post('me/notices/choose', { kind: 'rewards', channel: 'mail', on: true })
    const without = await signIn(server, newWallet())
    const other = await confirm(newAddress(), without)
    await post('me/notices/choose', { kind: 'rewards', channel: 'mail', on: true }, without)
    await sql`insert into reward_days (member_id, day, type, paid_micros, usdt_micros, amc_micros) values
      (${member.memberId}, '2026-02-03', 'static', 3000000, 1500000, 3000000),
      (${member.memberId}, '2026-02-03', 'pairing', 1000000, 1000000, 0)`.execute(db())
    await inDbTx(db(), (dbTx) => {
      const facts = { day: '2026-02-03' }
      return notifyMany(dbTx, { event: 'rewards/2026-02-03', topic: 'rewards_paid', facts, at: now() })
    })
    await server.services.noticeSpreads.writeDue()
    await deliver()
    expect(mailsTo(email).at(-1)!.text).toContain('2.5 USDT and 3 AMC')
    expect(mailsTo(other)).toHaveLength(1)
  })

  test('a member gets at most 100 notices a day, those about safety beyond', async () => {
    await confirm()
    const facts = { id: '1', amount: '1', asset: 'USDT' }
    for (let index = 0; index < 105; index++) await happened(`n/${index}`, 'claim_ready', facts)
    await happened('safe', 'address_removed', { address: '0x' })
    const { rows } = await sql<{ topic: string; count: bigint }>`
      select topic, count(*) from notices where member_id = ${member.memberId} group by topic order by topic`.execute(
      db(),
    )
    expect(rows).toEqual([
      { topic: 'address_removed', count: 1n },
      { topic: 'claim_ready', count: 100n },
    ])
  })

  test('a test goes to its channel only, five times an hour', async () => {
    expect((await post('me/notices/test', { channel: 'push' })).data.error).toBe('NOT_FOUND')
    const email = await confirm()
    for (let time = 0; time < 5; time++)
      expect((await post('me/notices/test', { channel: 'mail' })).code).toBe(200)
    expect((await post('me/notices/test', { channel: 'mail' })).data.error).toBe('TOO_MANY_NOTICES')
    await deliver()
    expect(mailsTo(email)).toHaveLength(6)
  })
})

test('everything about a member is listed', async () => {
  const email = await confirm()
  await post('me/notices/push', service.registration(`${member.memberId}`))
  await withdraw('6')
  const { noticeContacts } = server.services
  expect(await noticeContacts.contactsOf(db(), member.memberId)).toMatchObject({
    ...{ emails: [email], browsers: [{ device: null }], chosen: { mail: ['withdrawal', 'redemption'] } },
  })
})

test('a channel that the operator has not set up refuses', async () => {
  const { services } = server
  const { noticeContacts } = createNotices({ ...services, publicUrl: 'http://rif.test', notices: {} })
  const caller = { ...member, sessionHash: randomBytes(32), device: null, locale: 'en' } as const
  expect(await noticeContacts.settings(caller)).toMatchObject({
    ...{ mail: { available: false }, push: { available: false, public_key: null } },
  })
  await expect(noticeContacts.addEmail(caller, 'a@example.org')).rejects.toMatchObject({
    code: 'NOTICES_NOT_SET_UP',
  })
  const registration = service.registration()
  expect(() => noticeContacts.addPush(caller, registration)).toThrow('NOTICES_NOT_SET_UP')
})

test('every notice has a text in every language, with its figures, and a path of the app without a token', () => {
  const facts = {
    ...{ code: '123456', device: 'Firefox', at: '2026-01-02T03:04:05Z', from: '2026-01-02T03:04:05Z' },
    ...{ day: '2026-01-02', address: '0xAb', amount: '9007199254740993.000001', asset: 'USDT', id: '7' },
    ...{ 'en.title': 'Maintenance', 'en.text': 'On Sunday', 'ja.title': 'メンテナンス', 'ja.text': '日曜日' },
    ...{ usdt: '1.500000', amc: '0.000000', units: '3', product: 'Alpha', product_id: '4', nav: '1.010000' },
  }
  for (const topic of Object.keys(TOPICS) as Topic[]) {
    expect(TOPICS[topic].path(facts)).toMatch(/^\/pages\/[\w/-]+(\?[\w=]+)?$/)
    for (const locale of LOCALES) {
      const { title, body } = noticeText(locale, topic, facts)
      expect(`${title} ${body}`).not.toMatch(/undefined|NaN|http/)
      expect(title.length).toBeLessThanOrEqual(60)
    }
  }
  expect(noticeText('en', 'claim_ready', facts).body).toContain('9,007,199,254,740,993.000001 USDT')
})
