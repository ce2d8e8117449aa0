-- The pairing cap of a day that the operator sets for one member (rules, section 5); it counts where it is lower than the
-- level's. The last one before a time says what held then; null takes it back.
create table member_day_caps (
  member_id bigint not null,
  cap_id bigint generated always as identity,
  cap_micros bigint check (cap_micros >= 0),
  set_by text not null check (set_by <> ''),
  set_at timestamptz not null,
  primary key (member_id, cap_id)
);
create trigger append_only before update or delete or truncate on member_day_caps
  for each statement execute function refuse_change();
