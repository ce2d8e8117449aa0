-- The admins' log as a chain (rules, section 12): every action is sealed when its transaction commits. A seal's hash
-- covers the hash before it, its number and all that the action says, so that nothing can be changed, left out or put in
-- between later without breaking the chain from there on. Numbers have no gaps.

create table admin_seals (
  seq bigint primary key check (seq > 0),
  action_id bigint not null unique references admin_actions,
  previous bytea not null check (octet_length(previous) = 32),
  hash bytea not null unique check (octet_length(hash) = 32)
);
create trigger append_only before update or delete or truncate on admin_seals
  for each statement execute function refuse_change();

-- Times as whole microseconds: their text must not depend on a setting.
create function admin_action_hash(previous bytea, seq bigint, action admin_actions) returns bytea
language sql immutable parallel safe
return sha256(previous || convert_to(jsonb_build_array(
  seq, (action).action_id, (action).actor, (action).action, (action).subject, (action).reason, (action).before,
  (action).after, (extract(epoch from (action).acted_at) * 1000000)::bigint)::text, 'UTF8'));

-- At the commit, when no other lock is asked for any more: whoever waits here waits for a commit, and for nothing else.
create function admin_seal() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  last admin_seals;
begin
  perform pg_advisory_xact_lock(hashtextextended('admin_seals', 0));
  select * into last from admin_seals order by seq desc limit 1;
  if last.seq is null then
    last.seq := 0;
    last.hash := decode(repeat('00', 32), 'hex');
  end if;
  insert into admin_seals (seq, action_id, previous, hash)
  values (last.seq + 1, new.action_id, last.hash, admin_action_hash(last.hash, last.seq + 1, new));
  return null;
end $$;

do $$
declare
  action admin_actions;
  previous bytea := decode(repeat('00', 32), 'hex');
  n bigint := 0;
begin
  for action in select * from admin_actions order by action_id loop
    n := n + 1;
    insert into admin_seals (seq, action_id, previous, hash)
    values (n, action.action_id, previous, admin_action_hash(previous, n, action))
    returning hash into previous;
  end loop;
end $$;

create constraint trigger sealed after insert on admin_actions
  deferrable initially deferred for each row execute function admin_seal();

create index admin_actions_by_subject on admin_actions (subject text_pattern_ops, action_id);
create index admin_actions_by_actor on admin_actions (actor, action_id);
create index admin_actions_by_time on admin_actions (acted_at);

-- The running server writes actions, and seals only through the trigger.
do $$
begin
  if exists (select from pg_roles where rolname = 'rif_app') then
    revoke insert, update, delete on admin_seals from rif_app;
    revoke update, delete on admin_actions from rif_app;
  end if;
end $$;
