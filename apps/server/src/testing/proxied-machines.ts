import { sql } from 'kysely'
import { createDatabase } from '../db/database.ts'
import { MemberMachines } from '../db/member-machines.ts'
import { urlOf } from './cluster.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
import type { TestDatabase } from './test-database.ts'

/** The machines of a test cluster, each reached through a proxy. */
export interface ProxiedMachines {
  readonly machines: MemberMachines
  /** The ports of the machines. */
  readonly ports: readonly number[]
  /** Of every machine, or of the one with the given port. */
  setState(state: 'open' | 'cut', port?: number): void
  /** Advances the clock that times the look-up of the machines, in milliseconds. */
  pass(ms: number): void
  close(): Promise<void>
}

export async function openProxiedMachines({ db, adminUrl }: TestDatabase): Promise<ProxiedMachines> {
  const { rows } = await sql<{ port: number }>`
    select nodeport as port from pg_dist_node where shouldhaveshards`.execute(db)
  const proxies = new Map<number, TcpProxy>()
  for (const { port } of rows) proxies.set(port, await startTcpProxy(port))
  let now = 0
  const machines = new MemberMachines({
    now: () => now,
    open: (_, port) =>
      createDatabase({
        url: urlOf(adminUrl, { host: `127.0.0.1:${proxies.get(port)!.port}` }),
        ...{ max: 1, applicationName: 'rif-test', isDistributed: true },
        machine: { ownText: (text) => text, coordinator: db },
      }),
  })
  return {
    machines,
    ports: [...proxies.keys()],
    setState(state, ofPort) {
      for (const [port, proxy] of proxies) if (ofPort === undefined || port === ofPort) proxy.setState(state)
    },
    pass(ms) {
      now += ms
    },
    async close() {
      await machines.close()
      for (const proxy of proxies.values()) await proxy.close()
    },
  }
}
