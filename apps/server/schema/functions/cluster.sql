-- Is called at the end of each transaction of a database that is spread over machines, which has another form of it.
create function commit_together() returns void language plpgsql set search_path = public, pg_temp as $$
begin
end $$;
