import { sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../../books/ledger/audit.ts'

/** The expected postings of each treasury payout, by its state. */
const EXPECTED = sql`
  select exit_id, step.kind, asset, step.source, step.destination, amount_micros as amount
  from exits, lateral (values
    ('exit_hold', source, 'exit_hold', true),
    ('exit_release', 'exit_hold', source, released_at is not null),
    ('treasury_payout', 'exit_hold', 'external', state = 'Executed')
  ) as step (kind, source, destination, applies)
  where exits.kind = 'treasury_payout' and step.applies`

/** Returns their postings. Exit 0 has those without an exit; a simulation has no exits. */
const POSTED = sql`
  select case cause_type when 'exit' then cause_id::bigint else 0 end as exit_id, kind, asset, source, destination,
    sum(amount) as amount
  from ledger_standing
  where cause_type = 'exit' or kind in ('exit_hold', 'exit_release', 'treasury_payout')
    and not (select is_simulation from ledger_simulation)
  group by 1, 2, 3, 4, 5`

/** The final events of exits on the chain, without those that were set aside. */
const EVENTS = sql`
  select e.name, e.tx_hash, lower(e.contract) as bank, e.args ->> 'exitId' as onchain_id
  from chain_events as e
  where e.name in ('ExitAnnounced', 'ExitExecuted') and e.told = 'final' and not exists (
    select from chain_set_aside as s where s.tx_hash = e.tx_hash and s.log_index = e.log_index)`

/** The events in the books: of approved exits, and of unapproved ones. */
const KNOWN = sql`
  select 'ExitAnnounced' as name, announced_tx as tx_hash, bank, onchain_id from exits where announced_tx is not null
  union select 'ExitExecuted', ended_tx, bank, onchain_id from exits where state = 'Executed'
  union select 'ExitAnnounced', announced_tx, bank, onchain_id from unapproved_exits
    where announced_tx is not null and state <> 'Undone'
  union select 'ExitExecuted', ended_tx, bank, onchain_id from unapproved_exits where state = 'Executed'`

/**
 * Checks that exits agree with the ledger, the fund and the chain, and that there are no others. Rules,
 * section 2.
 */
export const TREASURY_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'exit',
    sql`select format('exit %s: %s %s from %s to %s', exit_id, kind, asset, source, destination) as subject,
        coalesce(e.amount, 0) as expected, coalesce(p.amount, 0) as actual
      from (${EXPECTED}) as e
      full join (${POSTED}) as p using (exit_id, kind, asset, source, destination)
      where coalesce(e.amount, 0) <> coalesce(p.amount, 0)`,
  ),
  auditQuery(
    'exit hold',
    sql`select format('%s: set aside for open payouts', asset) as subject,
        coalesce(open.amount, 0) as expected, coalesce(held.balance, 0) as actual
      from (select asset, sum(amount_micros) as amount from exits
        where kind = 'treasury_payout' and released_at is null and state <> 'Executed' group by asset) as open
      full join (select asset, balance from ledger_pool_sums where account = 'exit_hold') as held using (asset)
      where coalesce(open.amount, 0) <> coalesce(held.balance, 0)`,
  ),
  auditQuery(
    'exit investment',
    sql`select format('exit %s: investment %s', coalesce(x.exit_id::text, i.exit_id, 'none'), i.investment_id)
          as subject,
        case when x.exit_id is null then 'an exit' else format('%s of %s', case when x.state = 'Executed'
          then 'invested or ended' when x.released_at is not null then 'cancelled' else 'announced' end,
          x.amount_micros) end as expected,
        format('%s of %s', i.state, i.cost_micros) as actual
      from (select * from exits where kind = 'fund_invest') as x
      full join (select * from fund_investments where exit_id is not null or not is_simulated) as i
        on i.investment_id = x.investment_id
      where x.exit_id::text is distinct from i.exit_id or x.exit_id is null
        or x.amount_micros is distinct from i.cost_micros
        or not (i.state = any (case when x.state = 'Executed' then array['invested', 'ended']
          when x.released_at is not null then array['cancelled'] else array['announced'] end))`,
  ),
  auditQuery(
    'exit event',
    sql`select format('%s %s of exit %s', name, tx_hash, onchain_id) as subject,
        'an event, and an exit that follows it' as expected,
        case when known is null then 'event only' else 'no event' end as actual
      from (select *, true as happened from (${EVENTS}) as events) as e
      full join (select *, true as known from (${KNOWN}) as exits_known) as k using (name, tx_hash, bank, onchain_id)
      where happened is null or known is null`,
  ),
  auditQuery(
    'unapproved exit',
    sql`select format('exit %s to %s', onchain_id, destination) as subject,
        'an exit that two admins approved' as expected, format('%s, %s', reason, state) as actual
      from unapproved_exits where state in ('Announced', 'Executed')`,
  ),
]
