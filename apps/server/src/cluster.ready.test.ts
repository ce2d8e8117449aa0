import { Kysely } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createIndexer } from './chain/indexer/indexer.ts'
import { createDatabase } from './db/database.ts'
import { DistributedDialect } from './db/machines.ts'
import type { DB } from './db/types.gen.ts'
import { createLogger } from './lib/logger.ts'
import { openProxiedMachines } from './testing/proxied-machines.ts'
import { createTestDatabase, isOnCluster } from './testing/test-database.ts'
import { startTestServer } from './testing/test-server.ts'

const METRICS_TOKEN = 'a token for the metrics'

describe.runIf(isOnCluster())('an operator of a cluster', () => {
  it('learns which machines do not answer, while the process stays in service', async () => {
    const database = await createTestDatabase()
    const { machines, ports, setState, close } = await openProxiedMachines(database)
    const { pool } = createDatabase({ url: database.adminUrl, max: 5, applicationName: 'rif-test' })
    const direct = { coordinator: database.db, machines }
    const db = new Kysely<DB>({ dialect: new DistributedDialect({ pool }, direct) })
    const server = await startTestServer({ database: { ...database, db }, metricsToken: METRICS_TOKEN })
    const { system, chain, now } = server.services
    const indexer = createIndexer({
      ...{ db, databaseUrl: database.url, chain, now, log: createLogger({ level: 'silent' }) },
      ...{ startBlock: 1n, confirmations: 1 },
    })
    await indexer.runOnce()
    const metrics = async () =>
      (await server.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } }))
        .body
    const [lost, ...others] = ports.map((port) => `127.0.0.1:${port}`)

    expect((await system.status(db)).machines).toEqual({ ok: true })
    expect(await metrics()).toContain(`rif_machine_ready{machine="${lost}"} 1`)

    setState('cut', ports[0])
    const problem = `1 of ${ports.length} do not answer`
    expect((await system.status(db)).machines).toEqual({ ok: false, problem })
    const text = await metrics()
    expect(text).toContain(`rif_machine_ready{machine="${lost}"} 0`)
    for (const other of others) expect(text).toContain(`rif_machine_ready{machine="${other}"} 1`)
    expect((await server.app.inject('/status')).json()).toMatchObject({
      ...{ ok: false, parts: { machines: { ok: false, problem }, indexer: { ok: true } } },
    })
    expect((await server.app.inject('/ready')).json()).toMatchObject({ ready: true })

    setState('open')
    expect((await system.status(db)).machines).toEqual({ ok: true })
    await indexer.stop()
    await server.close()
    await close()
    await db.destroy()
  })
})
