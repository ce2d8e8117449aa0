import { ALARMS_TABLES } from './alarms/tables.ts'
import { CHAIN_TABLES } from './chain/tables.ts'
import type { Table, TableClass } from './db/tables.ts'
import type { DB } from './db/types.gen.ts'
import { JOBS_TABLES } from './jobs/tables.ts'
import { LIB_TABLES } from './lib/tables.ts'
import { ACCESS_TABLES } from './modules/access/tables.ts'
import { BOOKS_TABLES } from './modules/books/tables.ts'
import { DESK_TABLES } from './modules/desk/tables.ts'
import { EXCHANGE_TABLES } from './modules/exchange/tables.ts'
import { FILES_TABLES } from './modules/files/tables.ts'
import { FUND_TABLES } from './modules/fund/tables.ts'
import { LEAVING_TABLES } from './modules/leaving/tables.ts'
import { MEMBERS_TABLES } from './modules/members/tables.ts'
import { MESSAGES_TABLES } from './modules/messages/tables.ts'
import { OPERATORS_TABLES } from './modules/operators/tables.ts'
import { OVERVIEW_TABLES } from './modules/overview/tables.ts'
import { PRICES_TABLES } from './modules/prices/tables.ts'
import { REWARDS_TABLES } from './modules/rewards/tables.ts'
import { SAVINGS_TABLES } from './modules/savings/tables.ts'
import { SETTLEMENT_TABLES } from './modules/settlement/tables.ts'
import { SHOP_TABLES } from './modules/shop/tables.ts'
import { TRUST_TABLES } from './modules/trust/tables.ts'

/**
 * Every table and view of the schema, as its owner declares it. These files hold data only, because the database layer reads them: it
 * grants the rights, distributes the tables and checks the catalogue against them.
 */
export const TABLES: Readonly<Record<keyof DB, Table>> = {
  ...CHAIN_TABLES,
  ...ALARMS_TABLES,
  ...LIB_TABLES,
  ...JOBS_TABLES,
  ...BOOKS_TABLES,
  ...OPERATORS_TABLES,
  ...MESSAGES_TABLES,
  ...PRICES_TABLES,
  ...MEMBERS_TABLES,
  ...ACCESS_TABLES,
  ...REWARDS_TABLES,
  ...SHOP_TABLES,
  ...LEAVING_TABLES,
  ...SAVINGS_TABLES,
  ...EXCHANGE_TABLES,
  ...SETTLEMENT_TABLES,
  ...FUND_TABLES,
  ...TRUST_TABLES,
  ...FILES_TABLES,
  ...OVERVIEW_TABLES,
  ...DESK_TABLES,
}

/** The location of the rows of each table that has any. */
export const TABLE_CLASSES: Readonly<Record<string, TableClass>> = {
  schema_migrations: 'coordinator',
  ...Object.fromEntries(
    Object.entries(TABLES).flatMap(([name, { place }]) =>
      place === 'view' || place === 'member view' ? [] : [[name, place]],
    ),
  ),
}

/** The views that show rows of distributed tables. */
export const MEMBER_VIEWS: readonly string[] = Object.entries(TABLES).flatMap(([name, { place }]) =>
  place === 'member view' ? [name] : [],
)
