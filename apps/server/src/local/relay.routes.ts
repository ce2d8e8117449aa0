import type { FastifyInstance } from 'fastify'
import type { Relay } from './chain-relay.ts'

/** `POST /rpc`: browsers' access to the local chain. JSON-RPC, so without the API's envelope. */
export function relayRoute(app: FastifyInstance, relay: Relay): void {
  app.post('/rpc', async (request) => relay(request.body))
}
