import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { ownerOf } from './database.ts'
import type { Running } from './running.ts'

interface Admins {
  child: ChildProcessByStdio<Writable, Readable, null>
  answers: Interface
}

let admins: Admins | null = null

/**
 * The actions of the fund's admins, through the product's own services in one process for all tests of a worker:
 * open a product, invest and value, propose a valuation, approve a redemption, have the bills made. `hoursAhead` sets their
 * clocks, back when it is below 0. Throws with the task's own error if one fails.
 */
export async function fundAdmins(
  running: Running,
  tasks: readonly object[],
  hoursAhead = 0,
): Promise<Record<string, string>[]> {
  admins ??= start(running)
  const { child, answers } = admins
  const answer = new Promise<string>((resolve, reject) => {
    const ended = () => reject(new Error('the process of the fund admins has ended'))
    child.once('exit', ended)
    answers.once('line', (line) => {
      child.off('exit', ended)
      resolve(line)
    })
  })
  child.stdin.write(`${JSON.stringify({ clockAheadMs: hoursAhead * 3_600_000, tasks })}\n`)
  const { answers: done, error } = JSON.parse(await answer)
  if (error !== undefined) throw new Error(`the fund admins failed: ${error}`)
  return done
}

/** It ends by itself when the worker does, whose end closes its input. */
function start({ rpcUrl, databaseUrl, contracts }: Running): Admins {
  const place = JSON.stringify({ databaseUrl, ownerUrl: ownerOf(databaseUrl), rpcUrl, contracts })
  const program = join(process.env.E2E_CHILD_PROGRAMS as string, 'testing/fund-admin-child.mjs')
  const child = spawn(process.execPath, [program, place], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.once('exit', () => {
    admins = null
  })
  return { child, answers: createInterface(child.stdout) }
}
