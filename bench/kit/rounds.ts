/** A figure of each of the things compared, measured once. */
export type Measurements<Name extends string> = Readonly<Record<Name, () => Promise<number>>>

/**
 * Measures each of several things once per round, in turns, so that whatever else the machine does meets all of them
 * alike, and returns all figures in order. The first round warms up and does not count.
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

/** The middle of the figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The median of the ratios round by round: two neighbours in time are compared, not two days of the machine. */
export function medianRatio(figures: readonly number[], base: readonly number[]): number {
  return median(figures.map((figure, round) => figure / base[round]!))
}
