import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { useSecurityHeaders } from './security.ts'

async function connectionsOf(settings: Partial<Parameters<typeof useSecurityHeaders>[1]>) {
  const app = Fastify()
  useSecurityHeaders(app, { publicUrl: 'https://app.example', browserRpcUrl: '/rpc', ...settings })
  app.get('/', async () => '')
  const policy = String((await app.inject('/')).headers['content-security-policy'])
  return /connect-src ([^;]*)/.exec(policy)?.[1]
}

it('lets a page connect to the relay and the node only with WalletConnect', async () => {
  const walletConnect = { relayUrl: 'wss://relay.example/v2?x=1' }
  const browserRpcUrl = 'https://node.example/rpc'
  expect(await connectionsOf({ browserRpcUrl })).toBe("'self'")
  expect(await connectionsOf({ walletConnect, browserRpcUrl })).toBe(
    "'self' wss://relay.example https://node.example",
  )
  expect(await connectionsOf({ walletConnect, browserRpcUrl: 'https://app.example/rpc' })).toBe(
    "'self' wss://relay.example",
  )
})
