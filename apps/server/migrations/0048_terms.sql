-- The versions of terms and risks that wallets accepted, with the signed sign-in messages as evidence (decision 43). One row per
-- wallet and version: the first message that named the version. A coordinator table, as sessions are.
create table terms_acceptances (
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  version text not null check (version ~ '^\d{4}-\d{2}-\d{2}$'),
  -- Null for an admin who was no member then.
  member_id bigint,
  -- Of the published English text.
  sha256 bytea not null check (octet_length(sha256) = 32),
  message text not null check (length(message) between 1 and 4096),
  signature bytea not null check (octet_length(signature) between 1 and 4096),
  accepted_at timestamptz not null,
  primary key (address, version)
);
create index terms_acceptances_by_member on terms_acceptances (member_id);
create trigger append_only before update or delete or truncate on terms_acceptances
  for each statement execute function refuse_change();
