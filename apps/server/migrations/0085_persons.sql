-- Persons behind the wallets with a role (rules, section 12). Four eyes, the last owner and "two persons" go by the number.

-- A number is never used again. `joined_into`: the person that this one turned out to be, because their names look alike. It
-- always leads to a person who was not joined into another.
create table persons (
  person_id bigint generated always as identity primary key,
  name text not null unique check (name <> ''),
  joined_into bigint references persons check (joined_into < person_id),
  recorded_at timestamptz not null
);

create function guard_person() returns trigger language plpgsql as $$
begin
  if (old.person_id, old.name, old.recorded_at) is distinct from (new.person_id, new.name, new.recorded_at)
    or new.joined_into is null or new.joined_into > old.joined_into then
    raise exception 'person % keeps the name, and is only joined into an earlier one', old.person_id;
  end if;
  return new;
end $$;
create trigger guarded before update on persons for each row execute function guard_person();
create trigger append_only before delete or truncate on persons for each statement execute function refuse_change();

-- A wallet belongs to one person and never changes it, also after its role was taken.
create table person_wallets (
  address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  person_id bigint not null references persons,
  recorded_at timestamptz not null
);
create index person_wallets_of on person_wallets (person_id);
create trigger append_only before update or delete or truncate on person_wallets
  for each statement execute function refuse_change();

-- The wallets that have a role, prepared or approved something, each under its last name.
create temporary table named_wallets on commit drop as
  select distinct on (address) address, person, at
  from (
    select address, person, granted_at as at, true as is_now from admins
    union all
    select prepared_by, prepared_person, prepared_at, false from proposals
    union all
    select address, person, approved_at, false from proposal_approvals
  ) as names
  where address ~ '^0x[0-9a-f]{40}$' and person <> ''
  order by address, is_now desc, at desc;
insert into persons (name, recorded_at)
  select person, min(at) from named_wallets group by person order by min(at), person;
insert into person_wallets (address, person_id, recorded_at)
  select address, person_id, at from named_wallets join persons on name = person;

alter table admins
  drop column person,
  add foreign key (address) references person_wallets;
