import { type Day, MEMBER_ACCOUNTS, type MemberAccount, type Micros, type PaymentAsset } from '@rif/rules'
import { sql } from 'kysely'
import { type CopiedRow, copyOut } from '../../../db/copy.ts'
import type { Db } from '../../../db/database.ts'
import { accountsAtEndOf } from './flows.ts'

/** The amounts owed in an asset, in micro-units. */
export interface Owed {
  /** All accounts of members. */
  readonly membersMicros: Micros
  /** The pools and `suspense`. */
  readonly otherMicros: Micros
  /** The cash of all fund products. */
  readonly fundCashMicros: Micros
  /** The operator's own: `revenue`, `fees`, the amount set aside for exits, and `shortfall`, which is negative. */
  readonly operatorMicros: Micros
  /** The deposits less the amounts paid out, which the banks hold. */
  readonly takenInMicros: Micros
  /** The same amounts by account; the cash of all fund products as one. The order is fixed. */
  readonly owedAccounts: readonly OwedSum<OwedAccount>[]
  readonly operatorAccounts: readonly OwedSum<OperatorOwnAccount>[]
}

export interface OwedSum<A> {
  readonly account: A
  readonly micros: Micros
}

export type OwedAccount = MemberAccount | (typeof OTHER)[number] | 'fund_cash'
export type OperatorOwnAccount = (typeof OPERATOR)[number]

const OTHER = ['commission_pool', 'yield_pool', 'savings_pool', 'dividend_pool', 'suspense'] as const
const OPERATOR = ['revenue', 'fees', 'exit_hold', 'shortfall'] as const
/** A day after every accounting day. */
const LAST_DAY: Day = '9999-12-30'
const MEMBER = sql.lit(`{${MEMBER_ACCOUNTS.join(',')}}`)

/**
 * Adds the postings of a settled day to the hash chain, unless done before. Throws the database's RL010 out
 * of order.
 */
export async function closeChain(db: Db, day: Day): Promise<void> {
  await sql`select ledger_close_chain(${day}::date)`.execute(db)
}

/** Returns the last day of the chain and its head; undefined before the first. */
export async function lastChainDay(db: Db): Promise<{ day: Day; head: Buffer } | undefined> {
  const { rows } = await sql<{ day: Day; head: Buffer }>`
    select day, head from ledger_chain_days order by day desc limit 1`.execute(db)
  return rows[0]
}

/**
 * Streams the members' USDT and AMC at the end of the chain's last day, which must be `day`: member, USDT,
 * AMC, ordered by member. Computed as the balances less postings of later days.
 */
export function eachHeldAtEndOf(dbTx: Db, day: Day, use: (row: CopiedRow) => void): Promise<void> {
  const change = (asset: 'USDT' | 'AMC') => sql`sum(case when p.asset = ${sql.lit(asset)} then p.amount
    * ((p.destination = any (${MEMBER}::text[]))::integer - (p.source = any (${MEMBER}::text[]))::integer) else 0 end)`
  const balanceSum = (asset: 'USDT' | 'AMC') =>
    sql`coalesce(sum(balance) filter (where asset = ${sql.lit(asset)}), 0)`
  return copyOut(
    dbTx,
    sql`select member_id, (coalesce(b.usdt, 0) - coalesce(later.usdt, 0))::bigint, (coalesce(b.amc, 0) - coalesce(later.amc, 0))::bigint
      from (select member_id, ${balanceSum('USDT')} as usdt, ${balanceSum('AMC')} as amc from ledger_balances
        where asset in ('USDT', 'AMC') and account = any (${MEMBER}::text[]) group by member_id) as b
      full join (select head.member_id, f.usdt, f.amc
        from ledger_heads as head left join ledger_chain_members as known using (member_id)
        cross join lateral (select ${change('USDT')} as usdt, ${change('AMC')} as amc from ledger_postings as p
          where p.member_id = head.member_id and p.seq > coalesce(known.folded_seq, 0)
            and p.accounting_day > ${sql.lit(day)}::date) as f
        where head.seq > coalesce(known.folded_seq, 0)) as later using (member_id)
      order by member_id`,
    use,
  )
}

/**
 * Returns a member's USDT and AMC in all accounts at the end of an accounting day: the current amounts less
 * later postings.
 */
export async function heldAtEndOf(db: Db, memberId: bigint, day: Day): Promise<Record<PaymentAsset, Micros>> {
  const { rows } = await sql<{ asset: PaymentAsset; micros: Micros }>`
    select asset, sum(micros)::bigint as micros from (
      select asset, balance as micros from ledger_balances
        where member_id = ${memberId} and account = any (${MEMBER}::text[])
      union all
      select asset, amount * ((source = any (${MEMBER}::text[]))::integer - (destination = any (${MEMBER}::text[]))::integer)
        from ledger_postings where member_id = ${memberId} and accounting_day > ${day}::date) as parts
    where asset in ('USDT', 'AMC') group by asset`.execute(db)
  const of = (asset: PaymentAsset) => rows.find((row) => row.asset === asset)?.micros ?? 0n
  return { USDT: of('USDT'), AMC: of('AMC') }
}

/** Returns the liabilities by asset, now or at the end of a day. Rules, section 13. */
export async function owed(db: Db, day: Day = LAST_DAY): Promise<Record<PaymentAsset, Owed>> {
  const sums = await accountsAtEndOf(db, day)
  const of = (asset: PaymentAsset): Owed => {
    const sum = (isIn: (account: string) => boolean): Micros =>
      sums.reduce((all, row) => (row.asset === asset && isIn(row.account) ? all + row.micros : all), 0n)
    const each = <A extends string>(accounts: readonly A[]): OwedSum<A>[] =>
      accounts.map((account) => ({ account, micros: sum((name) => name === account) }))
    const [members, other, operator] = [each(MEMBER_ACCOUNTS), each(OTHER), each(OPERATOR)]
    const fundCashMicros = sum((account) => account.startsWith('fund_custody:'))
    return {
      membersMicros: total(members),
      otherMicros: total(other),
      operatorMicros: total(operator),
      fundCashMicros,
      takenInMicros: -sum((account) => account === 'external'),
      owedAccounts: [...members, ...other, { account: 'fund_cash', micros: fundCashMicros }],
      operatorAccounts: operator,
    }
  }
  return { USDT: of('USDT'), AMC: of('AMC') }
}

const total = (sums: readonly { readonly micros: Micros }[]): Micros =>
  sums.reduce((all, { micros }) => all + micros, 0n)
