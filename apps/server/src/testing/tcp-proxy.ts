import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** Sets the destination of new connections. */
  setTarget(port: number): void
  /** `open` forwards; `cut` closes and refuses connections; `silent` keeps them and forwards nothing. */
  setState(state: 'open' | 'cut' | 'silent'): void
  close(): Promise<void>
}

/** A proxy between the product and PostgreSQL that can interrupt the connections. */
export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  let target = targetPort
  let state: 'open' | 'cut' | 'silent' = 'open'
  const pairs = new Set<readonly [Socket, Socket]>()

  const server = createServer((client) => {
    if (state === 'cut') {
      client.destroy()
      return
    }
    const upstream = connect(target, '127.0.0.1')
    const pair = [client, upstream] as const
    pairs.add(pair)
    for (const [from, to] of [pair, [upstream, client] as const]) {
      from.on('error', () => undefined)
      from.on('close', () => {
        pairs.delete(pair)
        to.destroy()
      })
      from.pipe(to)
    }
    if (state === 'silent') for (const socket of pair) socket.pause()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  function setState(next: typeof state): void {
    state = next
    for (const pair of pairs) {
      for (const socket of pair) {
        if (next === 'cut') socket.destroy()
        else if (next === 'silent') socket.pause()
        else socket.resume()
      }
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    setTarget(port) {
      target = port
    },
    setState,
    async close() {
      setState('cut')
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
