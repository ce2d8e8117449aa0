import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createOutgoing, OutgoingRefused } from './outgoing.ts'

/** The answers of the resolver, one per query; the last one is repeated. */
const answers: { address: string; family: number }[][] = []
let queries = 0
const resolve = async () => answers[Math.min(queries++, answers.length - 1)]!

const v4 = (address: string) => ({ address, family: 4 })
const v6 = (address: string) => ({ address, family: 6 })
const PUBLIC = v4('1.1.1.1')
let connections = 0
const inside = createTcp((socket) => {
  connections++
  socket.destroy()
})
let port: number

beforeAll(async () => {
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  port = (inside.address() as AddressInfo).port
})
afterAll(() => void inside.close())
beforeEach(() => {
  answers.length = 0
  queries = 0
  connections = 0
})

const send = (timeoutMs = 300) =>
  createOutgoing({ timeoutMs, resolve }).send({
    url: `https://rebind.test:${port}/`,
    method: 'GET',
    headers: {},
  })

it('a name that becomes internal after the check is resolved once, and no internal host is reached', async () => {
  answers.push([PUBLIC], [v4('127.0.0.1')])
  await expect(send()).rejects.not.toThrow(OutgoingRefused)
  expect([queries, connections]).toEqual([1, 0])
})

it.each([
  ['an internal address behind a public one', [PUBLIC, v4('127.0.0.1')]],
  ['an internal address before a public one', [v4('10.0.0.1'), PUBLIC]],
  ['the service of metadata', [v4('169.254.169.254')]],
  ['a mapped address', [v6('::ffff:127.0.0.1')]],
  ['a translated address', [v6('64:ff9b::7f00:1')]],
  ['an internal address of version 6 behind a public one', [v6('2606:4700::1111'), v6('fd00::1')]],
  ['no address', []],
])('a name with %s is refused', async (_what, addresses) => {
  answers.push(addresses)
  await expect(send()).rejects.toThrow(OutgoingRefused)
  expect(connections).toBe(0)
})

it('a slow response is cut off at the time limit, even after its head', async () => {
  const slow = createServer((_request, reply) => {
    reply.writeHead(200).flushHeaders()
    const timer = setInterval(() => reply.write('.'), 20)
    reply.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(slow.address() as AddressInfo).port}`
  const outgoing = createOutgoing({ localHosts: [host], timeoutMs: 200 })
  await expect(outgoing.send({ url: `http://${host}/`, method: 'GET', headers: {} })).rejects.toThrow()
  slow.closeAllConnections()
  slow.close()
})
