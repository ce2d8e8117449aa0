-- Returns the value of a query about the rows of one member, on the machine where they stand. There it is prepared once for each session
-- and shard, on the tables of the shard, so neither Citus nor the machine plans it for each call. `@name@` in it is a table; p_values are
-- the literals of its parameters.
create or replace function read_at_member(p_member bigint, p_name text, p_query text, p_values text) returns text
language plpgsql set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_shard bigint := get_shard_id_for_distribution_column('ledger_heads', p_member);
  v_call text := format('execute %I%s', p_name || '_' || v_shard, p_values);
  v_query text := p_query;
  v_table record;
  v_value text;
begin
  begin
    execute v_call into v_value;
    return v_value;
  exception when invalid_sql_statement_name then
    null;
  end;
  for v_table in
    select part.logicalrelid::text as name, shard_name(part.logicalrelid, shard.shardid) as shard
    from pg_dist_shard as own
    join pg_dist_partition as part on part.partmethod = 'h' or part.repmodel = 't'
    join pg_dist_shard as shard on shard.logicalrelid = part.logicalrelid
      and (shard.shardminvalue = own.shardminvalue or part.partmethod = 'n')
    where own.shardid = v_shard
  loop
    v_query := replace(v_query, '@' || v_table.name || '@', v_table.shard);
  end loop;
  execute format('prepare %I as %s', p_name || '_' || v_shard, v_query);
  execute v_call into v_value;
  return v_value;
end $$;
