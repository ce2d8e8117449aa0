import { cpus, loadavg } from 'node:os'

export type Row = readonly (string | number)[]

/** A measured figure with its minimum or its maximum. */
export type Floor = { readonly name: string; readonly value: number } & (
  | { readonly atLeast: number }
  | { readonly atMost: number }
)

/** Returns a markdown table in the form of docs/benchmarks.md; whole numbers have thousands separators. */
export function markdownTable(head: readonly string[], rows: readonly Row[]): string {
  const text = (cell: string | number) =>
    typeof cell === 'number' ? Math.round(cell).toLocaleString('en') : cell
  const line = (cells: Row) => `| ${cells.map(text).join(' | ')} |`
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

/** Returns the machine and the runtime of the measurement. */
export function machine(): string {
  const cores = cpus()
  return `${cores.length} cores (${cores[0]?.model.trim() || process.arch}), Node ${process.versions.node}, ${process.platform}`
}

/** Returns the load of the machine in the last minute, as text: beside other work no figure is worth keeping. */
const load = () => loadavg()[0]!.toFixed(1)

/**
 * Runs a benchmark that returns its figures with their floors, prints whether each floor holds, and ends the
 * process with 1 if one does not.
 */
export async function runBenchmark(name: string, benchmark: () => Promise<readonly Floor[]>): Promise<void> {
  const before = load()
  try {
    console.log(`## ${name}\n\n${machine()}\n`)
    for (const floor of await benchmark()) {
      const isMinimum = 'atLeast' in floor
      const isReached = isMinimum ? floor.value >= floor.atLeast : floor.value <= floor.atMost
      const limit = isMinimum ? `at least ${floor.atLeast}` : `at most ${floor.atMost}`
      console.log(`${isReached ? 'ok    ' : 'MISSED'} ${floor.name}: ${floor.value.toFixed(2)}, ${limit}`)
      if (!isReached) process.exitCode = 1
    }
    console.log(`\nload of the machine: ${before} before, ${load()} after`)
  } catch (error) {
    console.error(`${name}: ${(error as Error).message}`)
    process.exitCode = 1
  }
}
