import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { defaultPlan, type Plan, parsePlan } from '@rif/rules'
import type { Database } from '../db/database.ts'
import { StartError } from '../lib/start-error.ts'
import { compareResults } from '../simulate/comparison.ts'
import { comparisonText } from '../simulate/comparison-text.ts'
import type { ResultLine } from '../simulate/result.ts'
import { parseScenario, ScenarioError, type ScenarioEvent } from '../simulate/scenario.ts'
import { simulate } from '../simulate/simulation.ts'
import { openEmptyDatabase, startScratchServer } from './scratch-database.ts'
import { usageOf } from './usage.ts'

const USAGE = usageOf('simulate')

interface Task {
  readonly events: readonly ScenarioEvent[]
  readonly plan: Plan
  readonly out: string | undefined
}

/**
 * Runs `rif simulate`: runs a scenario through the services on a separate database and writes the result, or,
 * with `--compare`, the differences under another plan. Nothing is written unless everything succeeds.
 */
export async function runSimulate(args: readonly string[]): Promise<number> {
  const { positionals, values } = readArguments(args)
  const [scenario, ...others] = positionals
  if (scenario === undefined || others.length > 0) throw new StartError(USAGE)
  try {
    const task: Task = {
      events: parseScenario(await readText(scenario)),
      plan: await readPlan(values.plan),
      out: values.out,
    }
    if (values.compare === undefined) await runOnce(task, values['database-url'])
    else if (values['database-url'] !== undefined)
      throw new StartError('--compare runs on databases of its own: leave --database-url away')
    else await runBoth(task, await readPlan(values.compare))
    return 0
  } catch (error) {
    if (error instanceof ScenarioError) throw new StartError(`${scenario}: ${error.message}`)
    throw error
  }
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        plan: { type: 'string' },
        compare: { type: 'string' },
        out: { type: 'string' },
        'database-url': { type: 'string' },
      },
    })
  } catch (error) {
    throw new StartError(`${(error as Error).message}\n${USAGE}`)
  }
}

async function runOnce({ events, plan, out }: Task, databaseUrl: string | undefined): Promise<void> {
  const lines =
    databaseUrl === undefined
      ? await onScratchServer(async (create) => simulateOn(await create('simulation'), events, plan))
      : await simulateOn(await openEmptyDatabase(databaseUrl), events, plan)
  await write(out, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

async function runBoth({ events, plan, out }: Task, other: Plan): Promise<void> {
  const comparison = await onScratchServer(async (create) => {
    const before = await simulateOn(await create('simulation_a'), events, plan)
    const after = await simulateOn(await create('simulation_b'), events, other)
    return compareResults(before, after)
  })
  if (out !== undefined) await writeFile(out, `${JSON.stringify(comparison, null, 2)}\n`)
  await write(undefined, comparisonText(comparison))
}

async function onScratchServer<T>(
  work: (create: (name: string) => Promise<Database>) => Promise<T>,
): Promise<T> {
  const server = await startScratchServer()
  try {
    return await work(server.create)
  } finally {
    await server.stop()
  }
}

async function simulateOn(
  database: Database,
  events: readonly ScenarioEvent[],
  plan: Plan,
): Promise<ResultLine[]> {
  try {
    return await simulate(database.db, events, plan)
  } finally {
    await database.close()
  }
}

async function readPlan(path: string | undefined): Promise<Plan> {
  if (path === undefined) return defaultPlan
  let json: unknown
  try {
    json = JSON.parse(await readText(path))
  } catch (error) {
    if (error instanceof SyntaxError) throw new StartError(`${path}: no JSON: ${error.message}`)
    throw error
  }
  const result = parsePlan(json)
  if (!result.ok) throw new StartError(`${path}: ${result.problems.join('; ')}`)
  return result.plan
}

function readText(path: string): Promise<string> {
  return readFile(path, 'utf8')
}

/** Waits for standard output, which may be a pipe that the end of the process would cut off. */
async function write(path: string | undefined, text: string): Promise<void> {
  if (path !== undefined) return writeFile(path, text)
  await new Promise<void>((resolve, reject) =>
    process.stdout.write(text, (error) => (error ? reject(error) : resolve())),
  )
}
