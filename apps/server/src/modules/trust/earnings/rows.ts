import { addDays, createEarningsTally, type Day, EARNINGS_AGES, type Earnings, hasAge } from '@rif/rules'
import type { RawBuilder } from 'kysely'
import { copyOut } from '../../../db/copy.ts'
import type { Db } from '../../../db/database.ts'

/**
 * Aggregates the rows of a query, one for each member with a package: level of the first package, its day in
 * days since 1970, paid, back, the part of it from commissions, and for each age paid and back.
 */
export async function tallyRows(db: Db, query: RawBuilder<unknown>, day: Day): Promise<Earnings> {
  const tally = createEarningsTally()
  await copyOut(db, query, (row) => {
    const level = row.int()
    const firstDay = addDays('1970-01-01', row.int())
    const sums = { paidMicros: row.micros(), backMicros: row.micros(), commissionMicros: row.micros() }
    const ages = EARNINGS_AGES.map((age) => {
      const ofAge = { paidMicros: row.micros(), backMicros: row.micros() }
      return hasAge(firstDay, age, day) ? ofAge : null
    })
    tally.add({ level, firstDay, ...sums, ages })
  })
  return tally.figures()
}
