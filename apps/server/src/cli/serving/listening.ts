import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { StartError } from '../../lib/start-error.ts'

/** Lets the API listen. Throws StartError if the port is taken or the host is not of this machine. */
export async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  await app.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, host, port)
  })
}

/** Checks that the port is free before anything starts. Throws StartError otherwise. */
export function checkPort({ host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => reject(listenError(error, host, port)))
    server.listen({ host, port }, () => server.close(() => resolve()))
  })
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartError(`port ${port} is taken: stop the program that uses it, or set PORT to another one`)
  }
  return error.code ? new StartError(`cannot listen on ${host}:${port}: ${error.code} (HOST, PORT)`) : error
}
