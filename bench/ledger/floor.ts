/**
 * A bare transfer: two balances with a check that keeps them from going below zero, one entry, and one unique
 * idempotency key. It has no flow table, no history by member, no accounting day, no pools, no digest of the
 * content and no access rights.
 */
export const FLOOR = `
  create table floor_accounts (
    account_id bigint primary key,
    balance bigint not null check (balance >= 0)
  ) with (fillfactor = 80);
  create table floor_entries (
    idempotency_key text primary key,
    from_account bigint not null,
    to_account bigint not null,
    amount bigint not null check (amount > 0),
    posted_at timestamptz not null
  );
  create function floor_transfer(p_key text, p_from bigint, p_to bigint, p_amount bigint, p_at timestamptz)
  returns boolean language plpgsql as $$
  begin
    insert into floor_entries (idempotency_key, from_account, to_account, amount, posted_at)
    values (p_key, p_from, p_to, p_amount, p_at) on conflict (idempotency_key) do nothing;
    if not found then
      return false;
    end if;
    -- In ascending order, so that two transfers do not deadlock.
    if p_from < p_to then
      update floor_accounts set balance = balance - p_amount where account_id = p_from;
      update floor_accounts set balance = balance + p_amount where account_id = p_to;
    else
      update floor_accounts set balance = balance + p_amount where account_id = p_to;
      update floor_accounts set balance = balance - p_amount where account_id = p_from;
    end if;
    return true;
  end $$;
  grant select, insert, update on floor_accounts, floor_entries to rif_app`

/** Statements that credit the accounts from 1 to `last`. */
export const fillFloor = (last: number): readonly string[] => [
  `insert into floor_accounts (account_id, balance) select n, 1000000000000 from generate_series(1, ${last}) as n`,
  'vacuum analyze floor_accounts',
]

/**
 * The same load as `transferScript`, for the bare function: one micro-unit from one random account to
 * another.
 */
export const floorScript = (members: number): string => `
\\set from random(1, ${members})
\\set to 1 + (:from + random(0, ${members - 2})) % ${members}
\\set key random(1, 9000000000000000000)
select floor_transfer('pgbench/' || :key, :from, :to, 1, now()) as posted;
`
