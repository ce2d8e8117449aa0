import type pg from 'pg'

/** Has an owner's later triggers stand on every machine of a cluster, which Citus refuses unless it is told to. Does nothing elsewhere. */
export const allowTriggers = (owner: pg.Client) => owner.query('set citus.enable_unsafe_triggers = on')

/**
 * Runs statements as the owner of the tables with the triggers disabled, which the server itself cannot do. One by one, because Citus
 * tells the other machines of a setting when it is a statement of its own.
 */
export async function tamperAs(owner: pg.Client | pg.PoolClient, ...statements: string[]): Promise<void> {
  await owner.query('begin')
  try {
    await owner.query('set local session_replication_role = replica')
    for (const statement of statements) await owner.query(statement)
    await owner.query('commit')
  } catch (error) {
    await owner.query('rollback')
    throw error
  }
}
