import { randomBytes } from 'node:crypto'
import { LOCALES } from '@rif/api-schema'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import {
  confirm,
  db,
  deliver,
  happened,
  mailsTo,
  member,
  newAddress,
  now,
  post,
  server,
  service,
  useNoticeServer,
  withdraw,
} from '../../../testing/notice-server.ts'
import { call, callSigned, messageOf, newWallet, signIn } from '../../../testing/test-server.ts'
import { notifyMany } from './notices.service.ts'
import { createNotices } from './notices.ts'
import { noticeText } from './texts.ts'
import { TOPICS, type Topic } from './topics.ts'

useNoticeServer()

describe('kinds', () => {
  test('are chosen by channel, except those about safety', async () => {
    const email = await confirm()
    const choice = { kind: 'sign_in', channel: 'mail', on: false }
    expect((await post('me/notices/choose', choice)).data.error).toBe('FORBIDDEN')
    await post('me/notices/choose', { kind: 'plan', channel: 'mail', on: true })
    await inTx(db(), (dbTx) => {
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
    const [firstDevice, secondDevice] = ['11'.repeat(16), '22'.repeat(16)]
    expect(await signInWith(firstDevice)).toBe(1)
    expect(await signInWith(secondDevice)).toBe(2)
    expect(mailsTo(email).at(-1)!.text).toContain('Firefox · Android')
    expect(await signInWith(firstDevice)).toBe(2)
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

  test('the rewards of a settled day are announced once with the amounts paid', async () => {
    const email = await confirm()
    await post('me/notices/choose', { kind: 'rewards', channel: 'mail', on: true })
    const without = await signIn(server, newWallet())
    const other = await confirm(newAddress(), without)
    await post('me/notices/choose', { kind: 'rewards', channel: 'mail', on: true }, without)
    await sql`insert into reward_days (member_id, day, type, paid_micros, usdt_micros, amc_micros) values
      (${member.memberId}, '2026-02-03', 'static', 3000000, 1500000, 3000000),
      (${member.memberId}, '2026-02-03', 'pairing', 1000000, 1000000, 0)`.execute(db())
    await inTx(db(), (dbTx) => {
      const facts = { day: '2026-02-03' }
      return notifyMany(dbTx, { event: 'rewards/2026-02-03', topic: 'rewards_paid', facts, at: now() })
    })
    await server.services.noticeSpreads.writeDue()
    await deliver()
    expect(mailsTo(email).at(-1)!.text).toContain('2.5 USDT and 3 AMC')
    expect(mailsTo(other)).toHaveLength(1)
  })

  test('a member gets at most 100 notices a day, plus those about safety', async () => {
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

  test('a test is sent to its channel only, five times an hour', async () => {
    expect((await post('me/notices/test', { channel: 'push' })).data.error).toBe('NOT_FOUND')
    const email = await confirm()
    for (let time = 0; time < 5; time++)
      expect((await post('me/notices/test', { channel: 'mail' })).code).toBe(200)
    expect((await post('me/notices/test', { channel: 'mail' })).data.error).toBe('TOO_MANY_NOTICES')
    await deliver()
    expect(mailsTo(email)).toHaveLength(6)
  })
})

test('all data about a member is listed', async () => {
  const email = await confirm()
  await post('me/notices/push', service.registration(`${member.memberId}`))
  await withdraw('6')
  const { noticeContacts } = server.services
  expect(await noticeContacts.contactsOf(db(), member.memberId)).toMatchObject({
    emails: [email],
    browsers: [{ device: null }],
    chosen: { mail: ['withdrawal', 'redemption'] },
  })
})

test('a channel that the operator has not configured refuses', async () => {
  const { services } = server
  const { noticeContacts } = createNotices({ ...services, publicUrl: 'http://rif.test', notices: {} })
  const caller = { ...member, sessionHash: randomBytes(32), device: null, locale: 'en' } as const
  expect(await noticeContacts.settings(caller)).toMatchObject({
    mail: { available: false },
    push: { available: false, public_key: null },
  })
  await expect(noticeContacts.addEmail(caller, 'a@example.org')).rejects.toMatchObject({
    code: 'NOTICES_NOT_SET_UP',
  })
  const registration = service.registration()
  expect(() => noticeContacts.addPush(caller, registration)).toThrow('NOTICES_NOT_SET_UP')
})

test('every notice has a text in every language, with its figures, and a path of the app without a token', () => {
  const facts = {
    code: '123456',
    device: 'Firefox',
    at: '2026-01-02T03:04:05Z',
    from: '2026-01-02T03:04:05Z',
    day: '2026-01-02',
    address: '0xAb',
    amount: '9007199254740993.000001',
    asset: 'USDT',
    id: '7',
    'en.title': 'Maintenance',
    'en.text': 'On Sunday',
    'ja.title': 'メンテナンス',
    'ja.text': '日曜日',
    usdt: '1.500000',
    amc: '0.000000',
    units: '3',
    product: 'Alpha',
    product_id: '4',
    nav: '1.010000',
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
