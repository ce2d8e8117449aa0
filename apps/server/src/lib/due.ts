/** The number of due rows read at a time. */
const BATCH = 100

interface DueWork<Row> {
  /** Returns at most `limit` due rows after a given one, in a fixed order. */
  readonly read: (after: Row | undefined, limit: number) => Promise<Row[]>
  /** Processes one in its own transaction. Returns false if there was nothing to do. */
  readonly carryOut: (row: Row) => Promise<boolean>
  /** The error message if some of them failed. */
  readonly failure: string
}

/**
 * Processes everything that is due, one by one. Returns the number. A failure does not block the others: an
 * AggregateError is thrown at the end.
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
