import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isDatabaseUnavailable } from './unavailable.ts'

const server = createServer((socket) => socket.end().resume())
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => server.close())

/** Connects to a server that closes its side at once, and returns the error of a write that follows `prepare`. */
async function errorOfWrite(prepare: (socket: Socket) => unknown): Promise<unknown> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  await prepare(socket)
  return new Promise((resolve) => socket.write('a statement', resolve))
}

it.each([
  ['that the server has closed', (socket: Socket) => once(socket.resume(), 'end')],
  ['that was destroyed', (socket: Socket) => socket.destroy()],
  ['that was ended', (socket: Socket) => socket.end()],
])('counts a write to a connection %s as an outage', async (_which, prepare) => {
  const error = await errorOfWrite(prepare)
  expect(error).toBeInstanceOf(Error)
  expect(isDatabaseUnavailable(error), String(error)).toBe(true)
})

it('does not treat a defect of the program as an outage', () => {
  expect(isDatabaseUnavailable(new TypeError('undefined is not a function'))).toBe(false)
})
