import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { type ClockStatus, compareClocks } from './clock-watch.ts'
import { markSimulation } from './simulation.ts'

let server: TestServer
let status: ClockStatus = { offsetMs: 0, isRight: true }

beforeAll(async () => {
  server = await startTestServer({ clock: { status: () => status } })
  await markSimulation(server.database.adminUrl, false)
})
afterAll(() => server.close())

const compare = (offsetMs: number) => compareClocks(server.database.db, () => new Date(Date.now() + offsetMs))

test.each([-300_000, -2_000, 2_000, 300_000])('a clock that is %d ms off is wrong', async (offsetMs) => {
  const comparison = await compare(offsetMs)
  expect(comparison.isRight).toBe(false)
  expect(Math.abs(comparison.offsetMs - offsetMs)).toBeLessThan(500)
})

test('a clock within a second is right, and in a simulation every clock is', async () => {
  expect(await compare(0)).toMatchObject({ isRight: true })
  expect(await compare(800)).toMatchObject({ isRight: true })
  await markSimulation(server.database.adminUrl, true)
  expect(await compare(300_000)).toMatchObject({ isRight: true })
  await markSimulation(server.database.adminUrl, false)
})

test('a process with a wrong clock serves reads, and answers 503 to possible writes', async () => {
  const post = () =>
    server.app.inject({ method: 'POST', url: '/api/v1/auth', payload: { message: '', signature: '' } })
  status = await compare(-300_000)
  const refused = await post()
  expect(refused.statusCode).toBe(503)
  expect(refused.json()).toMatchObject({ code: 503, data: { error: 'UNAVAILABLE' } })
  expect(refused.headers['retry-after']).toBe('2')
  expect((await server.app.inject('/api/v1/config')).statusCode).toBe(200)
  const ready = await server.app.inject('/ready')
  expect(ready.statusCode).toBe(503)
  expect(ready.json().checks.clock).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/^-(299|300)\d{3} ms/),
  })
  status = await compare(0)
  expect((await post()).statusCode).toBe(400)
})
