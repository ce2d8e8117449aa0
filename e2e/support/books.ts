import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { rows } from './database.ts'

const RIF = join(import.meta.dirname, '../../apps/server/src/cli/rif.ts')

/** The sum of an account in micro-units. */
export type Account = (name: string) => bigint

/**
 * Reads the sums of all accounts out of every posting. Accounts of members that have one name are added up, and so are those
 * of the fund's custody.
 */
export async function accounts(asset: 'USDT' | 'AMC' = 'USDT'): Promise<Account> {
  const sums = await rows(`
    select split_part(account, ':', 1) as account, sum(side.amount) as sum from ledger_postings as p,
      lateral (values (p.destination, p.amount), (p.source, -p.amount)) as side (account, amount)
    where p.asset = '${asset}' group by 1`)
  const read = new Map(sums.map((sum) => [sum.account, BigInt(sum.sum!)]))
  return (name) => read.get(name) ?? 0n
}

/** Runs `rif audit` on the product under test. Returns its report, `The books agree.` at the end when it finds nothing. */
export async function audit(): Promise<string> {
  const env = { ...process.env, DATA_DIR: process.env.E2E_DATA_DIR }
  return new Promise((resolve) => {
    execFile(process.execPath, [RIF, 'audit'], { env }, (_error, stdout, stderr) =>
      resolve(`${stdout}${stderr}`.trim()),
    )
  })
}

/**
 * Returns the differences that `rif audit` finds, without those of publications: the tests' own have no report, as their days
 * have not come by the product's clock.
 */
export async function differences(): Promise<string[]> {
  const report = await audit()
  const lines = report.split('\n')
  // An audit that could not run.
  if (!/The books agree\.|difference\(s\) found\./.test(report)) return lines
  return lines.filter(
    (line) => /^[a-z ]+: /.test(line) && !/^(note|solvency publication|solvency on chain): /.test(line),
  )
}
