import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PROJECT_ROOT } from '../config.ts'
import { inTx } from '../db/database.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { createAlarms } from './alarms.ts'
import { ALARMS } from './names.ts'
import { createAlarmSender } from './sender.ts'

const HOUR_MS = 3_600_000

let database: TestDatabase
let owner: pg.Client
let aheadMs = 0
let lines: Record<string, unknown>[] = []
const now = () => new Date(Date.now() + aheadMs)
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
/** The alarms of a process. */
const newAlarms = () => createAlarms({ db: database.db, now, log })
const raised = () => lines.filter(({ alarm }) => alarm === true)
const messages = async () =>
  (await owner.query('select event, name, subject, detail from alarm_messages order by alarm_id')).rows

beforeAll(async () => {
  database = await createTestDatabase({ max: 4, role: 'rif_app' })
  owner = new pg.Client({ connectionString: database.adminUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await database.close()
})
beforeEach(async () => {
  await owner.query('delete from alarm_messages; delete from alarms')
  lines = []
})

test('an alarm begins and ends once, whichever processes say so', async () => {
  const [first, other] = [newAlarms(), newAlarms()]
  await Promise.all([first, other].map((alarms) => alarms.begin('report_late', { day: '2026-11-28' })))
  await first.begin('report_late', { day: '2026-11-29' })
  expect(raised()).toMatchObject([
    { event: 'begun', name: 'report_late', runbook: 'docs/operations/runbooks.md#report_late' },
  ])
  await Promise.all([first, other].map((alarms) => alarms.end('report_late')))
  await other.end('report_late')
  expect(await messages()).toEqual([
    { event: 'begun', name: 'report_late', subject: '', detail: 'day 2026-11-28' },
    { event: 'ended', name: 'report_late', subject: '', detail: 'day 2026-11-29' },
  ])
})

test('an alarm belongs to the transaction of its cause, and one without an end is said once', async () => {
  const alarms = newAlarms()
  const undone = inTx(database.db, async (dbTx) => {
    await alarms.begin('guard_closed', { cause: 'shortfall' }, { subject: 'shortfall', on: dbTx })
    throw new Error('rolled back')
  })
  await expect(undone).rejects.toThrow('rolled back')
  expect(await messages()).toEqual([])
  for (const instance of [alarms, newAlarms()])
    await instance.once('claim_missed', { block: '7' }, { subject: '12' })
  await alarms.once('claim_missed', { block: '8' }, { subject: '13' })
  expect((await messages()).map(({ event, subject }) => [event, subject])).toEqual([
    ['once', '12'],
    ['once', '13'],
  ])
})

test('what processes see ends a minute after the last one has stopped seeing it, or has died', async () => {
  const [first, other] = [newAlarms(), newAlarms()]
  await first.sees('quorum_lost', { quorum: 2 })
  await other.sees('quorum_lost', { quorum: 2 })
  await first.sees('quorum_lost', null)
  aheadMs += 50_000
  await other.sees('quorum_lost', { quorum: 2 })
  aheadMs += 50_000
  await first.endLapsed()
  expect((await messages()).map(({ event }) => event)).toEqual(['begun'])
  aheadMs += 20_000
  await first.endLapsed()
  await other.endLapsed()
  expect((await messages()).map(({ event }) => event)).toEqual(['begun', 'ended'])
})

test('an alarm that the database cannot take is stored when it answers again', async () => {
  const away = await createTestDatabase({ max: 1 })
  const alarms = createAlarms({ db: away.db, now, log })
  const client = new pg.Client({ connectionString: away.adminUrl })
  await client.connect()
  await client.query('alter table alarms rename to hidden_alarms')
  await alarms.sees('indexer_halted', { reason: 'below L1' })
  expect(lines.map(({ msg }) => msg)).toEqual([ALARMS.indexer_halted])
  await client.query('alter table hidden_alarms rename to alarms')
  await alarms.sees('indexer_halted', { reason: 'below L1' })
  const { rows } = await client.query('select event, name from alarm_messages')
  await client.end()
  await away.close()
  expect(rows).toEqual([{ event: 'begun', name: 'indexer_halted' }])
})

test('a fact that holds the address of a provider is stored with its host only', async () => {
  const err = new Error('request to https://rpc.example/v2/secret-key failed')
  await newAlarms().once('statement_failed', { err }, { subject: '1' })
  expect((await messages())[0].detail).toBe('err request to https://rpc.example failed')
})

test('the operators get an alarm by webhook and e-mail, repeated until each has accepted it', async () => {
  const { db } = database
  const hooks: { headers: IncomingMessage['headers']; body: string }[] = []
  const answers = [500, 200, 200]
  const hook = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      hooks.push({ headers: request.headers, body })
      response.writeHead(answers.shift() ?? 200).end()
    })
  })
  const mails: { to: string[]; text: string }[] = []
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      stream.on('end', () => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text })
        done()
      })
    },
  })
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', () => resolve()))
  const secret = 'a secret of at least 32 characters'
  const output = () => JSON.stringify(lines)
  const sender = createAlarmSender({
    db,
    now,
    log,
    publicUrl: 'https://rif.test',
    receivers: {
      webhook: { url: `http://127.0.0.1:${portOf(hook)}/alarms`, secret },
      email: {
        smtpUrl: `smtp://127.0.0.1:${portOf(mail.server)}`,
        from: 'rif@rif.test',
        to: ['vera@rif.test', 'otto@rif.test'],
      },
    },
  })
  try {
    await newAlarms().begin('guard_closed', { detail: 'the bank holds 1 USDT' }, { subject: 'shortfall' })
    await sender.sendDue()
    expect(mails).toHaveLength(1)
    expect(mails[0]!.text).toContain('Runbook: docs/operations/runbooks.md#guard_closed')
    expect(mails[0]!.to).toEqual(['vera@rif.test', 'otto@rif.test'])
    expect(mails[0]!.text).toContain('the bank holds 1 USDT')
    expect(hooks).toHaveLength(1)
    expect(output()).toContain('the webhook answered 500')
    // Not retried before its pause is over, and then only the undelivered ones.
    await sender.sendDue()
    expect(hooks).toHaveLength(1)
    aheadMs += 60_000
    await sender.sendDue()
    expect(hooks).toHaveLength(2)
    expect(mails).toHaveLength(1)
    aheadMs += HOUR_MS
    await sender.sendDue()
    expect(hooks).toHaveLength(2)

    const { headers, body } = hooks[1]!
    expect(JSON.parse(body)).toMatchObject({
      event: 'begun',
      name: 'guard_closed',
      subject: 'shortfall',
      runbook: 'docs/operations/runbooks.md#guard_closed',
      product: 'https://rif.test',
    })
    expect(JSON.parse(body).id).toBe(JSON.parse(hooks[0]!.body).id)
    const signed = createHmac('sha256', secret).update(`${headers['rif-timestamp']}.${body}`).digest('hex')
    expect(headers['rif-signature']).toBe(signed)
    expect(output()).not.toContain(secret)
  } finally {
    await new Promise((resolve) => hook.close(resolve))
    await new Promise<void>((resolve) => mail.close(() => resolve()))
  }
})

test('an alarm is kept while its server is unreachable, and its address is in no log', async () => {
  const { db } = database
  const silent = createTcpServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const output = () => JSON.stringify(lines)
  const secret = 'hidden: a secret of at least 32 characters'
  const sender = createAlarmSender({
    db,
    now,
    log,
    publicUrl: 'https://rif.test',
    receivers: {
      webhook: { url: `http://127.0.0.1:${port}/hook?key=hidden`, secret },
      email: { smtpUrl: `smtp://me:hidden@127.0.0.1:${port}`, from: 'rif@rif.test', to: ['vera@rif.test'] },
    },
  })
  await newAlarms().once('claim_unmatched', {}, { subject: '1' })
  await sender.sendDue()
  await new Promise((resolve) => silent.close(resolve))
  expect(lines.filter(({ msg }) => msg === 'an alarm was not sent')).toHaveLength(2)
  expect(output()).not.toContain('hidden')
  const { rows } = await owner.query(
    'select attempts, ended_at from alarm_messages order by alarm_id desc limit 1',
  )
  expect(rows).toEqual([{ attempts: 1, ended_at: null }])
})

test('each alarm has a runbook', () => {
  const page = readFileSync(join(PROJECT_ROOT, 'docs/operations/runbooks.md'), 'utf8')
  const runbooks = [...page.matchAll(/^### `(\w+)`\n\n(\S)/gm)].map(([, name]) => name!)
  expect(runbooks.toSorted()).toEqual(Object.keys(ALARMS).toSorted())
})
