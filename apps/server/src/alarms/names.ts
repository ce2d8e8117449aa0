/**
 * Every alarm of the product, with what it says. An alarm begins and ends, or is a single message. Each has a
 * runbook in docs/operations/runbooks.md under its name.
 */
export const ALARMS = {
  guard_closed: 'the guard has closed the gate for money',
  replica_behind: 'the replica is behind or away: an audit reads the database',
  bank_changed: 'the bank contract changed as an admin announced',
  bank_changed_unannounced: 'the bank contract changed, and no admin announced it',
  node_away: 'the chain node does not answer',
  no_blocks: 'the chain makes no blocks',
  indexer_stalled: 'the indexer does not follow the chain',
  signer_away: 'the signer cannot sign: no claims, no payments on chain',
  claim_signer_away: 'the claim key has no role in the bank: no claim is paid',
  claims_refused: 'the signer refuses to sign claims',
  approvers_differ: "the signer's list of approvers differs from the roles",
  signer_log: "the signer's log lacks vouchers: every withdrawal needs an approval",
  quote_signer_away: 'the quote key has no role in the bank: no order is paid',
  no_guardian: 'nobody holds the role of guardian in the bank',
  cap_low_usdt: "little is left of the bank's daily cap of USDT",
  cap_low_amc: "little is left of the bank's daily cap of AMC",
  change_queued: 'a change of the bank contract is queued',
  hand_over_queued: 'a hand-over of the bank is queued',
  exit_announced: 'an approved exit waits in public',
  exit_unapproved: 'the bank contract announced an exit that no admin approved: cancel it',
  exit_executed_unapproved: "an exit that no admin approved was executed: look at the treasurer's key",
  destination_unapproved: 'the bank contract has a destination of exits that no admin approved: cancel it',
  exit_not_released: 'an exit that ended was not released',
  node_set_aside: 'a chain node contradicts the others or is of another chain',
  contracts_unchecked: 'the chain is away: no money moves in a process before its contracts were checked',
  quorum_lost: 'too few chain nodes agree: nothing becomes final',
  chain_reorganised: 'a reorganisation replaced blocks that were final, and events are missing',
  event_undone: 'a booked event was undone',
  event_not_applied: 'an event cannot be applied; later ones wait',
  indexer_halted: 'the indexer halted: reorganisation below L1 finality',
  payment_missed: 'the bank was paid for an order whose payment is not booked',
  claim_missed: 'the bank has paid a withdrawal whose claim is not booked',
  payment_unmatched: 'a payment to the bank fits no order',
  claim_unmatched: 'a claim fits no withdrawal',
  publication_reverted: 'a publication of a solvency report was reverted',
  publisher_eth_low: "the publisher's wallet has little ETH: without a publication money stops",
  report_differs: 'the chain has another solvency report than the books',
  report_late: 'the solvency report is not on the chain',
  statement_failed: 'a statement failed',
  clock_differs: "a process does not write: its clock differs from the database's",
  signer_process_ended: 'the signing process ended',
  test: 'this is a test: nothing has happened',
} as const

export type AlarmName = keyof typeof ALARMS

/** Returns where the runbook of an alarm is, in the repository. */
export const runbookOf = (name: string): string => `docs/operations/runbooks.md#${name}`
