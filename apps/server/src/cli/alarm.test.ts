import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startMailSink } from '../testing/mail-sink.ts'
import { runProductProcess } from '../testing/product-process.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'

const SECRET = 'a secret of at least 32 characters'

let database: TestDatabase
let mail: Awaited<ReturnType<typeof startMailSink>>
let hooks: { headers: IncomingMessage['headers']; body: string }[] = []
let status = 200
const hook = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    hooks.push({ headers: request.headers, body })
    response.writeHead(status).end()
  })
})

beforeAll(async () => {
  database = await createTestDatabase({ max: 2 })
  mail = await startMailSink()
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  hook.close()
  await mail.stop()
  await database.close()
})
beforeEach(() => {
  hooks = []
  status = 200
  mail.mails.length = 0
})

/** Runs `rif alarm` with these receivers. Returns its exit code and its output. */
async function alarm(receivers: Record<string, string>, args: readonly string[] = ['test']) {
  const command = await runProductProcess('alarm', { DATABASE_URL: database.url, ...receivers }, args)
  return { code: await command.ended, output: command.output().trim() }
}
const receivers = () => ({
  ALARM_WEBHOOK: JSON.stringify({
    url: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/alarms`,
    secret: SECRET,
  }),
  MAIL: JSON.stringify({
    server: mail.url,
    alarms: { from: 'rif@rif.test', to: ['vera@rif.test', 'otto@rif.test'] },
  }),
})

test('rif alarm test reaches the web server and the mail server, and says so of each', async () => {
  const { code, output } = await alarm(receivers())
  expect(output).toBe('webhook: accepted\nmail to vera@rif.test, otto@rif.test: accepted')
  expect(code).toBe(0)
  expect(hooks).toHaveLength(1)
  const { headers, body } = hooks[0]!
  expect(JSON.parse(body)).toMatchObject({
    event: 'once',
    name: 'test',
    runbook: 'docs/operations/runbooks.md#test',
  })
  const signed = createHmac('sha256', SECRET).update(`${headers['rif-timestamp']}.${body}`).digest('hex')
  expect(headers['rif-signature']).toBe(signed)
  expect(mail.mails).toHaveLength(1)
  expect(mail.mails[0]!.text).toContain('Runbook: docs/operations/runbooks.md#test')
})

test('rif alarm test fails, and names the receiver that refused', { tags: ['full'] }, async () => {
  status = 500
  const { code, output } = await alarm(receivers())
  expect(code).toBe(1)
  expect(output).toContain('webhook: not accepted\nmail to vera@rif.test, otto@rif.test: accepted')
  expect(output).not.toContain(SECRET)
})

test('rif alarm test refuses in one line without a receiver, and shows its usage for other words', {
  tags: ['full'],
}, async () => {
  expect(await alarm({})).toEqual({
    code: 1,
    output: expect.stringMatching(/^rif: no receiver of alarms: set MAIL [^\n]+$/),
  })
  expect(await alarm(receivers(), ['tset'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('alarm test'),
  })
  expect(hooks).toEqual([])
})
