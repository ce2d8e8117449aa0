import { createECDH, randomBytes } from 'node:crypto'
import type { NoticeSettings } from '@rif/api-schema'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { inTx } from '../db/database.ts'
import { notify } from '../modules/messages/notices/notices.service.ts'
import type { Topic } from '../modules/messages/notices/topics.ts'
import { startMailSink } from './mail-sink.ts'
import { startPushService } from './push-service.ts'
import {
  call,
  callSigned,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from './test-server.ts'

/** The key of the sealed addresses. */
export const KEY = randomBytes(32)
const pair = createECDH('prime256v1')
pair.generateKeys()
// A number with leading zeros is shorter; the setting has 32 bytes.
const privateKey = pair.getPrivateKey('hex').padStart(64, '0')
const push = {
  privateKey: Buffer.from(privateKey, 'hex').toString('base64url'),
  subject: 'mailto:operator@rif.test',
}

export let server: TestServer
export let sink: Awaited<ReturnType<typeof startMailSink>>
/** The push service of the browsers. */
export let service: Awaited<ReturnType<typeof startPushService>>
/** A member for the running test only. */
export let member: SignedIn
let offsetMs = 0
let keys = 0
/** The lines of the server's log. */
export const logged: string[] = []
export const now = () => new Date(Date.now() + offsetMs)
/** Advances the server's clock. */
export function passTime(ms: number): void {
  offsetMs += ms
}

/** Gives a test file its own server that sends mail and push messages, and each of its tests a new member. */
export function useNoticeServer(): void {
  beforeAll(async () => {
    offsetMs = 0
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
}

export const db = () => server.database.db
export const settings = async (as = member): Promise<NoticeSettings> =>
  (await call(server, 'me/notices', { as })).data
export const post = (path: string, payload: object, as = member, headers = {}) =>
  call(server, path, { as, payload, headers })
export const deliver = () => server.services.noticeDelivery.sendDue()
export const mailsTo = (address: string) => sink.mails.filter(({ to }) => to === address)
export const codeIn = (address: string) => /\d{6}/.exec(mailsTo(address).at(-1)!.headers.subject!)![0]
export const newAddress = () => `${randomBytes(6).toString('hex')}@example.org`

export async function confirm(email = newAddress(), as = member, headers = {}): Promise<string> {
  expect((await post('me/notices/email', { email }, as, headers)).code).toBe(200)
  expect((await post('me/notices/email/confirm', { code: codeIn(email) }, as, headers)).code).toBe(200)
  return email
}

export async function withdraw(amount: string, as = member) {
  const at = now()
  await server.services.ledger.post(db(), {
    key: `grant-${keys++}`,
    kind: 'grant',
    cause: { type: 'test', id: '1' },
    at,
    accountingDay: at.toISOString().slice(0, 10),
    lines: [
      {
        memberId: as.memberId,
        asset: 'USDT',
        amountMicros: 50_000_000n,
        source: 'external',
        destination: 'available',
      },
    ],
  })
  const headers = { 'idempotency-key': `withdraw-${keys++}` }
  const payload = { address: as.address, amount, asset: 'USDT' }
  const { data } = await callSigned(server, 'withdraw', { as, payload, headers })
  return data as { withdraw_id: string; status: string }
}

/** Books the posting of a withdrawal in the form of the ledger. */
export async function heldInLedger(as = member): Promise<string> {
  const { rows } = await sql<{ amount: string }>`
    select (amount / 1000000.0)::numeric(20, 6)::text as amount from ledger_postings
    where member_id = ${as.memberId} and kind = 'withdrawal_request'`.execute(db())
  return rows[0]!.amount
}

export const happened = (event: string, topic: Topic, facts = {}) =>
  inTx(db(), (dbTx) => notify(dbTx, { memberId: member.memberId, event, topic, facts, at: now() }))
