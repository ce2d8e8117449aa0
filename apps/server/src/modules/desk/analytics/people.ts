import type { AnalyticsFunnel, AnalyticsMembers, AnalyticsSales } from '@rif/api-schema'
import { dayOf, formatMicros, termsOfLevel } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import * as repository from './analytics.repository.ts'
import { daysOf, groupBy, type Range, sumColumns } from './range.ts'

/** Creates the figures of members, of the funnel to the first paid order, and of sales. */
export function createPeopleFigures({ now, plans }: { readonly now: Now; readonly plans: PlansService }) {
  return {
    async members(db: Db, range: Range): Promise<AnalyticsMembers> {
      const [levels, since] = await Promise.all([
        repository.memberLevels(db),
        repository.memberDays(db, range.from),
      ])
      const byDay = new Map(since.map((row) => [row.day, row]))
      const later = sumColumns(
        since.filter(({ day }) => day > range.to),
        ['joined', 'becameValid'],
      )
      const all = levels.reduce((sum, row) => sum + row.members, 0)
      const valid = levels.reduce((sum, row) => sum + (row.level > 0 ? row.members : 0), 0)
      let members = all - Number(later.joined)
      let validThen = valid - Number(later.becameValid)
      const days = daysOf(range)
        .reverse()
        .map((day) => {
          const { joined, becameValid } = byDay.get(day) ?? { joined: 0, becameValid: 0 }
          const row = { day, joined, became_valid: becameValid, members, valid: validThen }
          members -= joined
          validThen -= becameValid
          return row
        })
        .reverse()
      const totals = sumColumns(days, ['joined', 'became_valid'])
      return {
        ...range,
        members: all,
        valid,
        joined: Number(totals.joined),
        became_valid: Number(totals.became_valid),
        levels,
        days,
      }
    },

    async sales(db: Db, range: Range): Promise<AnalyticsSales> {
      const [rows, plan] = await Promise.all([
        repository.packageDays(db, range),
        plans.planAt(db, dayOf(now().getTime())),
      ])
      const byDay = groupBy(rows, ({ day }) => day)
      const byPackage = groupBy(rows, ({ packageId }) => packageId)
      return {
        ...range,
        totals: salesOf(rows),
        packages: [...byPackage.entries()]
          .sort(([packageId], [other]) => packageId - other)
          .map(([packageId, of]) => ({
            package_id: packageId,
            name: termsOfLevel(plan, packageId)?.name ?? `${packageId}`,
            ...salesOf(of),
          })),
        days: daysOf(range).map((day) => ({ day, ...salesOf(byDay.get(day) ?? []) })),
      }
    },

    async funnel(db: Db, range: Range): Promise<AnalyticsFunnel> {
      const [visits, joins, orders] = await Promise.all([
        repository.visits(db, range),
        repository.memberDays(db, range.from),
        repository.packageDays(db, range),
      ])
      const visitors = new Map(visits.map((row) => [row.day, row.visitors]))
      const joined = new Map(joins.map((row) => [row.day, row]))
      const ordered = groupBy(orders, ({ day }) => day)
      const days = daysOf(range).map((day) => ({
        day,
        visited: visitors.get(day) ?? 0,
        joined: joined.get(day)?.joined ?? 0,
        ordered: Number(sumColumns(ordered.get(day) ?? [], ['firstOrdered']).firstOrdered),
        paid: joined.get(day)?.becameValid ?? 0,
      }))
      const totals = sumColumns(days, ['visited', 'joined', 'ordered', 'paid'])
      return {
        ...range,
        totals: {
          visited: Number(totals.visited),
          joined: Number(totals.joined),
          ordered: Number(totals.ordered),
          paid: Number(totals.paid),
        },
        days,
      }
    },
  }
}

function salesOf(rows: readonly repository.PackageDay[]): AnalyticsSales['totals'] {
  const sums = sumColumns(rows, [
    ...(['ordered', 'cancelled', 'paid'] as const),
    ...(['baseMicros', 'usdtMicros', 'amcMicros', 'rifMicros'] as const),
  ])
  return {
    ordered: Number(sums.ordered),
    cancelled: Number(sums.cancelled),
    paid: Number(sums.paid),
    base: formatMicros(sums.baseMicros),
    usdt: formatMicros(sums.usdtMicros),
    amc: formatMicros(sums.amcMicros),
    rif: formatMicros(sums.rifMicros),
  }
}
