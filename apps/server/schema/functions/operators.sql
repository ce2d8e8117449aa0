-- Times enter as whole microseconds, because their text depends on settings.
create function admin_action_hash(
  previous bytea, seq bigint, action_id bigint, actor text, action text, subject text, reason text, before jsonb, after jsonb,
  acted_at timestamptz
) returns bytea
language sql immutable parallel safe
return sha256(previous || convert_to(jsonb_build_array(
  seq, action_id, actor, action, subject, reason, before, after, (extract(epoch from acted_at) * 1000000)::bigint)::text, 'UTF8'));

-- Runs at the commit, after all other locks: a transaction that waits here waits only for another commit.
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
  values (last.seq + 1, new.action_id, last.hash, admin_action_hash(last.hash, last.seq + 1, new.action_id, new.actor, new.action,
    new.subject, new.reason, new.before, new.after, new.acted_at));
  return null;
end $$;
create constraint trigger sealed after insert on admin_actions
  deferrable initially deferred for each row execute function admin_seal();

-- The prepared content never changes, and a final state stays. A proposal approved for later can be refused until it
-- takes effect.
create function guard_proposal() returns trigger language plpgsql as $$
begin
  if (old.kind, old.subject, old.digest, old.reason, old.delay_ms, old.prepared_by, old.prepared_at)
      is distinct from
      (new.kind, new.subject, new.digest, new.reason, new.delay_ms, new.prepared_by, new.prepared_at)
    or not (old.state = 'Open' or (old.state = 'Approved' and new.state in ('Applied', 'Failed', 'Refused'))) then
    raise exception 'proposal % is not changed from % to % in this way', old.proposal_id, old.state, new.state;
  end if;
  return new;
end $$;
create trigger guarded before update on proposals for each row execute function guard_proposal();

create function guard_person() returns trigger language plpgsql as $$
begin
  if (old.person_id, old.name, old.recorded_at) is distinct from (new.person_id, new.name, new.recorded_at)
    or new.joined_into is null or new.joined_into > old.joined_into then
    raise exception 'person % keeps the name, and is only joined into an earlier one', old.person_id;
  end if;
  return new;
end $$;
create trigger guarded before update on persons for each row execute function guard_person();
