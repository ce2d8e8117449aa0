import { type RawBuilder, sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../books/ledger/audit.ts'

/** Compares stored sums with the sums of the records, by `key`. */
const sumsDiffer = (stored: string, key: RawBuilder<unknown>, subject: RawBuilder<unknown>) => sql`
  select ${subject} as subject, concat_ws(' ', r.paid, r.usdt, r.amc) as expected,
    concat_ws(' ', s.paid_micros, s.usdt_micros, s.amc_micros) as actual
  from (select ${key}, sum(paid_micros) as paid, sum(usdt_micros) as usdt, sum(amc_micros) as amc
    from rewards group by ${key}) as r
  full join ${sql.table(stored)} as s using (${key})
  where (r.paid, r.usdt, r.amc) is distinct from (s.paid_micros::numeric, s.usdt_micros::numeric, s.amc_micros::numeric)`

const CLASS_OF_TYPE = sql`case type when 'PairingReward' then 'pairing' when 'ManagementReward' then 'management'
  when 'Interest' then 'static' else 'commission' end`

/**
 * A settlement fixes its batches first and then pays them: until it is done, the batches of its day are
 * incomplete.
 */
const COMPLETE = sql`(class = 'commission' or day not in (select day from settlement_days where state <> 'settled'))`

/** Checks that reward records agree with the ledger and with their running sums. Rules, sections 5 and 6. */
export const REWARD_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'reward',
    sql`select format('member %s batch %s %s', member_id, batch, asset) as subject,
        coalesce(r.amount, 0) as expected, coalesce(p.amount, 0) as actual
      from (select member_id, batch, asset, sum(amount) as amount
        from rewards, lateral (values ('USDT', usdt_micros), ('AMC', amc_micros)) as part (asset, amount)
        where amount > 0 group by member_id, batch, asset) as r
      full join (select member_id, idempotency_key as batch, asset, sum(amount) as amount
        from ledger_standing where kind in ('commission', 'pairing', 'management', 'static')
        group by member_id, idempotency_key, asset) as p using (member_id, batch, asset)
      where coalesce(r.amount, 0) <> coalesce(p.amount, 0)`,
  ),
  auditQuery(
    'reward total',
    sumsDiffer('reward_totals', sql`member_id, type`, sql`format('member %s %s', member_id, type)`),
  ),
  auditQuery(
    'reward day',
    sumsDiffer(
      'reward_days',
      sql`member_id, day, type`,
      sql`format('member %s %s %s', member_id, day, type)`,
    ),
  ),
  auditQuery(
    'reward batch',
    sql`select batch as subject, concat_ws(' ', r.value, r.paid, r.count) as expected,
        concat_ws(' ', b.value_micros, b.paid_micros, b.reward_count) as actual
      from (select batch, day, coverage_ppm, usdt_share_ppm, amc_share_ppm, sum(value_micros) as value,
          sum(paid_micros) as paid, count(*) as count
        from rewards group by batch, day, coverage_ppm, usdt_share_ppm, amc_share_ppm) as r
      full join reward_batches as b using (batch, day, coverage_ppm, usdt_share_ppm, amc_share_ppm)
      where ${COMPLETE} and (r.value, r.paid, r.count)
        is distinct from (b.value_micros::numeric, b.paid_micros::numeric, b.reward_count::bigint)`,
  ),
  auditQuery(
    'coverage',
    sql`select format('%s %s', day, class) as subject, concat_ws(' ', r.value, r.paid) as expected,
        concat_ws(' ', c.value_micros, c.paid_micros) as actual
      from (select day, ${CLASS_OF_TYPE} as class, sum(value_micros) as value, sum(paid_micros) as paid
        from rewards group by 1, 2) as r
      full join reward_coverage as c using (day, class)
      where ${COMPLETE} and (r.value, r.paid) is distinct from (c.value_micros::numeric, c.paid_micros::numeric)`,
  ),
]
