-- The time of a request and its consent are final: sums of a day and of 24 hours are taken by it.
create function guard_withdrawal() returns trigger language plpgsql as $$
begin
  if (old.member_id, old.withdrawal_id, old.created_at, old.consent_nonce)
      is distinct from (new.member_id, new.withdrawal_id, new.created_at, new.consent_nonce) then
    raise exception 'withdrawal % keeps its time and its consent', old.withdrawal_id;
  end if;
  return new;
end $$;
create trigger guarded before update of member_id, withdrawal_id, created_at, consent_nonce on withdrawals
  for each row execute function guard_withdrawal();

-- A transfer changes once: when its review ends or its sender cancels it.
create function guard_transfer() returns trigger language plpgsql as $$
begin
  if old.status <> 'Auditing'
    or (old.member_id, old.transfer_id, old.direction, old.counterpart_id, old.asset, old.amount_micros, old.created_at,
        old.worth_micros, old.recent_micros, old.level, old.reasons, old.consent_nonce)
      is distinct from
      (new.member_id, new.transfer_id, new.direction, new.counterpart_id, new.asset, new.amount_micros, new.created_at,
        new.worth_micros, new.recent_micros, new.level, new.reasons, new.consent_nonce) then
    raise exception 'transfer % is not changed from % to %', old.transfer_id, old.status, new.status;
  end if;
  return new;
end $$;
create trigger guarded before update on transfers for each row execute function guard_transfer();

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

create function guard_refund_allowance() returns trigger language plpgsql as $$
begin
  if to_jsonb(old) - 'lost_at' <> to_jsonb(new) - 'lost_at' then
    raise exception 'refund allowance % of member % does not change', old.allowance_id, old.member_id;
  end if;
  return new;
end $$;
create trigger guarded before update on refund_allowances for each row execute function guard_refund_allowance();
