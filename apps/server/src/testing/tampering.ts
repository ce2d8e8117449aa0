import type pg from 'pg'

/**
 * Creates the owner's later triggers on every machine of a cluster, which Citus refuses by default. Has no
 * effect elsewhere.
 */
export const allowTriggers = (owner: pg.Client) => owner.query('set citus.enable_unsafe_triggers = on')

/**
 * Runs statements as the owner of the tables with the triggers disabled, which the server itself cannot do.
 * Statement by statement, because Citus propagates a setting to the other machines only when it is a separate
 * statement.
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
