import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RpcCall = { id: number; method: string; params: unknown[] }
export type RpcAnswer = { id: number; result?: unknown; error?: { code: number; message: string } }

/** Changes the node's answer to one call. */
export type Tamper = (call: RpcCall, answer: RpcAnswer) => RpcAnswer | Promise<RpcAnswer>

export type RpcProxy = {
  readonly url: string
  /** While true, connections are cut without an answer. */
  setDown(isDown: boolean): void
  setTamper(tamper: Tamper | undefined): void
  close(): Promise<void>
}

/** Sits between the indexer and a real node, and can be as unreliable as public nodes. */
export async function startRpcProxy(nodeUrl: string): Promise<RpcProxy> {
  let isDown = false
  let tamper: Tamper | undefined

  const answer = async (text: string): Promise<string> => {
    const response = await fetch(nodeUrl, {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json' },
    })
    if (tamper === undefined) return response.text()
    const calls = [JSON.parse(text) as RpcCall | RpcCall[]].flat()
    const answers = [(await response.json()) as RpcAnswer | RpcAnswer[]].flat()
    const changed = await Promise.all(
      answers.map((item) => tamper!(calls.find((call) => call.id === item.id)!, item)),
    )
    return JSON.stringify(text.startsWith('[') ? changed : changed[0])
  }

  const server = createServer(async (request, response) => {
    const text = await bodyOf(request)
    const body = isDown ? undefined : await answer(text).catch(() => undefined)
    if (body === undefined) request.socket.destroy()
    else response.setHeader('content-type', 'application/json').end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setDown(value) {
      isDown = value
    },
    setTamper(value) {
      tamper = value
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
