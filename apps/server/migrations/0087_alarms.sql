-- Every alarm of the product, where until now only the guard's reached anybody. `alarms` holds those that are on, so
-- that each begins and ends once, whichever processes see it.
create table alarms (
  name text not null check (name ~ '^[a-z][a-z0-9_]*$'),
  -- What it is about, if there may be several of its name.
  subject text not null,
  detail text not null,
  since timestamptz not null,
  -- Null until it is ended; otherwise those who see it prolong it.
  lasts_until timestamptz,
  primary key (name, subject)
);

alter table guard_alarms rename to alarm_messages;
alter index guard_alarms_due rename to alarm_messages_due;
alter index guard_alarms_pkey rename to alarm_messages_pkey;
alter table alarm_messages rename column cause to name;
alter table alarm_messages add column subject text not null default '';
alter table alarm_messages drop constraint guard_alarms_event_check;
update alarm_messages set subject = name, name = 'guard_closed',
  event = case event when 'closed' then 'begun' else 'ended' end;
alter table alarm_messages alter column subject drop default;
alter table alarm_messages add constraint alarm_messages_event_check check (event in ('begun', 'ended', 'once'));
alter table alarm_messages rename constraint guard_alarms_attempts_check to alarm_messages_attempts_check;
create unique index alarm_messages_once on alarm_messages (name, subject) where event = 'once';
create index alarm_messages_of on alarm_messages (name, alarm_id desc);
insert into alarms (name, subject, detail, since) select 'guard_closed', cause, detail, since from guard_causes;
