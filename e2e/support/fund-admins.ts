import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Running } from './product.ts'

const ROOT = join(import.meta.dirname, '../..')
const CHILD = 'apps/server/src/testing/fund-admin-child.ts'

/**
 * What the fund's admins do, through the product's own services in a small process of their own: open a product, publish a
 * NAV, attest proceeds, approve a redemption, have the bills made. `hoursAhead` sets their clocks, back when it is below 0.
 */
export async function fundAdmins(
  { rpcUrl, databaseUrl, contracts }: Running,
  tasks: readonly object[],
  hoursAhead = 0,
): Promise<Record<string, string>[]> {
  const clockAheadMs = hoursAhead * 3_600_000
  const argument = JSON.stringify({ databaseUrl, rpcUrl, contracts, clockAheadMs, tasks })
  const node = ['--import', 'tsx', '--conditions=source', CHILD, argument]
  const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: ROOT })
  return JSON.parse(stdout)
}
