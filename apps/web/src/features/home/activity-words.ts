import type { Activity } from '@rif/api-schema'
import {
  formatDay,
  formatOwn,
  formatPpm,
  shortestAddress,
  TWO_DECIMALS,
  useSession,
  useTranslation,
} from '../../lib/index.ts'
import { percentOf } from './overview.ts'

type T = ReturnType<typeof useTranslation>['t']
type Sourced = Pick<Activity, 'kind' | 'day' | 'due' | 'source' | 'amounts'>

const isOut = ({ amounts }: Sourced) => amounts.some(({ amount }) => amount.startsWith('-'))

/** Returns the source or destination of a transaction in a few words; null where there is nothing to name. */
export function sourceText(activity: Sourced, own: string, t: T): string | null {
  const { kind, source } = activity
  const { address, label, name, base, ratio_ppm: ratio } = source
  const who = address === null ? null : label || shortestAddress(address)
  const day = formatDay(activity.day)
  const figures = base !== null &&
    ratio !== null && { base: formatOwn(base, TWO_DECIMALS), rate: formatPpm(ratio) }
  if (kind === 'commission' && who !== null)
    return t('activity.from.order', { who, name: name ?? t('activity.aPackage') })
  if (kind === 'static' && source.rewards > 0)
    return t('activity.from.packages', { count: source.rewards, day })
  if (kind === 'pairing' && figures) return t('activity.from.matched', figures)
  if (kind === 'management' && figures) return t('activity.from.base', figures)
  if (kind === 'savings_interest') return t('activity.from.day', { day })
  if (kind === 'release') return t('activity.from.release')
  if (kind === 'fund_income' && who !== null && name !== null) return t('activity.from.income', { name, who })
  if (kind.startsWith('transfer') && who !== null)
    return t(kind === 'transfer' && !isOut(activity) ? 'activity.from.member' : 'activity.from.to', { who })
  if (kind.startsWith('withdrawal') && address !== null && who !== null)
    return address.toLowerCase() === own.toLowerCase()
      ? t('activity.from.ownWallet', { address: who })
      : t('activity.from.to', { who })
  return name
}

/** Returns `sourceText` for the signed-in member. */
export function useSourceText(): (activity: Sourced) => string | null {
  const { t } = useTranslation()
  const own = useSession().tokenAddress
  return (activity) => sourceText(activity, own, t)
}

/**
 * Returns the paid part of the calculated amount: "paid in full", "of 11.50 calculated", or with the share:
 * "10% of 11.50 calculated".
 */
export function dueText({ due }: Pick<Activity, 'due'>, t: T, withShare = false): string | null {
  const [only, ...others] = due
  if (only === undefined || others.length > 0) return null
  if (only.due === only.paid) return t('activity.inFull')
  const amount = formatOwn(only.due, TWO_DECIMALS)
  return withShare
    ? t('activity.shareOfDue', { due: amount, percent: percentOf(only) ?? '' })
    : t('activity.ofDue', { due: amount })
}

/** Returns the amounts of a row without signs: for rewards the paid worth, for others each asset. */
export function rowAmounts({ amounts, due, source }: Pick<Activity, 'amounts' | 'due' | 'source'>) {
  const [only] = due
  const worth = source.rewards > 0 && amounts.length > 1 ? only?.paid : undefined
  return worth === undefined
    ? amounts.map(({ asset, amount }) => ({
        amount: amount.replace('-', ''),
        isOut: amount.startsWith('-'),
        asset,
      }))
    : [{ amount: worth, isOut: false, asset: null }]
}
