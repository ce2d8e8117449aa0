import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

export interface SwitchProps {
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** On or off, with its label on the left; the whole row takes the tap. */
export function Switch({ label, hint, checked, onChange, disabled = false }: SwitchProps) {
  return (
    <label
      className={cx(
        'flex min-h-11 cursor-pointer items-center justify-between gap-4',
        disabled && 'opacity-50',
      )}
    >
      <span className="min-w-0">
        <span className="block text-16">{label}</span>
        {hint !== undefined && <span className="block text-14 text-muted">{hint}</span>}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className="peer sr-only"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span
        aria-hidden="true"
        className={cx(
          'flex h-7 w-12 shrink-0 items-center rounded-full p-1 transition-colors duration-150 peer-focus-visible:outline-2 peer-focus-visible:outline-accent',
          checked ? 'bg-ink' : 'bg-line',
        )}
      >
        <span
          className={cx(
            'size-5 rounded-full bg-card transition-transform duration-150',
            checked && 'translate-x-5',
          )}
        />
      </span>
    </label>
  )
}
