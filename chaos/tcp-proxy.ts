import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../apps/server/src/local/processes.ts'

export interface TcpProxy {
  readonly port: number
  /** While true, open connections are cut and new ones are refused. */
  setCut(isCut: boolean): void
  /** Delays each packet to the server by so many milliseconds. */
  setDelay(ms: number): void
  /** Connects new connections to another port of this machine. */
  setTarget(port: number): void
  close(): Promise<void>
}

/** Listens on 127.0.0.1 and passes connections on to another port of this machine. */
export async function startTcpProxy(initialTarget: number): Promise<TcpProxy> {
  let target = initialTarget
  let delayMs = 0
  let isCut = false
  const sockets = new Set<Socket>()
  const port = await freePort()

  const server = createServer((client) => {
    if (isCut) {
      client.destroy()
      return
    }
    const upstream = connect(target, '127.0.0.1')
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    upstream.pipe(client)
    let sent = Promise.resolve()
    client.on('data', (chunk) => {
      const due = performance.now() + delayMs
      // Packets keep their order when the delay changes.
      sent = sent.then(async () => {
        const waitMs = due - performance.now()
        if (waitMs > 0) await sleep(waitMs)
        if (!upstream.destroyed) upstream.write(chunk)
      })
    })
    client.on('end', () => upstream.end())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    setCut(value) {
      isCut = value
      if (value) for (const socket of sockets) socket.destroy()
    },
    setDelay(ms) {
      delayMs = ms
    },
    setTarget(value) {
      target = value
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
