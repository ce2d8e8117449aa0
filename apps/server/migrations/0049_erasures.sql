-- Erasure of the data about a person that the books do not need (decision 44). The books, the consents to what moved money and the
-- sealed log stay as they are.

-- The requests, and when each was carried out. A row holds no erased data.
create table erasures (
  erasure_id bigint generated always as identity primary key,
  member_id bigint not null,
  requested_by text not null check (requested_by in ('member', 'operator')),
  requested_at timestamptz not null,
  -- Until then the member can cancel.
  due_at timestamptz not null check (due_at >= requested_at),
  cancelled_at timestamptz,
  done_at timestamptz,
  check (cancelled_at is null or done_at is null)
);
create unique index erasures_open on erasures (member_id) where cancelled_at is null and done_at is null;
create index erasures_due on erasures (due_at, erasure_id) where cancelled_at is null and done_at is null;
create index erasures_of_member on erasures (member_id, erasure_id desc);
create trigger keep_rows before delete or truncate on erasures for each statement execute function refuse_change();

-- Operators' notes on a member are written once and go with an erasure only.
drop trigger append_only on member_notes;
create trigger append_only before update or truncate on member_notes
  for each statement execute function refuse_change();

-- A consent to a change of the saved addresses holds their names. An erasure empties its statement; the nonce stays used. What
-- moved money keeps its evidence.
drop trigger append_only on member_consents;
create trigger keep_rows before delete or truncate on member_consents
  for each statement execute function refuse_change();
create function guard_consent() returns trigger language plpgsql as $$
begin
  if new.statement <> '{}'
    or (old.member_id, old.nonce, old.used_at) is distinct from (new.member_id, new.nonce, new.used_at)
    or new.signature <> ''
    or old.statement <> '{}' and old.statement::jsonb ->> 'primaryType' in ('Withdrawal', 'Transfer', 'EraseData') then
    raise exception 'consent % of member % is not changed', old.nonce, old.member_id;
  end if;
  return new;
end $$;
create trigger guarded before update on member_consents for each row execute function guard_consent();
