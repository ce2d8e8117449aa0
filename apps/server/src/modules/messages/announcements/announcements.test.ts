import { createECDH, randomBytes } from 'node:crypto'
import type { AnnouncementDraft, OperatedAnnouncement, Proposal } from '@rif/api-schema'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../../../db/database.ts'
import {
  decide,
  newAdmin,
  prepare,
  sign,
  type TestAdmin,
  tryPrepare,
} from '../../../testing/admin-actions.ts'
import { startMailSink } from '../../../testing/mail-sink.ts'
import { startPushService } from '../../../testing/push-service.ts'
import {
  call,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'
import { takeDeliveries } from '../notices/notices.repository.ts'
import { createNoticeSpreads, notify } from '../notices/notices.service.ts'

const DAY_MS = 86_400_000
const pair = createECDH('prime256v1')
pair.generateKeys()
const privateKey = Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url')

let server: TestServer
let sink: Awaited<ReturnType<typeof startMailSink>>
let service: Awaited<ReturnType<typeof startPushService>>
let operator: TestAdmin
let approver: TestAdmin
let member: SignedIn
let offsetMs = 0
let titles = 0
const now = () => new Date(Date.now() + offsetMs)

beforeAll(async () => {
  sink = await startMailSink()
  service = await startPushService(pair.getPublicKey().toString('base64url'))
  server = await startTestServer({
    now,
    notices: {
      key: randomBytes(32),
      push: { privateKey, subject: 'mailto:operator@rif.test' },
      mail: { smtpUrl: sink.url, from: 'notices@rif.test' },
    },
    settings: { webhookKey: randomBytes(32), localHosts: [service.host] },
  })
  operator = await newAdmin(server, 'operator')
  approver = await newAdmin(server, 'approver')
})
afterAll(async () => {
  await Promise.all([server.close(), sink.stop(), service.stop()])
})
beforeEach(async () => {
  member = await signIn(server, newWallet())
  // Announcements of earlier tests reach no member of this one.
  await write()
  await sql`update notice_members set mail = '{}', push = '{}'`.execute(db())
  await sql`delete from notice_deliveries`.execute(db())
  sink.mails.length = 0
  service.pushed.length = 0
})

const db = () => server.database.db
const write = () => server.services.noticeSpreads.writeDue()
const deliver = () => server.services.noticeDelivery.sendDue()
const post = (path: string, payload: object, as: SignedIn = member, headers = {}) =>
  call(server, path, { as, payload, headers })
const home = async (as: SignedIn = member, locale = 'en') =>
  (await call(server, 'me/notifications', { as, headers: { 'accept-language': locale } })).data.announcement
const listed = async (locale = 'en') =>
  (await call(server, 'me/announcements', { as: member, headers: { 'accept-language': locale } })).data.items
const operated = async (): Promise<OperatedAnnouncement> =>
  (await call(server, 'admin/announcements', { as: operator })).data.items[0]
const mailsTo = (email: string) => sink.mails.filter(({ to }) => to === email)

const draft = (more: Partial<AnnouncementDraft> = {}): AnnouncementDraft => ({
  texts: {
    en: { title: `Maintenance ${++titles}`, text: 'On Sunday.\nClaims go on.' },
    ja: { title: 'メンテナンス', text: '日曜日です。' },
  },
  expires_at: null,
  ...more,
})

async function announce(more: Partial<AnnouncementDraft> = {}): Promise<{ id: string; proposal: Proposal }> {
  const proposal = await prepare(server, operator, 'announcement', draft(more))
  expect((await decide(server, approver, proposal)).data).toMatchObject({ state: 'Applied' })
  return { id: (await operated()).announcement_id, proposal }
}

/** Gives a member a confirmed address in a language and, by default, the notice kind "announcement". */
async function subscribe(as: SignedIn, locale = 'en', chooses = true): Promise<string> {
  const email = `${randomBytes(6).toString('hex')}@example.org`
  const headers = { 'accept-language': locale }
  await post('me/notices/email', { email }, as, headers)
  const code = /\d{6}/.exec(mailsTo(email).at(-1)!.headers.subject!)![0]
  await post('me/notices/email/confirm', { code }, as, headers)
  if (chooses)
    await post('me/notices/choose', { kind: 'announcement', channel: 'mail', on: true }, as, headers)
  sink.mails.length = 0
  return email
}

describe('a proposal', () => {
  test('is published only by a second person, and not by its author with another wallet', async () => {
    const wallet = await newAdmin(server, 'owner', 'Ada')
    const same = await newAdmin(server, 'owner', 'Ada')
    const proposal = await prepare(server, wallet, 'announcement', draft())
    expect((await sign(server, wallet, proposal)).data.error).toBe('OWN_PROPOSAL')
    expect((await sign(server, same, proposal)).data.error).toBe('OWN_PROPOSAL')
    expect((await sign(server, operator, proposal)).status).toBe(403)
    expect(await home()).toBeNull()
    expect((await decide(server, approver, proposal)).data.state).toBe('Applied')
    expect(await home()).toMatchObject({ title: `Maintenance ${titles}`, language: 'en' })
    expect(await operated()).toMatchObject({
      state: 'live',
      proposal_id: proposal.proposal_id,
      withdrawn: null,
      proposed_by: wallet.address.toLowerCase(),
      approved_by: approver.address.toLowerCase(),
    })
    const { items } = (await call(server, 'admin/log?action=announcement.publish', { as: operator })).data
    expect(items[0]).toMatchObject({ subject: `announcement/${(await operated()).announcement_id}` })
  })

  test('states which languages read the English text, and signs every word', async () => {
    const proposal = await prepare(server, operator, 'announcement', draft())
    const content = JSON.parse(proposal.content)
    expect(content.effects).toEqual([
      { name: 'announced_in_english', values: { languages: '简体中文, 한국어' } },
    ])
    expect(content.difference).toContainEqual(
      expect.objectContaining({ field: 'text', after: '日曜日です。', item: '日本語' }),
    )
    expect((await decide(server, approver, proposal, { approve: false, reason: 'no' })).data.state).toBe(
      'Refused',
    )
    expect((await operated())?.proposal_id).not.toBe(proposal.proposal_id)
  })

  const en = { title: 'News', text: 'Text' }
  test.each([
    [
      'a link',
      { en: { title: 'News', text: 'See https://rif.example/claim' } },
      'payload.texts.en.text',
      'link',
    ],
    ['a host', { en, ja: { title: 'rif-claim.app', text: '請求' } }, 'payload.texts.ja.title', 'link'],
    [
      'a wallet address',
      { en: { title: 'News', text: `Send to 0x${'a1'.repeat(20)}` } },
      ...(['payload.texts.en.text', 'address'] as const),
    ],
  ])('with %s is refused', async (_what, texts, field, problem) => {
    const { status, data } = await tryPrepare(server, operator, 'announcement', { texts, expires_at: null })
    expect([status, data]).toMatchObject([400, { error: 'VALIDATION_FAILED', details: { field, problem } }])
  })

  test.each([
    ['without English', { ja: en }],
    ['with half a language', { en, ja: { title: 'メンテナンス', text: ' ' } }],
    ['with another language', { en, fr: en }],
    ['with a long title', { en: { title: 'a'.repeat(61), text: 'Text' } }],
    ['with a long text', { en: { title: 'News', text: 'a'.repeat(1201) } }],
  ])('%s is refused', async (_what, texts) => {
    const answer = await tryPrepare(server, operator, 'announcement', { texts, expires_at: null })
    expect(answer).toMatchObject({ status: 400, data: { error: 'VALIDATION_FAILED' } })
  })

  test('is not published if its end passed before the approval', async () => {
    const past = { ...draft(), expires_at: new Date(now().getTime() - 1000).toISOString() }
    expect((await tryPrepare(server, operator, 'announcement', past)).data.details.field).toBe(
      'payload.expires_at',
    )
    const soon = draft({ expires_at: new Date(now().getTime() + 60_000).toISOString() })
    const proposal = await prepare(server, operator, 'announcement', soon)
    offsetMs += 120_000
    expect((await decide(server, approver, proposal)).data).toMatchObject({ error: 'VALIDATION_FAILED' })
  })
})

describe('members', () => {
  test('read it in their language, or in English if none is written, and close it for themselves', async () => {
    const { id } = await announce()
    const ja = { title: 'メンテナンス', text: '日曜日です。', language: 'ja' }
    expect(await home(member, 'ja')).toMatchObject(ja)
    expect((await listed('ja'))[0]).toMatchObject(ja)
    expect(await home(member, 'ko')).toMatchObject({ title: `Maintenance ${titles}`, language: 'en' })
    const other = await signIn(server, newWallet())
    expect((await post(`me/announcements/${id}/dismiss`, {})).code).toBe(200)
    expect((await post(`me/announcements/${id}/dismiss`, {})).code).toBe(200)
    expect(await home()).not.toMatchObject({ announcement_id: id })
    expect(await home(other)).toMatchObject({ announcement_id: id })
    expect((await listed())[0]).toMatchObject({ announcement_id: id })
    expect((await operated()).dismissed).toBe(1)
    expect((await post('me/announcements/999999/dismiss', {})).data.error).toBe('NOT_FOUND')
  })

  test('no longer see it on home once it expires, or after 30 days; the list still has it', async () => {
    const before = (await home())?.announcement_id
    const { id } = await announce({ expires_at: new Date(now().getTime() + DAY_MS).toISOString() })
    expect((await home()).announcement_id).toBe(id)
    offsetMs += 2 * DAY_MS
    expect((await home())?.announcement_id).toBe(before)
    expect((await listed())[0]).toMatchObject({ announcement_id: id })
    expect((await operated()).state).toBe('expired')
    await announce()
    offsetMs += 31 * DAY_MS
    member = await signIn(server, member.wallet)
    expect(await home()).toBeNull()
    operator = await newAdmin(server, 'operator')
    approver = await newAdmin(server, 'approver')
  })

  test('who chose the kind get exactly one notice, in their language and channel; others get none', async () => {
    const [english, japanese, korean, none] = await Promise.all(
      Array.from({ length: 4 }, () => signIn(server, newWallet())),
    )
    const emails = [
      await subscribe(english!),
      await subscribe(japanese!, 'ja'),
      await subscribe(korean!, 'ko'),
    ]
    const without = await subscribe(none!, 'en', false)
    await post('me/notices/push', service.registration('p'), english!)
    await sql`delete from notice_deliveries`.execute(db())
    await post('me/notices/choose', { kind: 'announcement', channel: 'push', on: true }, english!)
    const long = 'a'.repeat(1000)
    await announce({
      texts: { en: { title: 'Fees', text: long }, ja: { title: '手数料', text: '下がります' } },
    })
    await write()
    await write()
    await deliver()
    expect(emails.map((email) => mailsTo(email).map(({ headers }) => headers.subject))).toEqual([
      ['Fees'],
      ['手数料'],
      ['Fees'],
    ])
    expect(mailsTo(without)).toEqual([])
    expect(mailsTo(emails[1]!)[0]!.text).toContain('http://rif.test:8080/pages/my/announcements')
    expect(mailsTo(emails[0]!)[0]!.text).toContain(long)
    expect(service.problems).toEqual([])
    expect(service.pushed.map(({ content }) => [content.title, content.body?.length])).toEqual([
      ['Fees', 240],
    ])
    expect((await operated()).sent).toEqual({
      writing: false,
      members: 3,
      mails: 3,
      pushes: 1,
      given_up: 0,
    })
  })
})

describe('withdrawing', () => {
  test('hides it at once and sends nothing more; it is logged', async () => {
    const email = await subscribe(member)
    const { id } = await announce()
    await write()
    const path = `admin/announcements/${id}/withdraw`
    expect((await call(server, path, { as: approver, payload: { reason: 'wrong day' } })).status).toBe(403)
    expect((await call(server, path, { as: member, payload: { reason: 'wrong day' } })).status).toBe(403)
    expect((await call(server, path, { as: operator, payload: { reason: 'wrong day' } })).code).toBe(200)
    expect((await call(server, path, { as: operator, payload: { reason: 'again' } })).data.error).toBe(
      'NOT_FOUND',
    )
    await deliver()
    expect(mailsTo(email)).toEqual([])
    expect((await home())?.announcement_id).not.toBe(id)
    expect((await listed()).map((item: { announcement_id: string }) => item.announcement_id)).not.toContain(
      id,
    )
    expect(await operated()).toMatchObject({
      state: 'withdrawn',
      sent: { members: 1, mails: 0, given_up: 1 },
      withdrawn: { by: operator.address.toLowerCase(), reason: 'wrong day' },
    })
    const { items } = (await call(server, 'admin/log?action=announcement.withdraw', { as: operator })).data
    expect(items[0]).toMatchObject({ subject: `announcement/${id}`, reason: 'wrong day' })
  })

  test('before the notices are written leaves none to write', async () => {
    await subscribe(member)
    const { id } = await announce()
    await call(server, `admin/announcements/${id}/withdraw`, {
      as: operator,
      payload: { reason: 'wrong day' },
    })
    await write()
    expect((await operated()).sent).toMatchObject({ writing: false, members: 0 })
  })
})

test('a worker that dies between batches leaves each member exactly one notice, and single notices go first', async () => {
  const many = 1_200
  await sql`
    with made as (
      insert into members (address, invite_code, joined_at, sponsor_id, section, invited_no)
      select '0x' || lpad(to_hex(n), 40, '0'), translate(lpad((n + 200000)::text, 8, '2'), '01', 'AB'), now(),
        ${server.root.memberId}, 'left', n
      from generate_series(1, ${many}) as n returning member_id
    ), chosen as (
      insert into notice_members (member_id, mail, push, locale, changed_at)
      select member_id, '{announcement}', '{}', 'en', now() from made returning member_id
    ) insert into notice_emails (member_id, sealed, address_hash, created_at, confirmed_at)
    select member_id, ${randomBytes(60)}, ${randomBytes(32)}, now(), now() from chosen`.execute(
    server.database.adminDb,
  )
  const { id } = await announce()
  let steps = 0
  const dying = createNoticeSpreads({
    db: db(),
    now,
    audiences: () => ({
      async announcement(dbTx, memberIds) {
        // The connection breaks in the middle of the second transaction, as when the process is killed.
        if (++steps === 2) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(dbTx)
        return memberIds.map((memberId) => ({ memberId, facts: {} }))
      },
    }),
  })
  await expect(dying.writeDue()).rejects.toThrow()
  expect((await operated()).sent).toMatchObject({ writing: true, members: 500 })
  await Promise.all([write(), write(), write()])
  await write()
  const { rows } = await sql<{ notices: number; members: number; deliveries: number }>`
    select count(*)::integer as notices, count(distinct member_id)::integer as members,
      (select count(*)::integer from notice_deliveries) as deliveries
    from notices where event = ${`announcement/${id}`}`.execute(db())
  expect(rows).toEqual([{ notices: many, members: many, deliveries: many }])
  expect((await operated()).sent).toMatchObject({ writing: false, members: many, given_up: 0 })

  const email = await subscribe(member, 'en', false)
  await inTx(db(), (dbTx) =>
    notify(dbTx, {
      memberId: member.memberId,
      event: 'one',
      topic: 'claim_ready',
      at: now(),
      facts: { id: '1', amount: '5.000000', asset: 'USDT' },
    }),
  )
  const [first] = await takeDeliveries(db(), now(), { firstMs: 0, maxMs: 0, limit: 1 })
  expect(first).toMatchObject({ topic: 'claim_ready', memberId: member.memberId })
  await Promise.all([deliver(), deliver()])
  expect(mailsTo(email).map(({ headers }) => headers.subject)).toEqual(['Withdrawal ready'])
  // None of these addresses can be opened, so each delivery is given up, once.
  expect((await operated()).sent).toMatchObject({ members: many, mails: 0, given_up: many })
})

test('webhooks report it by number, without its text', async () => {
  const events = ['announcement.published', 'announcement.withdrawn']
  const owner = await newAdmin(server, 'owner')
  const url = 'https://books.example.org/hooks'
  const payload = { endpoint_id: null, name: 'books', url, events, active: true }
  await decide(server, owner, await prepare(server, operator, 'webhook', payload))
  const { id, proposal } = await announce()
  await call(server, `admin/announcements/${id}/withdraw`, { as: operator, payload: { reason: 'wrong day' } })
  const { rows } = await sql`select kind, data from webhook_events order by event_id`.execute(db())
  expect(rows).toEqual([
    {
      kind: 'announcement.published',
      data: {
        actor: approver.address.toLowerCase(),
        action: 'announcement.publish',
        subject: `announcement/${id}`,
        proposal_id: proposal.proposal_id,
      },
    },
    expect.objectContaining({ kind: 'announcement.withdrawn' }),
  ])
})
