import { sql } from 'kysely'
import type { TestProduct } from '../../../../testing/test-product.ts'

/**
 * Returns the state that bookings change, without history: balances, pools, members, volumes, sums and
 * figures. Rows of zeros are left out.
 */
export async function booksOf({ db }: TestProduct): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select line from (
      select concat_ws(' ', 'balance', member_id, asset, account, balance) as line from ledger_balances
        where balance <> 0 and ledger_account_class(account) = 'member'
      union all select concat_ws(' ', 'account', account, asset, sum(delta))
        from ledger_flow_sums, lateral (values (source, -amount), (destination, amount)) as side (account, delta)
        where ledger_account_class(account) <> 'member' group by account, asset having sum(delta) <> 0
      union all select concat_ws(' ', 'pool', account, asset, balance, reserved) from ledger_pool_sums where balance <> 0
      union all select concat_ws(' ', 'member', member_id, level, valid_at, invited_valid, invested_micros) from members
      union all select concat_ws(' ', 'level', level, members) from member_levels where members <> 0
      union all select concat_ws(' ', 'day', day, became_valid) from member_days where became_valid <> 0
      union all select concat_ws(' ', 'leg', leg_id, period, node, members_valid, volume_micros) from leg_sums
        where members_valid <> 0 or volume_micros <> 0
      union all select concat_ws(' ', 'reward', member_id, batch, type, usdt_micros, amc_micros) from rewards
      union all select concat_ws(' ', 'batch', batch, paid_micros) from reward_batches
      union all select concat_ws(' ', 'total', member_id, type, paid_micros) from reward_totals
      union all select concat_ws(' ', 'coverage', day, class, value_micros, paid_micros) from reward_coverage
      union all select concat_ws(' ', 'sales', package_id, day, paid, base_micros) from sales_days
      union all select concat_ws(' ', 'package', package_id, paid) from package_copies
      union all select concat_ws(' ', 'deposit', deposit_id, amount_micros) from revenue_deposits
      union all select concat_ws(' ', 'unmatched', tx_hash, log_index) from unmatched_payments
      union all select concat_ws(' ', 'product', product_id, units_outstanding) from fund_products
      union all select concat_ws(' ', 'debt', member_id, asset, owed_micros) from member_debts where owed_micros > 0
    ) as lines order by line`.execute(db)
  return rows.map((row) => row.line)
}
