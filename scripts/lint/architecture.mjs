/** The declared structure of the repository; `boundaries.mjs` checks the source against it. */

/** The server's modules from bottom to top: a module imports only modules before it. */
export const MODULES = [
  'ledger',
  'reversals',
  'admin-log',
  'admins',
  'jobs',
  'notices',
  'webhooks',
  'announcements',
  'pricing',
  'plans',
  'placement',
  'members',
  'reach',
  'gates',
  'auth',
  'live',
  'attested-revenue',
  'refunds',
  'checkout',
  'leaving',
  'rewards',
  'exchange',
  'savings',
  'hash-power',
  'shop',
  'withdrawals',
  'transfers',
  'fund',
  'treasury',
  'local-wallet',
  'transactions',
  'activity',
  'member-search',
  'portfolio',
  'settlement',
  'earnings',
  'statements',
  'solvency',
  'shares',
  'system',
  'plan-comparison',
  'guard',
  'opening',
  'proposals',
  'price-intake',
  'bank-watch',
  'money-policy',
  'operations',
  'me',
  'search',
  'analytics',
  'desk',
  'person',
]

/** Imports that point up, as [importing module, imported module, reason]. At most five. */
export const ARROWS_UP = [
  [
    'exchange',
    'settlement',
    'The dividends of the last 30 settled days need the last settled day, which only settlement stores.',
  ],
  ['leaving', 'withdrawals', 'The policy adds up withdrawals and transfers in one statement, by relations.'],
  ['leaving', 'transfers', 'The policy adds up withdrawals and transfers in one statement, by relations.'],
]

/** The owner of every table: only its files query the table. An owner is a module, or a directory of `apps/server/src`. */
export const TABLES = {
  ledger: [/^ledger_/],
  reversals: ['member_debts'],
  'admin-log': ['admin_actions', 'admin_seals'],
  admins: ['admins', 'persons', 'person_wallets'],
  reach: [/^refused_/],
  gates: ['pauses', 'guard_causes', 'opening'],
  webhooks: [/^webhook_/],
  announcements: ['announcements', 'announcement_dismissals'],
  pricing: ['prices', 'price_sources', 'display_rates'],
  plans: ['plans'],
  placement: ['placements', 'leg_sums'],
  members: ['members', 'member_labels', 'address_notes', /^member_(levels|days)$/],
  notices: ['notices', /^notice_/],
  auth: ['sessions', /^sign_in_/, 'terms_acceptances', 'terms_texts'],
  'attested-revenue': ['attestations', 'revenue_deposits', 'deposit_uses'],
  refunds: [/^refund_/],
  checkout: ['unmatched_payments', 'suspense_releases'],
  rewards: [/^reward/, 'management_switches', 'member_day_caps', 'member_standings'],
  exchange: ['conversions', 'exchange_terms', /^dividend/, /^vc_/],
  savings: [/^savings_/, 'standing_savings'],
  'hash-power': ['hash_power_grants'],
  shop: ['packages', 'package_copies', 'orders', 'order_days', 'sales_days'],
  leaving: ['address_book', 'saved_only_switches', 'member_consents', 'unsigned_moves', 'risk_flags'],
  withdrawals: ['withdrawals', 'unmatched_claims'],
  transfers: ['transfers'],
  fund: [/^fund_/],
  treasury: ['exits', 'exit_destinations', 'unapproved_exits'],
  'local-wallet': ['wallet_sends'],
  transactions: ['sent_transactions'],
  activity: ['member_visits'],
  search: ['member_notes'],
  settlement: [/^settlement_/],
  earnings: [/^earnings_/],
  statements: [/^statement/],
  solvency: [/^solvency_/],
  shares: ['shared_links'],
  proposals: ['proposals', 'proposal_approvals', 'decision_statements', 'deposit_looks'],
  'bank-watch': [/^bank_/],
  guard: ['guard_audits', 'guard_differences', 'guard_start'],
  alarms: ['alarms', 'alarm_messages'],
  chain: [/^chain_/, 'banks'],
  db: ['schema_migrations'],
  lib: ['idempotency_keys', 'rate_limits'],
  jobs: ['jobs'],
  person: ['erasures'],
}

/** Files that read the tables of other owners. */
export const READERS = [
  // Reads whether the database is marked as a simulation.
  /^apps\/server\/src\/db\/clock-watch\.ts$/,
  /\/modules\/(search|analytics|desk|person)\//,
  /\.audit\.ts$/,
  /^apps\/server\/src\/signer\/reading\.ts$/,
]

/** The files that may read from one node alone (`untrustedClient`), with what a false answer does there. */
export const READERS_OF_ONE_NODE = [
  ['apps/server/src/chain/nodes/nodes.ts', 'Creates the access.'],
  ['apps/server/src/chain/client.ts', 'Hands it on.'],
  ['apps/server/src/services.ts', 'Hands it on to the transactions.'],
  ['apps/server/src/simulate/simulated-chain.ts', 'Has no node.'],
  [
    'apps/server/src/chain/raw-tx.ts',
    'A false allowance gives a needless approval, or none and a reverted payment.',
  ],
  ['apps/server/src/modules/transactions/transactions.service.ts', 'Shows a member the own transactions.'],
  ['apps/server/src/modules/local-wallet/local-wallet.follower.ts', 'Shows a member the own sends.'],
  ['apps/server/src/modules/local-wallet/local-wallet.chain.ts', 'Shows a member the own sends.'],
  [
    'apps/server/src/modules/solvency/solvency.publishing.service.ts',
    'Nonce, gas and sending of a publication.',
  ],
  ['apps/server/src/local/demo/team.ts', 'The local chain of the demonstration.'],
  ['apps/server/src/local/demo/pay-in.ts', 'The local chain of the demonstration.'],
  ['apps/server/src/local/demo/history/operator-events.ts', 'The local chain of the demonstration.'],
]

const SERVER_MODULE = /^apps\/server\/src\/modules\/([\w-]+)\//
const FEATURE = /^apps\/web\/src\/features\/([\w-]+)\//
const sameRoom = (room) => (target, path) => room.exec(target)[1] === room.exec(path)[1]

/** Refused imports: those that files `in` a place may not have, unless `except` allows them. */
export const FORBIDDEN_IMPORTS = [
  {
    in: /^packages\/rules\//,
    imports: /^(?!packages\/rules\/src\/)/,
    because: 'The rules import nothing but each other.',
  },
  {
    in: /^packages\/solvency\//,
    imports: /^(?!packages\/solvency\/src\/)/,
    because: 'The format of a proof imports nothing, so that server, browser and verifier share it.',
  },
  {
    in: /^packages\/api-schema\//,
    imports: /^(?!packages\/api-schema\/src\/|zod$)/,
    because: 'The API schema imports only Zod.',
  },
  {
    in: /^apps\/server\//,
    imports: /^(apps\/web\/|@rif\/web)/,
    because: 'The server does not import the web app.',
  },
  {
    in: SERVER_MODULE,
    imports:
      /^apps\/server\/src\/modules\/(?![\w-]+\/[\w.-]+\.(service|relations)\.ts$|ledger\/ledger\.(accounts|audit)\.ts$)/,
    except: sameRoom(SERVER_MODULE),
    because: 'Another module is reached only through its service or its relations.',
  },
  {
    in: /^apps\/server\/.*\.(routes|worker)\.ts$/,
    imports: /\.repository\.ts$|^(kysely|pg)$/,
    because: 'Routes and workers call services; only services reach the database.',
  },
  {
    in: /^apps\/server\/.*\.repository\.ts$/,
    imports: /\.(service|routes|worker)\.ts$/,
    because: 'A repository is below the services.',
  },
  {
    // `rif deploy` sends transactions with a key that holds no role and belongs to no process of the product.
    in: /^apps\/server\/src\/(?!signer\/|local\/|cli\/deploy\.ts$)/,
    imports: /^(viem\/accounts|koffi|ox(\/(?!Bloom$).*)?|@noble\/.*)$/,
    because: 'Only the signer handles private keys.',
  },
  {
    in: /^apps\/server\/src\/(?!signer\/|cli\/sign\.ts$)/,
    imports: /^apps\/server\/src\/signer\/(?!(client|protocol)\.ts$)/,
    because: 'Other processes reach the signer only through its client.',
  },
  {
    in: /^apps\/server\/src\/signer\/(client|protocol)\.ts$/,
    imports: /^apps\/server\/src\/signer\/(?!protocol\.ts$)/,
    because: "The signer's client has nothing of the signer itself.",
  },
  {
    in: /^apps\/server\/src\/signer\//,
    imports: /^apps\/server\/src\/(modules|plugins|services|app)/,
    because: 'The signer judges by itself.',
  },
  {
    in: /^apps\/web\//,
    imports: /^(apps\/server\/|@rif\/server|@rif\/contracts\/bytecode|node:)/,
    because: 'The web app does not import the server.',
  },
  { in: /^apps\/web\/src\/features\//, imports: /^apps\/web\/src\/app\//, because: 'app is above features.' },
  {
    in: FEATURE,
    imports: FEATURE,
    except: sameRoom(FEATURE),
    because: 'No feature imports another feature.',
  },
  {
    in: /^apps\/web\/src\/wallet\//,
    imports: /^apps\/web\/src\/(app|features)\//,
    because: 'wallet is below app and features.',
  },
  {
    in: /^apps\/web\/src\/ui\//,
    imports: /^apps\/web\/src\/(app|features|wallet)\//,
    because: 'ui has no product knowledge: it imports only lib.',
  },
  {
    in: /^apps\/web\/src\/lib\//,
    imports: /^apps\/web\/src\/(app|features|wallet|ui)\//,
    because: 'lib is below everything else of the web app.',
  },
]
