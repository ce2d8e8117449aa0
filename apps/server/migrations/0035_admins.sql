-- Admins are wallets with a role (rules, section 12). Several wallets may belong to one person, who then counts once:
-- whoever prepares something with one wallet does not approve it with another.

create table admins (
  address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  role text not null check (role in ('viewer', 'operator', 'approver', 'owner')),
  person text not null check (person <> ''),
  granted_at timestamptz not null
);
create index admins_by_person on admins (person);

-- An admin need not be a member: the session is the wallet's.
alter table sessions alter column member_id drop not null;
create index sessions_by_address on sessions (address);
