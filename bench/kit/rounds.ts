/** One measured figure for each of the compared subjects. */
export type Measurements<Name extends string> = Readonly<Record<Name, () => Promise<number>>>

/**
 * Measures several subjects once per round, one after the other, so that other load on the machine affects
 * all of them alike. Returns all figures in order. The first round warms up and does not count.
 */
export async function inRounds<Name extends string>(
  rounds: number,
  measurements: Measurements<Name>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measurements) as Name[]
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const figure = await measurements[name]()
      if (round > 0) figures[name].push(figure)
      process.stderr.write(
        `${round === 0 ? 'warm-up' : `round ${round}/${rounds}`}: ${name} ${Math.round(figure)}\n`,
      )
    }
  }
  return figures
}

/** Returns the median of the figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * Returns the median of the ratios of each round, so that measurements are compared that are close in time.
 */
export function medianRatio(figures: readonly number[], base: readonly number[]): number {
  return median(figures.map((figure, round) => figure / base[round]!))
}
