import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../api/members.ts'

const AT_ONCE = 50
const MOST_ATTEMPTS = 20
const BUSY_MS = 1_000
const FRAME = 'data: {"kinds":["pauses"]}'

export interface Clients {
  /**
   * Waits until every client has received another event. Returns the delays in ms after `from`, without the
   * clients that received none in time.
   */
  next(from: number): Promise<number[]>
  close(): void
}

/** Opens streams of several callers at a server, with as many tabs per caller as needed. */
export async function openClients(
  port: number,
  callers: readonly Caller[],
  count: number,
  waitMs: number,
): Promise<Clients> {
  const sockets: Socket[] = []
  let onFrame: () => void = () => undefined

  /** A machine under other load may respond that it is busy. */
  async function openOne(index: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await tryOne(index)
      } catch (error) {
        if (attempt === MOST_ATTEMPTS) throw error
        await sleep(BUSY_MS)
      }
    }
  }

  async function tryOne(index: number): Promise<void> {
    const { token, address } = callers[index % callers.length]!
    const socket = connect({ port, host: '127.0.0.1' })
    socket.write(
      `GET /api/v1/changes HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\nx-wallet-address: ${address}\r\n\r\n`,
    )
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('a stream was closed')))
      socket.once('data', (part: Buffer) => {
        const text = part.toString('latin1')
        if (text.startsWith('HTTP/1.1 200')) return resolve()
        socket.destroy()
        return reject(new Error(text.slice(0, 400)))
      })
    })
    sockets.push(socket)
    socket.on('data', (part: Buffer) => {
      if (part.includes(FRAME)) onFrame()
    })
  }

  for (let index = 0; index < count; index += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - index) }, (_, place) => index + place)
    await Promise.all(some.map(openOne))
  }

  return {
    next: (from) =>
      new Promise((resolve) => {
        const times: number[] = []
        const end = () => {
          clearTimeout(timer)
          onFrame = () => undefined
          resolve(times)
        }
        const timer = setTimeout(end, waitMs)
        onFrame = () => {
          times.push(performance.now() - from)
          if (times.length === count) end()
        }
      }),
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
