import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { askChain, sendEarly, takeSent } from './chain-calls.ts'

let server: Server
let url: string
let methods: string[]

beforeEach(async () => {
  methods = []
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      if (request.method === 'POST') methods.push(JSON.parse(body).method)
      response.writeHead(200, { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' })
      response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

it('sends a call once, whether the start of the page or the app comes first', async () => {
  sendEarly(url, [['eth_early', []]])
  const early = takeSent(['eth_early', []])
  expect((await early)?.status).toBe(200)
  expect(takeSent(['eth_early', []])).toBeUndefined()

  expect(takeSent(['eth_late', []])).toBeUndefined()
  await askChain(url, ['eth_late', []])
  sendEarly(url, [['eth_late', []]])
  await takeSent(['eth_late', []])
  expect(methods).toEqual(['eth_early', 'eth_late'])
})
