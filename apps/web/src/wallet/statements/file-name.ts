import type { Statement } from '@rif/api-schema'
import {
  formatDay,
  formatDayShort,
  formatDecimal,
  formatMonth,
  type TextKey,
  useTranslation,
} from '../../lib/index.ts'
import { monthOf } from './statement-range.ts'

const KB = 1_000
const MB = 1_000_000

const KIND_NAMES = {
  trial_balance: 'statements.kind.trialBalance',
  journal: 'statements.kind.journal',
  customer: 'statements.kind.customer',
} as const satisfies Record<string, TextKey>

/** Names a file by its kind, its days and its format. */
export function useFileName({
  kind,
  format,
  from,
  to,
}: Pick<Statement, 'kind' | 'format' | 'from' | 'to'>): string {
  const { t } = useTranslation()
  const month = monthOf({ from, to })
  const range = month === null ? `${formatDayShort(from)} – ${formatDay(to)}` : formatMonth(month)
  const days = kind === 'trial_balance' ? formatDay(to) : range
  const name =
    kind === 'tax'
      ? t('statements.taxYear', { year: from.slice(0, 4) })
      : kind === 'account'
        ? days
        : `${t(KIND_NAMES[kind])}, ${days}`
  return `${name}, ${format.toUpperCase()}`
}

export function sizeOf(bytes: number): string {
  return bytes >= MB
    ? `${formatDecimal((bytes / MB).toFixed(1))} MB`
    : `${Math.max(1, Math.round(bytes / KB))} kB`
}
