import { randomBytes } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { openDatabase } from '../../cli/database.ts'
import { createClusterDatabase, onServers, urlOf } from '../../testing/cluster.ts'
import { createEmptyDatabase, isOnCluster } from '../../testing/test-database.ts'
import { withConnection } from '../connection.ts'
import { distribute, migrate } from '../migrate.ts'
import { SCHEMA_DIR } from '../schema-files.ts'
import { isDistributed, placementOf } from './distribute.ts'

const silently = () => undefined

describe('distribute refuses in one line', () => {
  it('a database that is not migrated, and one without Citus', async () => {
    const { urls, drop } = await createEmptyDatabase()
    await expect(distribute({ url: urls.owner, report: silently })).rejects.toThrow('run `rif migrate` first')
    await migrate({ url: urls.owner })
    await expect(distribute({ url: urls.owner, report: silently })).rejects.toThrow(
      /^this database has no Citus: .*docs\/scale\.md$/,
    )
    expect(await withConnection(urls.owner, isDistributed)).toBe(false)
    await drop()
  })
})

describe.runIf(isOnCluster())('distribute on a cluster', () => {
  it('continues after a kill, and changes nothing the second time', async () => {
    const servers = { urls: inject('databaseServers'), logins: inject('databaseLogins') }
    const name = `t_${randomBytes(8).toString('hex')}`
    await createClusterDatabase(servers, name)
    const url = urlOf(servers.logins.owner, { pathname: `/${name}` })
    await migrate({ url })
    for (const after of [0, 3, 20, 15]) {
      let steps = 0
      const killed = distribute({
        url,
        report: () => {
          if (steps++ === after) throw new Error('killed')
        },
      })
      await expect(killed).rejects.toThrow('killed')
      await expect(openDatabase(url, 1)).rejects.toThrow('not finished: run `rif distribute`')
    }
    const first = await distribute({ url, report: silently })
    await (await openDatabase(url, 1)).close()
    const steps: string[] = []
    expect(await distribute({ url, report: (step) => steps.push(step) })).toEqual(first)
    expect(steps).toEqual([])
    expect(first.nodes).toBe(servers.urls.length - 1)
    expect((await migrate({ url })).placement).toEqual(first)
    expect(await withConnection(url, placementOf)).toEqual(first)

    // A later version replaces an index of a distributed table, among other statements.
    const dir = await mkdtemp(join(tmpdir(), 'rif-schema-'))
    await cp(SCHEMA_DIR, dir, { recursive: true })
    await mkdir(join(dir, 'migrations'), { recursive: true })
    const later =
      'drop index transfers_sent;\ncreate index transfers_sent on transfers (counterpart_id, member_id);'
    await writeFile(join(dir, 'migrations/9999_later.sql'), later)
    expect(await migrate({ url, dir })).toMatchObject({
      applied: ['9999_later.sql', 'functions'],
      placement: first,
    })
    await rm(dir, { recursive: true })
    await onServers(servers.urls, `drop database ${name} with (force)`)
  })

  it("checks the product's logins with an owner who is no member of their roles", async () => {
    const servers = { urls: inject('databaseServers'), logins: inject('databaseLogins') }
    const name = `t_${randomBytes(8).toString('hex')}`
    await createClusterDatabase(servers, name)
    await onServers(servers.urls, `create role ${name} login createrole`)
    await onServers(servers.urls, `alter database ${name} owner to ${name}`)
    const urlFor = (username: string) => urlOf(servers.logins.owner, { username, pathname: `/${name}` })
    const url = urlFor(name)
    await migrate({ url })
    const logins = ['rif_app', 'rif_read'].map((role) => ({ role, url: urlFor(role) }))
    const { nodes } = await distribute({ url, report: silently, logins })
    expect(nodes).toBe(servers.urls.length - 1)
    const stranger = distribute({
      url,
      report: silently,
      logins: [{ role: 'rif_app', url: urlFor('nobody') }],
    })
    await expect(stranger).rejects.toThrow(/^rif_app cannot log in/)
    await onServers(servers.urls, `drop database ${name} with (force)`)
    await onServers(servers.urls, `drop role ${name}`)
  })
})
