-- A nonce is issued without a row (decision 60): it says when and with which text it was issued, and a key of the database authenticates
-- it. Only used ones are stored, until none of their time can be valid. They name no wallet, because an erasure must not free them.
-- Nonces of before are no longer valid; wallets ask for another one.
create table sign_in_visits (
  day date not null,
  -- A wallet of no member that asked for a nonce on that day.
  address text not null,
  primary key (day, address)
);
insert into sign_in_visits (day, address)
select distinct visit_day, address from sign_in_nonces where visit_day is not null;

drop table sign_in_nonces;
create table sign_in_nonces (
  nonce text primary key,
  expires_at timestamptz not null
);
create index sign_in_nonces_by_expiry on sign_in_nonces (expires_at);

create table sign_in_key (
  singleton boolean primary key default true check (singleton),
  -- 244 random bits, which PostgreSQL takes from the operating system.
  key bytea not null default sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'))
    check (octet_length(key) = 32)
);
insert into sign_in_key default values;
