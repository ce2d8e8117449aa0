import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import {
  codeIn,
  confirm,
  db,
  deliver,
  happened,
  heldInLedger,
  KEY,
  logged,
  mailsTo,
  member,
  newAddress,
  now,
  passTime,
  post,
  server,
  settings,
  sink,
  useNoticeServer,
  withdraw,
} from '../../../testing/notice-server.ts'
import { call, newWallet, signIn } from '../../../testing/test-server.ts'
import { createMailer } from './mail.ts'
import { stopToken } from './notices.contacts.service.ts'
import { createSealing } from './sealing.ts'
import { TOPICS, type Topic } from './topics.ts'

useNoticeServer()

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

describe('mail', () => {
  test('a code confirms an address, a withdrawal is announced with the amount from the ledger, one click unsubscribes', async () => {
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
      method: 'POST',
      url: link.pathname + link.search,
      payload: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(clicked.json().data).toEqual({ stopped: 'withdrawal' })
    expect((await settings()).kinds).toContainEqual(
      expect.objectContaining({ kind: 'withdrawal', mail: false, push: true }),
    )
    await withdraw('6')
    await deliver()
    expect(mailsTo(email)).toHaveLength(2)
    // The link in the text does the same, repeatedly.
    const token = /stopNotices\?token=([\w-]+)/.exec(mail!.text)![1]!
    expect((await call(server, 'notices/stop', { payload: { token } })).data).toEqual({
      stopped: 'withdrawal',
    })
  })

  test('a code ends after five wrong attempts and after half an hour, and few are sent', async () => {
    const email = newAddress()
    await post('me/notices/email', { email })
    const code = codeIn(email)
    const wrong = code === '000000' ? '000001' : '000000'
    for (let time = 0; time < 5; time++)
      expect((await post('me/notices/email/confirm', { code: wrong })).data.error).toBe('NOTICE_CODE_WRONG')
    expect((await post('me/notices/email/confirm', { code })).data.error).toBe('NOTICE_CODE_OVER')

    await post('me/notices/email', { email })
    passTime(HOUR_MS / 2)
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

  test('a failure of the mail server is logged with its reason and uses up no codes, and a refused address is named', async () => {
    const email = newAddress()
    sink.setDown(true)
    logged.length = 0
    for (let time = 0; time < 6; time++)
      expect((await post('me/notices/email', { email })).data.error).toBe('UNAVAILABLE')
    sink.setDown(false)
    expect(logged.find((line) => line.includes('a code was not sent'))).toContain('"reason":"EENVELOPE"')
    expect((await post('me/notices/email', { email })).data.mail.pending).toMatchObject({ address: email })

    const refused = await post('me/notices/email', { email: 'nobody@refused.test' })
    expect(refused.data).toMatchObject({ error: 'VALIDATION_FAILED', details: { field: 'email' } })
    expect((await settings()).mail.pending).toBeNull()
    expect(logged.join('')).not.toContain('nobody@refused.test')
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
    passTime(2 * DAY_MS)
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

  test('a mail that the server does not accept is retried for three days; an unknown receiver is given up', async () => {
    const email = await confirm()
    const gone = await signIn(server, newWallet())
    await inTx(db(), async (dbTx) => {
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
    passTime(60_000)
    await deliver()
    expect(mailsTo(email)).toHaveLength(2)
    passTime(4 * DAY_MS)
    await deliver()
    const left = await sql`select from notice_deliveries`.execute(db())
    expect(left.rows).toEqual([])
    expect(mailsTo('nobody@refused.test')).toEqual([])
    // An unreachable server is retried for three days.
    const waiting = async () => (await sql`select from notice_deliveries`.execute(db())).rows.length
    sink.setDown(true)
    await withdraw('8')
    for (const [days, count] of [
      [0, 1],
      [2.9, 1],
      [0.2, 0],
    ] as const) {
      passTime(days * DAY_MS)
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

  test('cannot be forged, changed, used for another purpose, or used late', async () => {
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
    // It opens no session, shows neither member nor address, and affects nobody else.
    const opened = await stop(token)
    expect(opened.data).toEqual({ stopped: 'redemption' })
    expect(await settings(other)).toEqual(ofOther)
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toMatch(/redemption|example/)
    expect(opened.headers['set-cookie']).toBeUndefined()
    const asToken = { authorization: `Bearer ${token}`, 'x-wallet-address': member.address }
    expect((await call(server, 'me/notices', { headers: asToken })).code).toBe(401)
  })

  test('in a mail about safety end all mail, and expire with the address', async () => {
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
      amount: '1.000000',
      usdt: '1.000000',
      amc: '0.000000',
      nav: '1.000000',
      day: '2026-01-02',
      at: '2026-01-02T03:04:05Z',
      from: '2026-01-02T03:04:05Z',
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

  test('an address is a single receiver, whatever it contains', async () => {
    const mailer = createMailer({ smtpUrl: sink.url, from: 'notices@rif.test' }, 'http://rif.test:8080')
    const mail = { key: '1', topic: 'test', facts: {}, locale: 'en' } as const
    for (const to of ['a@example.org, victim@example.org', 'a@example.org;victim@example.org'])
      await mailer.send({ ...mail, to }).catch(() => undefined)
    expect(mailsTo('victim@example.org')).toEqual([])
    expect(mailsTo('a@example.org')).toEqual([])
  })

  test.each([
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org,b@example.org',
    'a@example.org b@example.org',
    '"a" <a@example.org>',
    'a@example.org>',
    'a@[127.0.0.1]',
    'a@localhost',
    `${'a'.repeat(300)}@example.org`,
  ])('%o is no address of mail', async (email) => {
    expect((await post('me/notices/email', { email })).data.error).toBe('VALIDATION_FAILED')
    expect(sink.mails).toEqual([])
  })
})

test('a link in a mail leads into the app, whatever it contains, and opening it never acts', async () => {
  for (const token of ['//evil.test', 'https://evil.test', '\r\nset-cookie: a=b', 'a&next=//evil.test']) {
    const opened = await server.app.inject({
      url: `/api/v1/notices/one-click?token=${encodeURIComponent(token)}`,
    })
    expect(opened.statusCode).toBe(303)
    const to = new URL(opened.headers.location as string, 'http://rif.test:8080')
    expect([to.origin, to.pathname, [...to.searchParams]]).toEqual([
      'http://rif.test:8080',
      '/pages/my/stopNotices',
      [['token', token]],
    ])
    expect(opened.headers['set-cookie']).toBeUndefined()
  }
})
