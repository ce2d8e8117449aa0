import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { withConnection } from '../db/connection.ts'
import { createDatabase, type Database } from '../db/database.ts'
import { createLogger } from '../lib/logger.ts'
import { StartError } from '../lib/start-error.ts'
import { startTestReplica, type TestReplica } from '../testing/test-replica.ts'
import { WAIT } from '../testing/wait.ts'
import { openReplica } from './replica.ts'

let servers: TestReplica
let primary: Database
const lines: string[] = []
const log = createLogger({ level: 'warn', stream: { write: (line) => void lines.push(line) } })

beforeAll(async () => {
  servers = await startTestReplica()
  primary = createDatabase({ url: servers.primaryUrl, max: 2, applicationName: 'rif-test' })
  const onPrimary = (text: string) => withConnection(servers.primaryUrl, (client) => client.query(text))
  await onPrimary('create database other')
  await onPrimary("create role stranger login password 'secret'")
  await onPrimary("create role auditor login password 'secret' in role rif_app")
  await vi.waitFor(
    () => withConnection(at({ username: 'auditor', password: 'secret' }), () => Promise.resolve()),
    WAIT,
  )
})
afterAll(async () => {
  await primary.close()
  await servers.close()
})

/** Returns the address of the replica with changes. */
const at = (changes: Partial<URL> = {}) => Object.assign(new URL(servers.replicaUrl), changes).href
/** Opens a replica and runs one statement on it, as an audit does. */
async function open(replicaUrl: string, databaseUrl = servers.primaryUrl): Promise<void> {
  const opened = await openReplica({ replicaUrl, databasePoolSize: 4 }, { databaseUrl, db: primary.db }, log)
  await opened!.pool.query('select from guard_audits').finally(opened!.close)
}
/** Returns the one line that refuses a replica. */
async function refusal(replicaUrl: string): Promise<string> {
  const error = await open(replicaUrl).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StartError)
  return (error as StartError).message
}
const SECRET = { username: 'auditor', password: 'secret' }

test('a streaming replica is accepted, and so is the database itself', async () => {
  await open(servers.replicaUrl)
  await open(at(SECRET), servers.primaryUrl)
  await open(servers.primaryUrl)
  expect(lines).toEqual([])
})

test.each([
  [
    'a wrong password',
    { ...SECRET, password: 'wrong' },
    /^the database refuses DATABASE_REPLICA_URL: password/,
  ],
  [
    'a database that does not exist',
    { pathname: '/none' },
    /^the database refuses DATABASE_REPLICA_URL: database/,
  ],
  [
    'another database of the server',
    { pathname: '/other' },
    /^DATABASE_REPLICA_URL leads to another database than DATABASE_URL: it needs a streaming replica of it$/,
  ],
  [
    'a login without rights',
    { ...SECRET, username: 'stranger' },
    /^the login of DATABASE_REPLICA_URL is neither rif_app nor a member of it$/,
  ],
])('%s is refused in one line', async (_what, changes, line) => {
  const message = await refusal(at(changes))
  expect(message).toMatch(line)
  expect(message).not.toMatch(/\n|wrong$/)
})

test('another server is refused, also if its database has the same oid', async () => {
  const postgres = (url: string) => new URL('/postgres', url).href
  const opened = open(postgres(inject('databaseServerUrl')), postgres(servers.primaryUrl))
  await expect(opened).rejects.toThrow(/^DATABASE_REPLICA_URL leads to another database/)
})

test('a replica that was promoted, and follows no more, is refused', async () => {
  await servers.promote()
  expect(await refusal(servers.replicaUrl)).toBe(
    'DATABASE_REPLICA_URL leads to a copy of the database that no longer follows it: it needs a streaming replica',
  )
})

test('a replica that does not answer is not refused, and the log says so', async () => {
  await servers.stopReplica()
  await expect(open(servers.replicaUrl)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(lines.splice(0).map((line) => JSON.parse(line).msg)).toEqual([
    'the replica does not answer and is not checked; audits read the database until it does',
  ])
})
