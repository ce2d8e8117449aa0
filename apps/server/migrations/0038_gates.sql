-- What stops members from acting (rules, section 12): areas that are paused, and members that are frozen.

create table pauses (
  area text primary key check (area in ('sign_ups', 'orders', 'withdrawals', 'settlement')),
  paused_by text not null,
  reason text not null,
  paused_at timestamptz not null
);

-- A member that is `deactivated` is frozen: money still arrives, and nothing goes out at the member's wish.
alter table members add column freeze_reason text;
update members set freeze_reason = 'before reasons were kept' where state = 'deactivated';
alter table members add constraint members_freeze check ((state = 'deactivated') = (freeze_reason is not null));

-- Payments in `suspense` that were given to a member, once each.
create table suspense_releases (
  member_id bigint not null,
  tx_hash text not null,
  log_index integer not null,
  to_member_id bigint not null,
  released_by text not null,
  released_at timestamptz not null,
  primary key (member_id, tx_hash, log_index)
);
create trigger append_only before update or delete or truncate on suspense_releases
  for each statement execute function refuse_change();

do $migration$
begin
  execute format('create or replace function ledger_flow_list() returns text[] language sql immutable parallel safe return %L::text[]',
    ledger_flow_list() || array[
      'suspense_release suspense>available',
      'suspense_release suspense>clearing',
      'suspense_release clearing>available'
    ]);
end $migration$;
