import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { defaultPlan, serialisePlan } from '@rif/rules'
import type { Services } from '../../apps/server/src/services.ts'

const RIF = fileURLToPath(new URL('../../apps/server/src/cli/rif.ts', import.meta.url))
/** The heap size with which the server starts the job. */
const HEAP_MB = 1_024
const LOOK_MS = 100

/**
 * Compares a plan over all settled days in a separate process, as the product's job does, and returns the
 * duration and the peak memory of the process. No caller waits for this job, so it has no floor.
 */
export async function measureComparison(
  databaseUrl: string,
  { db, settlementReplays }: Services,
  members: number,
): Promise<string> {
  const range = await settlementReplays.range(db)
  if (range === undefined) throw new Error('no day is settled')
  const begun = performance.now()
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${HEAP_MB}`,
      ...process.execArgv,
      RIF,
      'compare-plan',
      '-',
      '--from',
      range.first,
      '--to',
      range.last,
    ],
    { env: { ...process.env, DATABASE_URL: databaseUrl }, stdio: ['pipe', 'pipe', 'inherit'] },
  )
  let peakMb = 0
  const looks = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    const kilobytes = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0)
    peakMb = Math.max(peakMb, kilobytes / 1_024)
  }, LOOK_MS)
  let isDone = false
  createInterface({ input: child.stdout }).on('line', (line) => {
    isDone ||= 'result' in JSON.parse(line)
  })
  child.stdin.end(JSON.stringify(serialisePlan(defaultPlan)))
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(looks)
  const seconds = (performance.now() - begun) / 1_000
  const what = `A comparison of plans over ${range.first} to ${range.last}, a job in a process of its own`
  const used = `${seconds.toFixed(1)} s, ${Math.round(peakMb)} MB at most`
  if (code !== 0 || !isDone) return `${what}: gave up (${code}) after ${used}`
  return `${what}: ${used}, ${Math.round(members / seconds).toLocaleString('en')} members/s`
}
