import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ERASURE, EXCLUDED, EXPORTED } from './personal-data.ts'

const WORDING = readFileSync(new URL('../../../../terms/wording.txt', import.meta.url), 'utf8')
const [, DATA = ''] = /\[terms\.data\]\n\n(.*)\n/.exec(WORDING) ?? []

/** The words of the terms by which each table about a member is named. */
const NAMED: Readonly<Record<string, string>> = {
  members: 'your wallet address, when you joined, your level, your sponsor',
  placements: 'your place in the team',
  orders: 'your orders, payments',
  unmatched_payments: 'payments, refunds',
  unmatched_claims: 'payments, refunds',
  suspense_releases: 'refunds',
  refund_allowances: 'refunds',
  refund_uses: 'refunds',
  rewards: 'rewards',
  reward_undone: 'rewards',
  member_debts: 'debts',
  withdrawals: 'withdrawals, transfers',
  transfers: 'withdrawals, transfers',
  wallet_sends: 'what you send from the wallet in the app',
  sent_transactions: 'what you send from the wallet in the app',
  savings_transfers: 'savings, interest',
  savings_interest: 'savings, interest',
  standing_savings: 'standing transfers',
  conversions: 'exchanges, dividends, launches',
  dividends: 'exchanges, dividends, launches',
  vc_subscriptions: 'exchanges, dividends, launches',
  hash_power_grants: 'the RIF you were granted',
  fund_orders: 'fund orders, redemptions, income and bills',
  fund_redemptions: 'fund orders, redemptions, income and bills',
  fund_redemption_lots: 'fund orders, redemptions, income and bills',
  fund_income: 'fund orders, redemptions, income and bills',
  fund_bills: 'fund orders, redemptions, income and bills',
  ledger_entries: 'every entry of the ledger',
  ledger_balances: 'every entry of the ledger',
  sign_in_visits: 'Sign-in requests, also of wallets that do not join',
  sessions: 'of each sign-in the time and the name of browser and system',
  notice_devices: 'a mark by which your browsers are recognised',
  member_visits: 'visits of pages that show what is new',
  announcement_dismissals: 'dismissed announcements',
  terms_acceptances: 'Every text your wallet signed: these terms',
  member_consents: 'moves of money and addresses',
  unsigned_moves: 'exchanges',
  address_book: 'Saved addresses, the addresses you sent to',
  address_notes: 'your notes and names for members',
  member_labels: 'your notes and names for members',
  saved_only_switches: 'settings such as pauses and caps',
  management_switches: 'settings such as pauses and caps',
  member_day_caps: 'settings such as pauses and caps',
  notices: 'Notices, your choices for them',
  notice_members: 'Notices, your choices for them',
  notice_pushes: 'browsers for push',
  notice_emails: 'an e-mail address, encrypted, if you add one',
  statements: 'Statements and links to them',
  shared_links: 'Statements and links to them',
  member_notes: 'What operators note about you',
  risk_flags: 'flags for a review',
  refused_addresses: 'exclusions',
  erasures: 'your request for an erasure',
}

it('the terms name the data of every table about a member', () => {
  for (const [table, words] of Object.entries(NAMED)) expect(DATA, table).toContain(words)
  const stored = [...Object.keys(EXPORTED), 'member_notes', 'risk_flags']
  expect(Object.keys(NAMED).sort()).toEqual(stored.sort())
  // The other tables have nothing of their own about a member, as the export says of each; a statement's files belong to it.
  const others = Object.keys(ERASURE).filter((table) => NAMED[table] === undefined && !(table in EXCLUDED))
  expect(others).toEqual(['statement_chunks', 'statement_files'])
})

it('the terms name what is stored outside these tables', () => {
  expect(DATA).toContain('The request log of the server has the IP address, the time and the called address')
  expect(DATA).toContain('calls are counted by IP address for a minute')
  expect(DATA).toContain('The country of your connection is compared with the excluded ones and not stored')
  expect(DATA).toContain('Backups have all of it')
})
