/** A column of numbers with a place for each row. */
export type DayColumn = BigInt64Array | Int32Array | Uint8Array
type Columns = Readonly<Record<string, DayColumn>>

/** Rows as columns: a million rows take some tens of megabytes; as objects they would take hundreds. */
export type Rows<C extends Columns> = { count: number; capacity: number } & C

const FIRST_CAPACITY = 1_024

/** Allocates space for rows; `addRow` extends it as needed. The given columns are empty. */
export function createRows<C extends Columns>(columns: C): Rows<C> {
  return { count: 0, capacity: 0, ...columns }
}

/** Adds a row of zeros and returns its place. */
export function addRow<C extends Columns>(rows: Rows<C>): number {
  if (rows.count === rows.capacity) grow(rows)
  return rows.count++
}

function grow(rows: Rows<Columns>): void {
  rows.capacity = Math.max(FIRST_CAPACITY, rows.capacity * 2)
  const columns = rows as Record<string, DayColumn | number>
  for (const [name, column] of Object.entries(columns)) {
    if (typeof column === 'number') continue
    const grown = new (column.constructor as new (length: number) => DayColumn)(rows.capacity)
    grown.set(column as never)
    columns[name] = grown
  }
}

/** Returns the filled part of a column, in the same memory. */
export function firstOf<C extends DayColumn>(column: C, count: number): C {
  return column.subarray(0, count) as C
}
