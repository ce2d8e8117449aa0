-- An attestation is prepared once and approved once, when the deposit on chain has its asset, amount and document. It is
-- undone once: after its posting was reversed, or after the operator has paid for what its pool had paid out.
create function guard_attestation() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.approved_at is null then
      return new;
    end if;
  elsif old.approved_at is null and new.approved_at is not null
    and to_jsonb(new) - '{approved_by,approved_at}'::text[] = to_jsonb(old) - '{approved_by,approved_at}'::text[]
  then
    perform from revenue_deposits
    where deposit_id = new.deposit_id and asset = new.asset and amount_micros = new.amount_micros
      and document_hash = new.document_hash;
    if found then
      return new;
    end if;
  elsif old.undone_at is null and new.undone_at is not null
    and to_jsonb(new) - 'undone_at' = to_jsonb(old) - 'undone_at'
  then
    perform from ledger_transactions
    where member_id = 0 and idempotency_key in (
      format('attestation/%s:reversal', new.attestation_id), format('attestation/%s/made-good', new.attestation_id));
    if found then
      return new;
    end if;
  end if;
  raise exception 'attestation % cannot be written in this way', new.attestation_id using errcode = 'RL008';
end $$;
create trigger guarded before insert or update on attestations
  for each row execute function guard_attestation();

create function claim_deposit() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into deposit_uses (deposit_id, use) values (new.deposit_id, tg_argv[0]) on conflict do nothing;
  perform from deposit_uses where deposit_id = new.deposit_id and use = tg_argv[0];
  if not found then
    raise exception 'DEPOSIT_USED' using errcode = 'RL012', detail = format('deposit %s', new.deposit_id);
  end if;
  return new;
end $$;
create trigger one_use before update on attestations for each row
  when (old.approved_at is null and new.approved_at is not null) execute function claim_deposit('attestation');
create trigger one_use_inserted before insert on fund_valuations for each row
  when (new.deposit_id is not null and new.state = 'applied') execute function claim_deposit('divest');
create trigger one_use before update on fund_valuations for each row
  when (new.deposit_id is not null and old.state <> 'applied' and new.state = 'applied')
  execute function claim_deposit('divest');

create function free_deposit() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from deposit_uses as u where u.deposit_id = old.deposit_id
    and not exists (select from attestations as a
      where a.deposit_id = u.deposit_id and a.approved_at is not null and a.undone_at is null)
    and not exists (select from fund_valuations as v where v.deposit_id = u.deposit_id and v.state = 'applied');
  return null;
end $$;
create trigger free_use after delete on revenue_deposits for each row execute function free_deposit();

-- The terms of an exit never change, and what was released stays released. The steps follow the events of the chain, back
-- too when a reorganisation undoes one.
create function guard_exit() returns trigger language plpgsql as $$
declare
  v_fixed text[] := '{state,seen_step,seen_tx,announced_tx,announced_at,executable_at,expires_at,ended_tx,ended_at,released_at}';
begin
  if to_jsonb(new) - v_fixed <> to_jsonb(old) - v_fixed or old.released_at is not null
    or (old.state <> new.state and (old.state, new.state) not in (
      ('Approved', 'Announced'), ('Approved', 'Withdrawn'), ('Approved', 'HandedOver'),
      ('Announced', 'Executed'), ('Announced', 'Cancelled'), ('Announced', 'Lapsed'), ('Announced', 'HandedOver'),
      ('Announced', 'Approved'), ('Executed', 'Announced'), ('Cancelled', 'Announced')))
  then
    raise exception 'exit % does not go from % to %', old.exit_id, old.state, new.state using errcode = 'RL012';
  end if;
  return new;
end $$;
create trigger guarded before update on exits for each row execute function guard_exit();

-- Checks, at the end of the database transaction, that a treasury payout is what two admins approved: its amount is set
-- aside once, from revenue or fees that there are, and is given back or spent as the exit ended. A simulation has no exits.
create function guard_exit_posting() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  v_line record;
begin
  select p.asset, p.source, p.destination, p.amount into v_line from ledger_postings as p
  where p.member_id = new.member_id and p.seq = new.seq;
  if v_line.source in ('revenue', 'fees') and (
    select sum(case v_line.source when f.destination then f.amount else -f.amount end)
    from ledger_flow_sums as f where f.asset = v_line.asset and v_line.source in (f.source, f.destination)) < 0
  then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001', detail = format('key %s', new.idempotency_key);
  end if;
  if new.kind = 'treasury_payout' and v_line.source <> 'exit_hold' then
    perform from ledger_simulation where is_simulation;
  else
    perform from exits as x
    where new.member_id = 0 and new.cause_type = 'exit' and x.exit_id::text = new.cause_id
      and x.kind = 'treasury_payout' and x.asset = v_line.asset and x.amount_micros = v_line.amount
      and (select count(*) = 1 from ledger_postings as p where p.member_id = new.member_id and p.seq = new.seq)
      and case new.kind
        when 'exit_hold' then new.idempotency_key = format('exit/%s/hold', x.exit_id) and v_line.source = x.source
        when 'exit_release' then new.idempotency_key = format('exit/%s/release', x.exit_id)
          and v_line.destination = x.source and x.released_at is not null
        else new.idempotency_key like format('exit/%s/payout%%', x.exit_id) and x.state = 'Executed'
      end;
  end if;
  if not found then
    raise exception 'NOT_AN_EXIT' using errcode = 'RL012', detail = format('key %s', new.idempotency_key);
  end if;
  return null;
end $$;
create constraint trigger guard_exit after insert on ledger_guarded deferrable initially deferred
  for each row when (new.kind in ('exit_hold', 'exit_release', 'treasury_payout')) execute function guard_exit_posting();
