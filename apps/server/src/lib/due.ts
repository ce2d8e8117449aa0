/** The number of due rows read at a time. */
const BATCH = 100

interface DueWork<Row> {
  /** Returns at most `limit` due rows that come after one of them, in a fixed order. */
  readonly read: (after: Row | undefined, limit: number) => Promise<Row[]>
  /** Carries one out in a transaction of its own; false when there was nothing to do. */
  readonly carryOut: (row: Row) => Promise<boolean>
  /** The message of the error when some of them failed. */
  readonly failure: string
}

/**
 * Carries out everything that is due, one after the other; returns how many were. One that fails keeps none of the others
 * waiting: an AggregateError with its error is thrown at the end.
 */
export async function carryOutDue<Row>({ read, carryOut, failure }: DueWork<Row>): Promise<number> {
  const failures: unknown[] = []
  let count = 0
  let last: Row | undefined
  for (;;) {
    const due = await read(last, BATCH)
    for (const row of due) {
      await carryOut(row).then(
        (isDone) => {
          if (isDone) count++
        },
        (error: unknown) => failures.push(error),
      )
    }
    last = due.at(-1)
    if (due.length === BATCH) continue
    if (failures.length > 0) throw new AggregateError(failures, failure)
    return count
  }
}
