import { access } from './access/index.ts'
import { books } from './books/index.ts'
import { desk } from './desk/index.ts'
import { exchange } from './exchange/index.ts'
import { files } from './files/index.ts'
import { fund } from './fund/index.ts'
import { leaving } from './leaving/index.ts'
import { members } from './members/index.ts'
import { messages } from './messages/index.ts'
import { operators } from './operators/index.ts'
import { overview } from './overview/index.ts'
import { prices } from './prices/index.ts'
import { rewards } from './rewards/index.ts'
import { savings } from './savings/index.ts'
import { settlement } from './settlement/index.ts'
import { shop } from './shop/index.ts'
import { trust } from './trust/index.ts'

/** The capabilities of the product, from bottom to top: each needs only those before it. */
export const CAPABILITIES = [
  books,
  operators,
  messages,
  prices,
  members,
  access,
  rewards,
  shop,
  leaving,
  savings,
  exchange,
  settlement,
  fund,
  trust,
  files,
  overview,
  desk,
] as const
