-- What a member moves, without a signature, into something that cannot be taken back at the same worth (rules, section 10): the
-- policy adds it to the unsigned withdrawals and transfers. A conversion or purchase that is undone stays counted.
create table unsigned_moves (
  member_id bigint not null,
  way text not null check (way in ('conversion', 'fund_purchase', 'savings_in')),
  -- The number of the conversion, the purchase or the transfer.
  move_id bigint not null,
  worth_micros bigint not null check (worth_micros > 0),
  moved_at timestamptz not null,
  primary key (member_id, way, move_id)
);
create index unsigned_moves_by_time on unsigned_moves (member_id, moved_at);
create trigger append_only before update or delete or truncate on unsigned_moves
  for each statement execute function refuse_change();

-- What was signed for does not count towards the next signature.
alter table transfers
  add column consent_nonce text,
  add foreign key (member_id, consent_nonce) references member_consents (member_id, nonce);

create or replace function guard_transfer() returns trigger language plpgsql as $$
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

-- A standing transfer is signed when it is made or changed. One of an earlier release is judged each time that it moves.
alter table standing_savings
  add column consent_nonce text,
  add foreign key (member_id, consent_nonce) references member_consents (member_id, nonce),
  drop constraint standing_savings_last_outcome_check,
  add constraint standing_savings_last_outcome_check check (last_outcome in ('moved', 'short', 'unsigned'));
