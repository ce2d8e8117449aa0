/** A row of a file: a cell per column, as in the CSV. */
export type Row = readonly string[]

/** The content of a file, read from one snapshot of the ledger. */
export interface Content {
  /** The headings of the CSV: English names for programs. */
  readonly columns: readonly string[]
  /** The number of entries among the rows. */
  readonly entries: number
  /**
   * Yields the rows in batches, with the number of entries so far. Throws a BooksDiffer at the end if they do
   * not add up to the ledger.
   */
  readonly rows: AsyncIterable<{ readonly rows: readonly Row[]; readonly done: number }>
}

/** Thrown if the rows of a file do not add up to the ledger. This is a defect: the file is not offered. */
export class BooksDiffer extends Error {
  constructor(what: string) {
    super(`a statement does not add up to the ledger: ${what}`)
    this.name = 'BooksDiffer'
  }
}
