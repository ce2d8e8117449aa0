/** The most events of one transaction. */
const MOST_EVENTS = 200
/** The time that a transaction of many events may take: members wait that long for the locks that it holds. */
const MOST_MS = 100
const FIRST_EVENTS = 25

/** The number of events that are applied in one transaction, as it follows from how long the last ones took. */
export interface BatchSize {
  readonly events: number
  /** Records that a transaction of `events` events took `ms` milliseconds, its waits for locks included. */
  took(events: number, ms: number): void
  /** Records that a transaction failed: the next events are applied alone, then two, four ... */
  failed(): void
}

/** Creates the size of batches, which grows while they take less than their time. */
export function createBatchSize(): BatchSize {
  let events = FIRST_EVENTS
  return {
    get events() {
      return events
    },
    took(applied, ms) {
      const inTime = Math.floor((applied * MOST_MS) / Math.max(ms, 1))
      events = Math.max(1, Math.min(MOST_EVENTS, 2 * events, inTime))
    },
    failed() {
      events = 1
    },
  }
}
