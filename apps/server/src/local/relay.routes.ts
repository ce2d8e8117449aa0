import type { FastifyInstance } from 'fastify'
import type { Relay } from './chain-relay.ts'

/** `POST /rpc`: the local chain as browsers reach it. JSON-RPC, so without the API's envelope. */
export function relayRoute(app: FastifyInstance, relay: Relay): void {
  app.post('/rpc', async (request) => relay(request.body))
}
