import type { AppConfig } from '@rif/api-schema'
import { formatMicros, type Plan, TOP_LEVEL } from '@rif/rules'
import { formatAmount, formatPpm } from '../../lib/index.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const WHOLE = { min: 0, max: 6 }

/** The figures in the texts of help, all of them from the API. */
export function infoFigures(plan: Plan, config: AppConfig) {
  const usdt = (micros: bigint) => formatAmount(formatMicros(micros), WHOLE)
  const top = plan.packages.find(({ level }) => level === TOP_LEVEL) ?? plan.packages.at(-1)!
  const copies = plan.packages.map((terms) => terms.copies)
  return {
    chain: config.chain.name,
    chainId: String(config.chain.id),
    confirmations: config.chain.confirmations,
    minutes: Math.floor(plan.order.quoteValidityMs / MINUTE_MS),
    usdtShare: formatPpm(plan.order.usdtSharePpm),
    amcShare: formatPpm(1_000_000 - plan.order.usdtSharePpm),
    hashRate: formatPpm(plan.order.hashRatePpm),
    poolShare: formatPpm(plan.order.commissionSharePpm),
    copies: Math.max(...copies),
    referral: formatPpm(top.referralPpm),
    organisation: formatPpm(top.organisationPpm),
    staticRate: formatPpm(top.staticPpm),
    pairing: formatPpm(top.pairingPpm),
    staticCap: formatPpm(plan.reward.staticCapPpm),
    parts: plan.reward.releaseParts,
    fee: formatPpm(plan.withdrawal.feePpm),
    minimumFee: usdt(plan.withdrawal.minimumFeeMicros),
    auditAbove: usdt(plan.withdrawal.auditAboveMicros),
    lowLimit: usdt(plan.withdrawal.dayLimitMicros[0] ?? 0n),
    signAbove: usdt(plan.leaving.signAboveMicros),
    savingsFree: usdt(plan.leaving.savingsFreeMicros),
    reviewNewAbove: usdt(plan.leaving.reviewNewAboveMicros),
    savedHours: Math.floor(plan.leaving.savedDelayMs / HOUR_MS),
    payoutHours: Math.floor(plan.fund.payoutDelayMs / HOUR_MS),
    navDays: Math.floor(plan.fund.navMaxAgeMs / DAY_MS),
    highLimit: usdt(plan.withdrawal.dayLimitMicros.at(-1) ?? 0n),
  }
}
