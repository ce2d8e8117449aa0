import { useEffect, useState } from 'react'
import {
  currentLocale,
  fieldText,
  fieldValue,
  formatDecimal,
  type RefusedAmount,
  readAmount,
  styleOf,
  type Translate,
  useTranslation,
  writeDecimal,
} from '../lib/index.ts'

export interface TypedNumberProps {
  /** Stands behind the number, and may be typed or pasted with it. */
  unit: string
  /** A plain decimal with a point ("1234.5"), empty, or a refused text as `fieldValue` marks it. */
  value: string
  onChange: (value: string) => void
  /** The most decimals that the field takes, 6 by default. */
  decimals?: number | undefined
  /** The decimals with which a value that was not typed is printed, 2 by default. */
  printed?: number | undefined
}

/** Keeps what is typed into a number's field as it is, and passes on what it means. */
export function useTypedNumber({ unit, value, onChange, decimals = 6, printed = 2 }: TypedNumberProps) {
  const { t } = useTranslation()
  const locale = currentLocale()
  const [typed, setTyped] = useState({ text: '', value: '', locale, unit })
  const isTyped = typed.value === value && typed.locale === locale && typed.unit === unit
  const text = isTyped ? typed.text : fieldText(value, locale, printed)
  const read = readAmount(text, locale, { unit, decimals })
  const take = (next: string) => {
    const meant = fieldValue(next, readAmount(next, locale, { unit, decimals }))
    setTyped({ text: next, value: meant, locale, unit })
    onChange(meant)
  }
  // With another unit or language, a refused text may be right.
  const right = value === fieldValue(text, { refusal: 'notNumber' }) ? read.value : undefined
  useEffect(() => {
    if (right !== undefined) onChange(right)
  })
  return {
    text,
    take,
    /** Why the text is refused, and what the field accepts; null if it is not refused. */
    refusal: read.refusal === undefined ? null : refusalText(t, read, { locale, unit, decimals }),
    /** The understood number: "Understood: 1,500.00 USDT"; empty while there is nothing to understand. */
    words: read.value
      ? t('common.amountRead', { amount: amountWords(read.value, printed), unit }).trim()
      : '',
  }
}

function amountWords(value: string, printed: number): string {
  const [whole = '', fraction = ''] = value.split('.')
  const part = fraction.padEnd(printed, '0')
  return formatDecimal(part === '' ? whole : `${whole}.${part}`)
}

interface Accepted {
  locale: string
  unit: string
  decimals: number
}

/** Says what the field would accept in place of a refused text. */
function refusalText(t: Translate, { refusal, either }: RefusedAmount, accepted: Accepted): string {
  const { locale, unit, decimals } = accepted
  if (refusal === 'decimals') return t('common.amount_decimals', { count: decimals })
  if (refusal === 'unit') return t('common.amount_unit', { unit })
  if (refusal === 'lone' && decimals > 0)
    return t('common.amount_lone', { whole: amountWords(either![0], 2), part: amountWords(either![1], 2) })
  const example = either?.[0] ?? (decimals > 0 ? '1500.25' : '1500')
  return t(refusal === 'notNumber' ? 'common.amount_notNumber' : 'common.amount_separator', {
    example: writeDecimal(example, styleOf(locale), false),
  })
}
