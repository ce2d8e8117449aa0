-- What was approved for later can be refused until it takes effect: that is what the delay is for.
create or replace function guard_proposal() returns trigger language plpgsql as $$
begin
  if (old.kind, old.subject, old.digest, old.reason, old.delay_ms, old.prepared_by, old.prepared_at)
      is distinct from
      (new.kind, new.subject, new.digest, new.reason, new.delay_ms, new.prepared_by, new.prepared_at)
    or not (old.state = 'Open' or (old.state = 'Approved' and new.state in ('Applied', 'Failed', 'Refused'))) then
    raise exception 'proposal % is not changed from % to % in this way', old.proposal_id, old.state, new.state;
  end if;
  return new;
end $$;
