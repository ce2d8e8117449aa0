import type { Translate } from '../../../lib/index.ts'

const ACTIONS = [
  'proposal_prepare',
  'proposal_approve',
  'proposal_refuse',
  'proposal_withdraw',
  'proposal_expire',
  'proposal_fail',
  'proposal_apply',
  'attempt_refused',
  'attestation_prepare',
  'attestation_approve',
  'exit_withdraw',
  'fund_invest_announce',
  'guard_audit',
  'guard_clear',
  'day_cap_set',
  'demonstration',
  'exchange_terms_prepare',
  'hash_power_give',
  'vc_launch_prepare',
  'member_freeze',
  'member_unfreeze',
  'member_note',
  'member_erase',
  'emergency_pause',
  'emergency_resume',
  'plan_compare',
  'plan_publish',
  'price_publish',
  'display_rate_publish',
  'role_appoint',
  'settlement_dry_run',
  'settlement_rerun',
  'settlement_rerun_end',
  'statement_request',
  'webhook_secret',
  'webhook_replay',
  'withdrawal_approve',
  'withdrawal_reject',
  'fund_product_prepare',
  'fund_product_propose',
  'fund_product_approve',
  'fund_product_open',
  'fund_product_closed',
  'fund_valuation_propose',
  'fund_valuation_approve',
  'fund_valuation_reject',
  'fund_divestment_propose',
  'fund_divestment_approve',
  'fund_divestment_reject',
  'fund_redemption_review',
  'fund_redemption_approve',
  'fund_redemption_reject',
] as const

/** Returns what an entry of the log says was done; an action without words is named by its code. */
export function actionText(t: Translate, action: string): string {
  // The steps of the demonstration share one text.
  const code = action.replace(/^demonstration\..*/, 'demonstration').replaceAll(/[.-]/g, '_')
  const known = ACTIONS.find((name) => name === code)
  return known === undefined ? action : t(`admin.log.action.${known}`)
}
