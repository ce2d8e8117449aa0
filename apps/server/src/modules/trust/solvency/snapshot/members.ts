import { AMOUNTS_BYTES, FormatError } from '@rif/solvency'
import type { CopiedRow } from '../../../../db/copy.ts'

/** Members with their amounts, in the order of their numbers: 52 bytes each. */
export interface SnapshotMembers {
  readonly count: number
  readonly idAt: (member: number) => number
  /** 20 bytes for each member. */
  readonly addresses: Uint8Array
  /** The three amounts as in a leaf, 24 bytes for each member. */
  readonly amounts: Uint8Array
}

export const ADDRESS_BYTES = 20

/**
 * Creates a collection of up to `capacity` members. Add members first, in ascending order; then amounts in
 * the same order. Throws FormatError for an amount below 0, and for an amount of an unknown member.
 */
export function collectMembers(capacity: number) {
  // Member numbers are counted from 1, far below 2^53.
  const ids = new Float64Array(capacity)
  const addresses = new Uint8Array(capacity * ADDRESS_BYTES)
  const amounts = Buffer.alloc(capacity * AMOUNTS_BYTES)
  let count = 0

  /**
   * Creates the reader of rows (member, amounts ...), which writes the amounts starting with the one at
   * `first`.
   */
  function amountsFrom(first: number, columns: number) {
    let member = 0
    return (row: CopiedRow): void => {
      const id = row.int()
      while (member < count && ids[member]! < id) member++
      const isMember = member < count && ids[member] === id
      for (let column = first; column < first + columns; column++) {
        const micros = row.micros()
        if (micros < 0n || (micros > 0n && !isMember))
          throw new FormatError(`member ${id} has ${micros}, which no leaf can hold`)
        if (isMember) amounts.writeBigUInt64BE(micros, member * AMOUNTS_BYTES + column * 8)
      }
    }
  }

  const members: SnapshotMembers = {
    get count() {
      return count
    },
    idAt: (member) => ids[member]!,
    addresses,
    amounts,
  }
  return {
    members,
    /** Reads a row (member, address). */
    addMember(row: CopiedRow): void {
      ids[count] = row.int()
      addresses.set(row.bytes(), count * ADDRESS_BYTES)
      count++
    },
    /** Read rows (member, USDT, AMC) and (member, value of fund units). */
    addHeld: amountsFrom(0, 2),
    addWorth: amountsFrom(2, 1),
  }
}
