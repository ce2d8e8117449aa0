-- The nodes that sum the positions from from_position to a leg's end: the position, then rounded up to each power of two.
-- Those beyond the end do not exist. An expression without a loop is part of the caller's plan: team sums are in the
-- most asked of all answers, and calling a function for them was a third of their cost.
drop function leg_suffix_nodes;
create function leg_suffix_nodes(from_position integer) returns integer[]
language sql immutable parallel safe as $$
  select array[
    from_position, (from_position + 1) & -2, (from_position + 3) & -4,
    (from_position + 7) & -8, (from_position + 15) & -16, (from_position + 31) & -32,
    (from_position + 63) & -64, (from_position + 127) & -128, (from_position + 255) & -256,
    (from_position + 511) & -512, (from_position + 1023) & -1024, (from_position + 2047) & -2048,
    (from_position + 4095) & -4096, (from_position + 8191) & -8192, (from_position + 16383) & -16384,
    (from_position + 32767) & -32768, (from_position + 65535) & -65536, (from_position + 131071) & -131072,
    (from_position + 262143) & -262144, (from_position + 524287) & -524288, (from_position + 1048575) & -1048576,
    (from_position + 2097151) & -2097152, (from_position + 4194303) & -4194304, (from_position + 8388607) & -8388608
  ]
$$;

-- No node of a longer leg would be found.
alter table legs add check (length < 16777216);
