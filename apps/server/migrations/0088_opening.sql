-- The opening of a product on a real chain. It begins with all areas paused; two owners open it. A product without a row
-- (the local chain, and every one from before) is open.
create table opening (
  singleton boolean primary key default true check (singleton),
  begun_at timestamptz not null,
  opened_at timestamptz,
  prepared_by text,
  opened_by text,
  -- Who restored which backup, as the owners stated it.
  backup text,
  check ((opened_at is null) = (opened_by is null) and (opened_at is null) = (prepared_by is null)
    and (opened_at is null) = (backup is null))
);
