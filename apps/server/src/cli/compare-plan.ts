import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { text as readAll } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { isDay, type Plan, parsePlan } from '@rif/rules'
import type { Config } from '../config.ts'
import { StartError } from '../lib/start-error.ts'
import { createAdminLogService } from '../modules/operators/admin-log/admin-log.service.ts'
import { createPlansService } from '../modules/prices/plans/plans.service.ts'
import { compareBooks } from '../modules/settlement/plan-comparison/plan-comparison.service.ts'
import { createSettlementReplays } from '../modules/settlement/replay/replay.service.ts'
import { withBooks } from './audit.ts'
import type { ComparisonLine } from './comparison-child.ts'
import { usageOf } from './usage.ts'

const USAGE = usageOf('compare-plan')

/** The number of processors left to other programs during the comparison. */
const LOW_PRIORITY = 15
const CONNECTIONS = 1
/** The memory limit, checked after each computed day; the comparison fails above it. */
const MEMORY_LIMIT_BYTES = 2_500_000_000

/**
 * Runs `rif compare-plan`: recomputes settled days of the books under another plan, read-only and with low
 * priority, and prints one JSON object per line: the progress, and finally the result. `-` reads the plan
 * from standard input. Works with or without a running product.
 */
export async function comparePlan(config: Config, args: readonly string[]): Promise<number> {
  const { path, from, to } = readArguments(args)
  const plan = await readPlan(path)
  setPriority(LOW_PRIORITY)
  return withBooks(config, CONNECTIONS, async (db) => {
    const now = () => new Date()
    const plans = createPlansService({ now, adminLog: createAdminLogService({ now }) })
    const replays = createSettlementReplays({ plans })
    const range = await replays.range(db)
    if (range === undefined || from < range.first || to > range.last) {
      throw new StartError('not all days of the range are settled')
    }
    const result = await compareBooks(replays, db, { plan, from, to }, tell)
    await write({ result })
    return 0
  })
}

let reportedPpm = 0

/** Reports every hundredth, and fails before the machine runs out of memory. */
function tell(progressPpm: number): void {
  if (process.memoryUsage.rss() > MEMORY_LIMIT_BYTES) {
    throw new StartError(`the books need more than ${MEMORY_LIMIT_BYTES / 1e9} GB of memory`)
  }
  if (progressPpm - reportedPpm < 10_000) return
  reportedPpm = progressPpm
  process.stdout.write(`${JSON.stringify({ progress: progressPpm } satisfies ComparisonLine)}\n`)
}

function readArguments(args: readonly string[]): { path: string; from: string; to: string } {
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { from: { type: 'string' }, to: { type: 'string' } },
    })
    const [path, ...others] = positionals
    const { from = '', to = '' } = values
    if (path !== undefined && others.length === 0 && isDay(from) && isDay(to) && from <= to) {
      return { path, from, to }
    }
  } catch {
    // An unknown option is reported in the same line.
  }
  throw new StartError(USAGE)
}

async function readPlan(path: string): Promise<Plan> {
  const text = await (path === '-' ? readAll(process.stdin) : readFile(path, 'utf8'))
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new StartError(`${path}: no JSON: ${(error as Error).message}`)
  }
  const result = parsePlan(json)
  if (!result.ok) throw new StartError(`${path}: ${result.problems.join('; ')}`)
  return result.plan
}

/** Waits for standard output, which may be a pipe that the end of the process would cut off. */
function write(line: ComparisonLine): Promise<void> {
  return new Promise((resolve, reject) =>
    process.stdout.write(`${JSON.stringify(line)}\n`, (error) => (error ? reject(error) : resolve())),
  )
}
