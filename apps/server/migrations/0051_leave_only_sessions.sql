-- True for a session whose wallet signed that it does not accept the terms in force: it can only take out what is its own.
alter table sessions add column leaves_only boolean not null default false;
