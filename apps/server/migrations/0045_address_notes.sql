-- A member's private notes about addresses: of members of the team and of the address book alike.
create table address_notes (
  member_id bigint not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  note text not null check (char_length(note) between 1 and 200),
  changed_at timestamptz not null,
  primary key (member_id, address)
);
