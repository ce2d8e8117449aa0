import { useId } from 'react'
import { decimalSeparator, readAmountInput } from '../lib/amount-input.ts'
import { IconButton } from './button.tsx'
import { FieldFrame, type FieldFrameProps, inputBoxClass } from './field.tsx'

export interface UnitsFieldProps extends FieldFrameProps {
  /** Digits alone, or empty. */
  value: string
  onChange: (value: string) => void
  /** The fewest and the most that the buttons lead to; typed numbers are judged by the form. */
  min: bigint
  max?: bigint
  lessLabel: string
  moreLabel: string
  unit: string
}

const MAX_DIGITS = 18

/** Whole units: a number with a button for one less and one more. Decimals are left out. */
export function UnitsField({ value, onChange, min, max, ...props }: UnitsFieldProps) {
  const id = useId()
  const current = value === '' ? null : BigInt(value)
  const step = (by: bigint) => {
    const next = current === null ? min : current + by
    onChange(`${next < min ? min : max !== undefined && next > max ? max : next}`)
  }
  const { label, hint, error, aside } = props
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} aside={aside}>
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

const decimal = decimalSeparator(navigator.language)

/** The whole part of a typed or pasted number; what is none leaves the field as it was. */
function wholeOf(text: string, before: string): string {
  const { value } = readAmountInput(text, decimal)
  if (value === null) return before
  return (value.split('.')[0] ?? '').replace('-', '').slice(0, MAX_DIGITS)
}
