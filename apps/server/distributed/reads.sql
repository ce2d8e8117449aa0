-- Executes a statement about rows of a shard on its machine. There it is prepared once for each session and
-- shard, on the tables of the shard, so neither Citus nor the machine plans it for each call. `@name@` in it
-- is a table, `@@` the suffix of a function of the shard; p_values are the literals of its parameters. Returns
-- the statement's value.
drop function if exists execute_in_shard(text, text, text, text, boolean);
create or replace function execute_in_shard(p_suffix text, p_name text, p_query text, p_values text) returns text
language plpgsql set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_name text := p_name || p_suffix;
  v_call text := format('execute %I%s', v_name, p_values);
  v_query text := p_query;
  v_table record;
  v_value text;
begin
  for attempt in 1..2 loop
    begin
      execute v_call into v_value;
      return v_value;
    exception when invalid_sql_statement_name then
      null;
    end;
    v_query := replace(v_query, '@@', p_suffix);
    -- Without Citus there is no table of shards, and no suffix.
    if p_suffix = '' then
      v_query := replace(v_query, '@', '');
    else
      for v_table in
        select part.logicalrelid::text as name, shard_name(part.logicalrelid, shard.shardid) as shard
        from pg_dist_shard as own
        join pg_dist_partition as part on part.partmethod = 'h' or part.repmodel = 't'
        join pg_dist_shard as shard on shard.logicalrelid = part.logicalrelid
          and (shard.shardminvalue = own.shardminvalue or part.partmethod = 'n')
        where own.shardid = substr(p_suffix, 2)::bigint
      loop
        v_query := replace(v_query, '@' || v_table.name || '@', v_table.shard);
      end loop;
    end if;
    execute format('prepare %I as %s', v_name, v_query);
  end loop;
  raise exception 'statement % is not prepared', v_name;
end $$;

-- Returns the value of a query about the rows of one member, on their machine.
create or replace function read_at_member(p_member bigint, p_name text, p_query text, p_values text) returns text
language plpgsql set search_path = public, pg_temp as $$
begin
  return execute_in_shard(shard_suffix(p_member), p_name, p_query, p_values);
end $$;

-- Executes a statement that writes rows of one member, on the machine that stores them. Returns its value, a
-- number or null.
create or replace function write_at_member(p_member bigint, p_name text, p_query text, p_values text) returns bigint
language plpgsql set search_path = public, pg_temp as $$
begin
  return execute_in_shard(own_shard_suffix(p_member), p_name, p_query, p_values);
end $$;
