import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** A machine of a cluster with members' rows, and whether the coordinator reaches it. */
export interface MachineState {
  /** Host and port. */
  readonly address: string
  readonly isAnswering: boolean
}

/** Reports whether the tables of a database are distributed over machines. Without Citus this function does not exist. */
export async function isCluster(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isCluster: boolean }>`
    select to_regproc('run_command_on_workers') is not null as "isCluster"`.execute(db)
  return rows[0]!.isCluster
}

/** Asks the machines with members' rows whether they answer. Returns none if all tables are on one machine. */
export async function machineStates(db: Db): Promise<readonly MachineState[]> {
  if (!(await isCluster(db))) return []
  const { rows } = await sql<MachineState>`
    select nodename || ':' || nodeport as address, success as "isAnswering"
    from run_command_on_workers('select 1')`.execute(db)
  return rows
}
