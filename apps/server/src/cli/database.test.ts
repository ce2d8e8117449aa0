import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { StartError } from '../lib/start-error.ts'
import { startTcpProxy } from '../testing/tcp-proxy.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { openDatabase } from './database.ts'

test('a database that does not answer at first is retried, and its type is never guessed', async () => {
  const database = await createTestDatabase()
  const proxy = await startTcpProxy(Number(new URL(database.adminUrl).port))
  const url = Object.assign(new URL(database.adminUrl), { host: `127.0.0.1:${proxy.port}` }).href
  const roleOf = async (opened: Awaited<ReturnType<typeof openDatabase>>) => {
    const { rows } = await sql<{ role: string }>`select current_user as role`.execute(opened.db)
    await opened.close()
    return rows[0]!.role
  }
  proxy.setState('cut')
  const [opening, assumedDatabase] = [
    openDatabase(url, 1),
    // A process that can do without the database uses the given assumption.
    await openDatabase(url, 1, { otherwise: { isDistributed: false, hasRole: false } }),
  ]
  proxy.setState('open')
  expect(await roleOf(await opening)).toBe('rif_app')
  expect(await roleOf(assumedDatabase)).toBe(new URL(url).username)
  await proxy.close()
  await expect(openDatabase(url, 1)).rejects.toThrow(StartError)
  await database.close()
})
