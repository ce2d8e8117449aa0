import { useId, useState } from 'react'
import {
  type AmountRemark,
  amountText,
  cx,
  decimalSeparator,
  formatCount,
  formatExact,
  readAmountInput,
  useTranslation,
} from '../lib/index.ts'
import { IconButton } from './button.tsx'
import { FieldFrame, type FieldFrameProps, inputBoxClass } from './field.tsx'

export interface AmountFieldProps extends FieldFrameProps {
  /** The asset's symbol, shown behind the number. */
  unit: string
  /** A plain decimal with a point, such as "1234.5", or empty: what `toAmount` of lib/amount-input.ts takes. */
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  /** The amount that the max button fills in; without it there is no button. */
  max?: string | undefined
  /** The corrected amount, offered beside the error. */
  use?: string | undefined
  disabled?: boolean
  name?: string
}

const decimal = decimalSeparator(navigator.language)
/** The largest number of characters that fit in the large size beside the unit and the button. */
const MAX_LARGE = 9

/**
 * An amount field: decimal keyboard, the member's own separator and a max button. Removed parts of a pasted
 * text are reported.
 */
export function AmountField({
  unit,
  value,
  onChange,
  onBlur,
  max,
  use,
  disabled,
  name,
  label,
  hint,
  error,
  aside,
}: AmountFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const [remark, setRemark] = useState<AmountRemark | null>(null)
  const onInput = (text: string) => {
    const read = readAmountInput(text, decimal, unit)
    setRemark(read.remark)
    if (read.value !== null) onChange(read.value)
  }
  const fill = (amount: string) => {
    setRemark(null)
    onChange(amountText(amount))
  }
  const note = remark === null ? hint : <span className="text-warn">{t(`common.amount_${remark}`)}</span>
  return (
    <FieldFrame
      {...{ id, label, error, aside }}
      hint={note}
      mend={use !== undefined && <UseButton text={formatExact(use)} onUse={() => fill(use)} />}
    >
      <div className={cx(inputBoxClass(error !== undefined), 'min-h-18')}>
        <input
          id={id}
          name={name}
          inputMode="decimal"
          autoComplete="off"
          disabled={disabled}
          placeholder={`0${decimal}00`}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-note`}
          className={cx(
            'min-w-0 flex-1 bg-transparent py-2 font-display font-semibold outline-none placeholder:text-muted',
            value.length > MAX_LARGE ? 'text-20' : 'text-28 max-[359px]:text-20',
          )}
          value={value.replace('.', decimal)}
          onChange={(event) => onInput(event.target.value)}
          onBlur={() => {
            setRemark(null)
            onBlur?.()
          }}
        />
        <span className="text-16 font-medium text-muted max-[359px]:text-14">{unit}</span>
        {max !== undefined && (
          <button
            type="button"
            disabled={disabled}
            className="-mr-2 min-h-11 min-w-11 rounded-8 px-2 text-16 font-medium text-accent max-[359px]:text-14"
            onClick={() => fill(max)}
          >
            {t('common.max')}
          </button>
        )}
      </div>
    </FieldFrame>
  )
}

/** Fills in the corrected value: "Use 412.60". */
function UseButton({ text, onUse }: { text: string; onUse: () => void }) {
  const { t } = useTranslation()
  return (
    <button type="button" className="touch-line min-w-11 text-left font-semibold text-accent" onClick={onUse}>
      <span>{t('common.use', { value: text })}</span>
    </button>
  )
}

export interface UnitsFieldProps extends FieldFrameProps {
  /** Digits alone, or empty. */
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  /** The corrected number of units, offered beside the error. */
  use?: string | undefined
  /** The limits of the buttons; typed numbers are checked by the form. */
  min: bigint
  max?: bigint
  lessLabel: string
  moreLabel: string
  unit: string
}

const MAX_DIGITS = 18

/** A field for whole units, with buttons for one less and one more. Decimals are left out. */
export function UnitsField({ value, onChange, min, max, ...props }: UnitsFieldProps) {
  const id = useId()
  const current = value === '' ? null : BigInt(value)
  const step = (by: bigint) => {
    const next = current === null ? min : current + by
    onChange(`${next < min ? min : max !== undefined && next > max ? max : next}`)
  }
  const { label, hint, error, aside, use } = props
  return (
    <FieldFrame
      {...{ id, label, hint, error, aside }}
      mend={use !== undefined && <UseButton text={formatCount(Number(use))} onUse={() => onChange(use)} />}
    >
      <div className={inputBoxClass(error !== undefined)}>
        <IconButton
          icon="minus"
          label={props.lessLabel}
          disabled={current === null || current <= min}
          className="disabled:opacity-45"
          onClick={() => step(-1n)}
        />
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          placeholder="0"
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-note`}
          className="min-w-0 flex-1 bg-transparent py-2 text-center text-20 font-semibold outline-none placeholder:text-muted"
          value={value}
          onChange={(event) => onChange(wholeOf(event.target.value, value))}
          onBlur={props.onBlur}
        />
        <span className="text-14 text-muted">{props.unit}</span>
        <IconButton
          icon="plus"
          label={props.moreLabel}
          disabled={max !== undefined && current !== null && current >= max}
          className="disabled:opacity-45"
          onClick={() => step(1n)}
        />
      </div>
    </FieldFrame>
  )
}

/** Returns the whole part of a typed or pasted number; other text leaves the field unchanged. */
function wholeOf(text: string, before: string): string {
  const { value } = readAmountInput(text, decimal)
  if (value === null) return before
  return (value.split('.')[0] ?? '').replace('-', '').slice(0, MAX_DIGITS)
}
