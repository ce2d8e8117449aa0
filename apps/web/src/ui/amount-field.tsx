import { useId } from 'react'
import {
  amountText,
  currentLocale,
  cx,
  fieldText,
  formatCount,
  formatExact,
  useTranslation,
} from '../lib/index.ts'
import { IconButton } from './button.tsx'
import { FieldFrame, type FieldFrameProps, inputBoxClass, TextField } from './field.tsx'
import { useTypedNumber } from './typed-number.ts'

export interface AmountFieldProps extends FieldFrameProps {
  /** The asset's symbol, shown behind the number. */
  unit: string
  /** As `useTypedNumber` describes it; `toAmount` of lib/amount-input.ts returns its wire amount. */
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

/** The largest number of characters that fit in the large size beside the unit and the button. */
const MAX_LARGE = 9

/**
 * An amount field: decimal keyboard and a max button. Below it stands what was understood, or why the text is
 * refused.
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
  const number = useTypedNumber({ unit, value, onChange })
  const fill = (amount: string) => onChange(amountText(amount))
  return (
    <FieldFrame
      id={id}
      label={label}
      aside={aside}
      {...noteOf(number.refusal, { hint, error })}
      read={number.words}
      mend={use !== undefined && <UseButton text={formatExact(use)} onUse={() => fill(use)} />}
    >
      <div className={cx(inputBoxClass(error !== undefined), 'min-h-18')}>
        <input
          id={id}
          name={name}
          inputMode="decimal"
          autoComplete="off"
          disabled={disabled}
          placeholder={fieldText('0', currentLocale())}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-read ${id}-note`}
          className={cx(
            'min-w-0 flex-1 bg-transparent py-2 font-display font-semibold outline-none placeholder:text-muted',
            number.text.length > MAX_LARGE ? 'text-20' : 'text-28 max-[359px]:text-20',
          )}
          value={number.text}
          onChange={(event) => number.take(event.target.value)}
          onBlur={onBlur}
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

/** Returns the note of a field: a refusal takes the place of the hint, and of what the form finds. */
function noteOf(refusal: string | null, { hint, error }: Pick<FieldFrameProps, 'hint' | 'error'>) {
  if (refusal === null) return { hint, error }
  return { hint: <span className="text-warn">{refusal}</span>, error: error === undefined ? error : refusal }
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

export interface NumberFieldProps extends FieldFrameProps {
  /** The asset's symbol, "%", or another unit; empty for none. */
  unit: string
  /** As `useTypedNumber` describes it. */
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  /** The most decimals that the field takes, 6 by default; with none, only whole numbers. */
  decimals?: number
  /** The decimals with which a value that was not typed is printed: 2 of money, which is the default. */
  printed?: number
  /** False leaves out what was understood, for a form of many prefilled figures. */
  showsRead?: boolean
  /** Replaces the label for assistive technology. */
  'aria-label'?: string
  placeholder?: string
  disabled?: boolean
  className?: string
}

/** A number in a line of a form, read like an amount. */
export function NumberField({
  unit,
  value,
  onChange,
  decimals,
  printed,
  showsRead = true,
  hint,
  error,
  ...props
}: NumberFieldProps) {
  const number = useTypedNumber({ unit, value, onChange, decimals, printed })
  return (
    <TextField
      inputMode={decimals === 0 ? 'numeric' : 'decimal'}
      maxLength={40}
      {...props}
      {...noteOf(number.refusal, { hint, error })}
      read={showsRead ? number.words : undefined}
      value={number.text}
      onChange={(event) => number.take(event.target.value)}
      {...(unit !== '' && { end: <span className="text-14 text-muted">{unit}</span> })}
    />
  )
}

export interface UnitsFieldProps extends FieldFrameProps {
  /** Digits alone, or a refused text, or empty. */
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

/** The digits that the server takes. */
const UNITS = /^\d{1,18}$/

/** A field for whole units, with buttons for one less and one more. */
export function UnitsField({ value, onChange, min, max, ...props }: UnitsFieldProps) {
  const id = useId()
  const number = useTypedNumber({ unit: props.unit, value, onChange, decimals: 0, printed: 0 })
  const current = UNITS.test(value) ? BigInt(value) : null
  const step = (by: bigint) => {
    const next = current === null ? min : current + by
    onChange(`${next < min ? min : max !== undefined && next > max ? max : next}`)
  }
  const { label, hint, error, aside, use } = props
  return (
    <FieldFrame
      id={id}
      label={label}
      aside={aside}
      {...noteOf(number.refusal, { hint, error })}
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
          value={number.text}
          onChange={(event) => number.take(event.target.value)}
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
