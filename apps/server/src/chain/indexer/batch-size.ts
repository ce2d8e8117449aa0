/** The maximum number of events per transaction. */
const MOST_EVENTS = 200
/** The target time of a transaction of many events: members wait that long for its locks. */
const MOST_MS = 100
const FIRST_EVENTS = 25

/** The number of events per transaction, derived from the duration of the last ones. */
export interface BatchSize {
  readonly events: number
  /** Records that a transaction of `events` events took `ms` milliseconds, including its waits for locks. */
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
