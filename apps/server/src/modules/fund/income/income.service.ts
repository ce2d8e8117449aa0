import { randomUUID } from 'node:crypto'
import type { FundIncome, FundIncomeItem } from '@rif/api-schema'
import { addDays, dayOf, formatMicros, type Micros, monthOf, startOfDay } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../../db/database.ts'
import { readMembers } from '../../../db/read.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import { requireMayAct } from '../../access/gates/gates.service.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import type { FundProducts } from '../products/products.service.ts'
import * as repository from './income.repository.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly plans: PlansService
  readonly members: MembersService
  readonly products: FundProducts
}

/**
 * Creates the agent line's share of the management fees: its list, and moving it to `available`. Rules,
 * section 8.
 */
export function createFundIncome({ now, ledger, plans, members, products }: Deps) {
  async function sums(db: Db, memberId: bigint): Promise<FundIncome> {
    const today = dayOf(now().getTime())
    const firstOfMonth = `${monthOf(today)}-01`
    const firstOfLast = `${monthOf(addDays(firstOfMonth, -1))}-01`
    const [balances, plan, incomeSums] = await Promise.all([
      ledger.balances(db, memberId),
      plans.planAt(db, today),
      repository.fundIncomeSums(db, memberId, {
        thisMonth: new Date(startOfDay(firstOfMonth)),
        lastMonth: new Date(startOfDay(firstOfLast)),
      }),
    ])
    const balanceMicros = balances.USDT.fund_income
    return {
      balance: formatMicros(balanceMicros),
      total: formatMicros(incomeSums.total),
      this_month: formatMicros(incomeSums.this_month),
      last_month: formatMicros(incomeSums.last_month),
      moved: formatMicros(incomeSums.total - balanceMicros),
      share_ppm: plan.fund.incomePpm,
    }
  }

  return {
    sums,

    /** Returns a page of a member's income, newest first. */
    async list(
      db: Db,
      memberId: bigint,
      query: { cursor?: string | undefined; limit: number },
    ): Promise<{ items: FundIncomeItem[]; next: string | null }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const rows = await repository.listIncome(db, memberId, { before, limit: query.limit })
      const sources = [...new Set(rows.map((row) => row.source_member_id))]
      const byId = await products.all(db)
      const { answers } = await readMembers(db, sources, { member: members.memberRead })
      return toPage(
        rows,
        query.limit,
        (row) => ({
          income_id: `${row.income_id}`,
          source_address: getAddress(answers(row.source_member_id).member.address as Hex),
          product_id: `${row.product_id}`,
          product_name: byId.get(row.product_id)!.name,
          management_fee: formatMicros(row.management_fee_micros),
          amount: formatMicros(row.amount_micros),
          at: row.received_at.toISOString(),
        }),
        (row) => encodeCursor(row.income_id),
      )
    },

    /** Moves income to `available`. Throws INVALID_AMOUNT, INSUFFICIENT_BALANCE. */
    async withdraw(dbTx: Db, memberId: bigint, amountMicros: Micros): Promise<FundIncome> {
      await ledger.lock(dbTx, { memberIds: [memberId] })
      await requireMayAct(dbTx, memberId, 'fund')
      const at = now()
      const id = randomUUID()
      await ledger.post(dbTx, {
        key: `fund-income/${id}`,
        kind: 'fund_income_transfer',
        cause: { type: 'fund_income', id },
        accountingDay: dayOf(at.getTime()),
        at,
        lines: [{ memberId, asset: 'USDT', source: 'fund_income', destination: 'available', amountMicros }],
      })
      return sums(dbTx, memberId)
    },
  }
}
