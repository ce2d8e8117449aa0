import { cpus } from 'node:os'

export type Row = readonly (string | number)[]

/** A measured figure with its minimum. */
export interface Floor {
  readonly name: string
  readonly value: number
  readonly atLeast: number
}

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

/**
 * Runs a benchmark that returns its figures with their floors, prints whether each floor holds, and ends the
 * process with 1 if one does not.
 */
export async function runBenchmark(name: string, benchmark: () => Promise<readonly Floor[]>): Promise<void> {
  try {
    console.log(`## ${name}\n\n${machine()}\n`)
    for (const floor of await benchmark()) {
      const held = floor.value >= floor.atLeast
      console.log(
        `${held ? 'ok    ' : 'MISSED'} ${floor.name}: ${floor.value.toFixed(2)}, at least ${floor.atLeast}`,
      )
      if (!held) process.exitCode = 1
    }
  } catch (error) {
    console.error(`${name}: ${(error as Error).message}`)
    process.exitCode = 1
  }
}
