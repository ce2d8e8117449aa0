/** Products on sale, each with a NAV. */
export const MAKE_PRODUCTS = `
  with made as (
    insert into fund_products (name, introduction, risk_level, estimated_annual_return_ppm, minimum_micros, lock_days,
      redeemable_weekdays, subscription_ppm, redemption_ppm, management_ppm, state, prepared_by, prepared_at, approved_by,
      approved_at, opening_micros, nav_micros, is_invested, began_nav_micros, valued_at)
    select 'Product ' || number, '{"en": "x"}', 1, 0, 0, 0, '{1,2,3,4,5,6,7}', 10000, 0, 0, 'open', 'a', '2025-12-01', 'b',
      '2025-12-01', 1000000, 1000000, true, 1000000, '2026-02-01' from generate_series(1, $1::int) as number returning product_id
  )
  insert into fund_navs (product_id, nav_micros, cause, cash_micros, invested_micros, units, published_at)
  select product_id, 1000000, 'opening', 0, 0, 0, '2025-12-02' from made`

/** Members from `$1` to `$2` below a first one. */
export const MAKE_MEMBERS = `
  insert into members (address, invite_code, sponsor_id, section, invited_no, joined_at)
  select '0x' || lpad(to_hex(number), 40, '0'), lpad(translate(number::text, '01', 'AB'), 8, 'C'),
    case when number > 1 then 1 end, case when number > 1 then 'left' end, nullif(number - 1, 0), '2025-12-01'
  from generate_series($1::int, $2::int) as number`

/** A purchase of `$3` products by the members from `$1` to `$2`, over December and January. */
export const MAKE_HOLDINGS = `
  insert into fund_orders (member_id, product_id, payer, payment_method, units, nav_micros, fee_ppm, fee_micros, status,
    units_left, created_at, paid_at, collected_at)
  select member, product, '0x', 'available', 100, 1000000, 10000, 1000000, 'Paid', 100, at, at, at
  from generate_series($1::bigint, $2::bigint) as member, generate_series(1, $3::bigint) as product,
    lateral (select timestamptz '2025-12-15' + (product || ' days')::interval * 3 as at) as bought`
