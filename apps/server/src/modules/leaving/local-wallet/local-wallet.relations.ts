import { sql } from 'kysely'

/** The sends of members' wallets that were not replaced, lost or reverted; amounts in base units of the token. */
export const WALLET_SENDS = sql`(
  select member_id, send_id, first_hash, asset, to_address, amount_units, status = 'Success' as is_done,
    coalesce(block_at, told_at) as sent_at
  from wallet_sends where status in ('Sent', 'Confirming', 'Success')
)`
