import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { markdownTable } from '../bench/kit/report.ts'
import { allFaults, type Fault } from './faults.ts'
import { createLoad } from './load.ts'
import type { Call } from './member.ts'
import { type Product, startProduct } from './product.ts'

const MEMBERS = 8
const AROUND_MS = 2000
const RECOVERY_TIMEOUT_MS = 120_000
const PROBE_MS = 250

interface Outcome {
  readonly fault: Fault
  readonly calls: readonly Call[]
  readonly operations: number
  /** Seconds after the end of the fault until every part works and a member's money moves again. */
  readonly recoverySeconds: number
  /** The failures; empty if the product withstood the fault. */
  readonly problems: readonly string[]
}

// `npm run chaos [-- --only TEXT]`: the product under a mixed load, with faults between its parts.
const { values } = parseArgs({ options: { only: { type: 'string' } } })
const faults = allFaults().filter(({ name }) => !values.only || name.includes(values.only))
const product = await startProduct(MEMBERS)
const outcomes: Outcome[] = []
try {
  for (const fault of faults) {
    if (fault.needsDisk && product.disk === null) {
      console.log(`${fault.name}: left out, because this user may not mount a disk`)
      continue
    }
    const outcome = await withstand(product, fault)
    outcomes.push(outcome)
    const verdict = outcome.problems.length === 0 ? 'ok' : `FAILED: ${outcome.problems.join('; ')}`
    console.log(`${fault.name}: recovered in ${outcome.recoverySeconds.toFixed(1)} s, ${verdict}`)
  }
} finally {
  await product.close()
}
console.log(`\n${table(outcomes)}\n`)
const failed = outcomes.filter(({ problems }) => problems.length > 0).length
console.log(`chaos: ${outcomes.length - failed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

/** Runs the load with one fault in the middle, until the books of all started operations can be audited. */
async function withstand(product: Product, fault: Fault): Promise<Outcome> {
  const load = createLoad(product.browsers)
  const problems: string[] = []
  const first = product.calls.length
  load.start()
  await sleep(AROUND_MS)
  const end = await fault.begin(product)
  await sleep(fault.seconds * 1000)
  await end()
  const ended = performance.now()
  await recovered(product).catch((error: Error) => problems.push(error.message))
  const recoverySeconds = (performance.now() - ended) / 1000
  await sleep(AROUND_MS)
  await load.finish()
  const { code, output } = await product.programs.run('audit')
  if (code !== 0) problems.push(`rif audit: ${output.trim()}`)
  const calls = product.calls.slice(first)
  // A 500 response does not help a member, and tells the operator only that a case was not handled.
  const unforeseen = calls.filter(({ status }) => status === 500)
  if (unforeseen.length > 0) {
    const causes = (await product.programs.logOf('serve')).filter((line) =>
      line.includes('"code":"INTERNAL"'),
    )
    problems.push(`${unforeseen.length} answers of 500 (${unforeseen[0]!.path}): ${causes.at(-1)}`)
  }
  return {
    fault,
    calls,
    operations: load.done(),
    recoverySeconds,
    problems: [...problems, ...load.problems()],
  }
}

/** Waits until `/status` reports that all works and a member can read and move money at the first attempt. */
async function recovered({ ready, browsers }: Product): Promise<void> {
  const deadline = Date.now() + RECOVERY_TIMEOUT_MS
  const [browser, partner] = browsers
  for (;;) {
    await ready(deadline - Date.now())
    const read = await browser!.try('me')
    const amount = { asset: 'USDT', amount: '1', address: partner!.account.address }
    const moved = read.status === 200 && (await browser!.try('transfer', amount))
    if (moved && moved.status === 200) return
    if (Date.now() > deadline) throw new Error(`not recovered: ${moved ? moved.error : read.error}`)
    await sleep(PROBE_MS)
  }
}

function table(outcomes: readonly Outcome[]): string {
  return markdownTable(
    ['fault', 'operations', 'calls', 'p50', 'p99', 'answers other than 200', 'recovery', 'audit and load'],
    outcomes.map(({ fault, calls, operations, recoverySeconds, problems }) => {
      const times = calls.map(({ ms }) => ms).sort((a, b) => a - b)
      const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(0)} ms`
      return [
        fault.name,
        String(operations),
        String(calls.length),
        at(0.5),
        at(0.99),
        refusalsOf(calls),
        `${recoverySeconds.toFixed(1)} s`,
        problems.length === 0 ? 'clean' : problems[0]!,
      ]
    }),
  )
}

/** Returns the number of responses by status and error code, most frequent first. */
function refusalsOf(calls: readonly Call[]): string {
  const counts = new Map<string, number>()
  for (const { status, error } of calls) {
    if (status === 200) continue
    const name = status === 0 ? 'no answer' : `${status} ${error}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return (
    [...counts]
      .sort((a, b) => b[1] - a[1])
      .map(([name, count]) => `${name} x${count}`)
      .join(', ') || 'none'
  )
}
