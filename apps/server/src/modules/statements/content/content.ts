/** A row of a file: a cell per column, as the CSV has it. */
export type Row = readonly string[]

/** The content of a file, read from one snapshot of the ledger. */
export interface Content {
  /** The headings of the CSV. They are names for programs, in English. */
  readonly columns: readonly string[]
  /** The number of entries among the rows. */
  readonly entries: number
  /**
   * Yields the rows in batches, with the number of entries among those yielded so far. Throws a BooksDiffer at the end
   * when they do not add up to the ledger.
   */
  readonly rows: AsyncIterable<{ readonly rows: readonly Row[]; readonly done: number }>
}

/** The rows of a file do not add up to the ledger. A defect: the file is not offered. */
export class BooksDiffer extends Error {
  constructor(what: string) {
    super(`a statement does not add up to the ledger: ${what}`)
    this.name = 'BooksDiffer'
  }
}
