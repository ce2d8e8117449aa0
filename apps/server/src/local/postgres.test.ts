import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { withConnection } from '../db/connection.ts'
import { type LocalPostgres, startPostgres } from './postgres.ts'

let dir: string
let server: LocalPostgres

async function start(name: string): Promise<void> {
  dir = await mkdtemp(join(tmpdir(), 'rif-pg-'))
  // The server has another user where the tests run as root.
  await chmod(dir, 0o755)
  server = await startPostgres({ dataDir: join(dir, name), fast: true })
}
afterEach(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

/** Returns the login of a connection, and the address that the server sees it come from: null on a socket. */
const seen = (url: string) =>
  withConnection(url, async (client) => {
    const { rows } = await client.query(
      'select session_user::text as login, host(inet_client_addr()) as "from"',
    )
    return rows[0]
  })

test('the server is reached by its socket with the same logins and passwords', async () => {
  await start('data')
  const app = server.bySocket(server.urls.app)
  expect(await seen(app)).toEqual({ login: 'rif_app', from: null })
  expect(await seen(server.urls.app)).toEqual({ login: 'rif_app', from: '127.0.0.1' })
  const stranger = Object.assign(new URL(app), { password: 'guessed' }).href
  await expect(seen(stranger)).rejects.toThrow('password authentication failed')
})

test.each([
  ['too long', 'd'.repeat(100)],
  ['that the setting could misread', 'data, and more'],
])('a path %s leaves the server on TCP alone', async (_, name) => {
  await start(name)
  expect(server.bySocket(server.urls.app)).toBe(server.urls.app)
  expect(await seen(server.urls.app)).toEqual({ login: 'rif_app', from: '127.0.0.1' })
})
