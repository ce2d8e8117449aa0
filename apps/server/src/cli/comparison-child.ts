import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { serialisePlan } from '@rif/rules'
import { INTERRUPTED } from '../jobs/jobs.service.ts'
import type {
  ComparisonResult,
  RunComparison,
} from '../modules/settlement/plan-comparison/plan-comparison.service.ts'

/** A line of standard output of `rif compare-plan`: the progress in ppm, or, as the last line, the result. */
export type ComparisonLine = { readonly progress: number } | { readonly result: ComparisonResult }

/** A comparison that takes longer fails. */
const TIMEOUT_MS = 60 * 60_000
const HEAP_MB = 1_024

/**
 * Computes comparisons in separate processes, `rif compare-plan` on the same database, so that this process
 * keeps serving. A cancelled comparison is killed, because it only reads. After `stop` a running comparison
 * is left to the next worker. `program` starts `rif`; by default in the same way as this process.
 */
export function comparisonInChild(
  databaseUrl: string,
  program: readonly string[] = [...process.execArgv, process.argv[1]!],
): { run: RunComparison; stop(): void } {
  const stopping = new AbortController()
  const run: RunComparison = ({ plan, from, to }, reportProgress, abandoned) =>
    new Promise((resolve, reject) => {
      const { DATABASE_URL_FILE: _, ...others } = process.env
      const signal = AbortSignal.any([abandoned, stopping.signal])
      const child = spawn(
        process.execPath,
        [`--max-old-space-size=${HEAP_MB}`, ...program, 'compare-plan', '-', '--from', from, '--to', to],
        {
          env: { ...others, DATABASE_URL: databaseUrl },
          stdio: ['pipe', 'pipe', 'pipe'],
          signal,
          killSignal: 'SIGKILL',
          timeout: TIMEOUT_MS,
        },
      )
      let errors = ''
      let result: Extract<ComparisonLine, { result: unknown }>['result'] | undefined
      child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
        errors = `${errors}${chunk}`.slice(-2_000)
      })
      createInterface({ input: child.stdout! }).on('line', (text) => {
        const line = JSON.parse(text) as ComparisonLine
        if ('result' in line) result = line.result
        else reportProgress(line.progress)
      })
      child.once('error', (error) => reject(stopping.signal.aborted ? INTERRUPTED : error))
      child.once('close', (code) => {
        if (code === 0 && result !== undefined) resolve(result)
        else reject(new Error(`rif compare-plan ended with ${code}: ${errors.trim()}`))
      })
      // A child that has already ended has written the reason to its other outputs.
      child.stdin!.on('error', () => undefined).end(JSON.stringify(serialisePlan(plan)))
    })
  return { run, stop: () => stopping.abort() }
}
