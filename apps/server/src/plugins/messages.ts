import type { ErrorCode } from '@rif/api-schema'
import { COMMON_MESSAGES, type ErrorMessage } from '../lib/messages.ts'
import { ATTESTED_REVENUE_MESSAGES } from '../modules/attested-revenue/attested-revenue.messages.ts'
import { AUTH_MESSAGES } from '../modules/auth/auth.messages.ts'
import { EXCHANGE_MESSAGES } from '../modules/exchange/exchange.messages.ts'
import { FUND_MESSAGES } from '../modules/fund/fund.messages.ts'
import { GATE_MESSAGES } from '../modules/gates/gates.messages.ts'
import { LEAVING_MESSAGES } from '../modules/leaving/leaving.messages.ts'
import { MEMBERS_MESSAGES } from '../modules/members/members.messages.ts'
import { NOTICES_MESSAGES } from '../modules/notices/notices.messages.ts'
import { PROPOSAL_MESSAGES } from '../modules/proposals/proposals.messages.ts'
import { REACH_MESSAGES } from '../modules/reach/reach.messages.ts'
import { SETTLEMENT_MESSAGES } from '../modules/settlement/settlement.messages.ts'
import { SHARES_MESSAGES } from '../modules/shares/shares.messages.ts'
import { SHOP_MESSAGES } from '../modules/shop/shop.messages.ts'
import { SOLVENCY_MESSAGES } from '../modules/solvency/solvency.messages.ts'
import { STATEMENTS_MESSAGES } from '../modules/statements/statements.messages.ts'
import { TRANSFERS_MESSAGES } from '../modules/transfers/transfers.messages.ts'
import { TREASURY_MESSAGES } from '../modules/treasury/treasury.messages.ts'
import { WEBHOOKS_MESSAGES } from '../modules/webhooks/webhooks.messages.ts'
import { WITHDRAWALS_MESSAGES } from '../modules/withdrawals/withdrawals.messages.ts'

/**
 * Status and texts of every error code: the only place where a refusal becomes a response (specification
 * section 8). Each module contributes its own. 401 is reserved for a missing or expired session, because the
 * app then deletes its token and shows the login page; a refused sign-in is therefore a 400.
 */
export const MESSAGES: Readonly<Record<ErrorCode, ErrorMessage>> = {
  ...COMMON_MESSAGES,
  ...GATE_MESSAGES,
  ...REACH_MESSAGES,
  ...PROPOSAL_MESSAGES,
  ...AUTH_MESSAGES,
  ...EXCHANGE_MESSAGES,
  ...ATTESTED_REVENUE_MESSAGES,
  ...FUND_MESSAGES,
  ...MEMBERS_MESSAGES,
  ...NOTICES_MESSAGES,
  ...WEBHOOKS_MESSAGES,
  ...SETTLEMENT_MESSAGES,
  ...SHARES_MESSAGES,
  ...SHOP_MESSAGES,
  ...LEAVING_MESSAGES,
  ...SOLVENCY_MESSAGES,
  ...STATEMENTS_MESSAGES,
  ...TRANSFERS_MESSAGES,
  ...TREASURY_MESSAGES,
  ...WITHDRAWALS_MESSAGES,
}
