-- An audit that an operator requests is a job of its own.
alter table jobs drop constraint jobs_kind_check;
alter table jobs add constraint jobs_kind_check check (kind in ('dry_run', 'rerun', 'comparison', 'bills', 'audit'));
