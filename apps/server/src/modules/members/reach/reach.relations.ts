import { sql } from 'kysely'

/** The refused wallets, in the form of `Refusal`. */
export const REFUSED_WALLETS = sql`(
  select 'address' as by, level, address as value, reason from refused_addresses
)`
