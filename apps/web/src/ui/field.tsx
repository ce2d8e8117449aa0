import { type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from 'react'
import { cx } from '../lib/index.ts'
import { IconCircle } from './card.tsx'
import { Icon, type IconName } from './icon.tsx'

export interface FieldFrameProps {
  label: string
  /** Help under the field; an error takes its place. */
  hint?: ReactNode
  error?: string | undefined
  /** Content after the error: a button that corrects it. */
  mend?: ReactNode
  /** Stands at the end of the label's line. */
  aside?: ReactNode
}

interface FrameParts extends FieldFrameProps {
  id: string
  /** The understood number in words, which stays beside an error. */
  read?: string | undefined
  children: ReactNode
}

/** Label, control, and hint or error below, linked for assistive technology by `id`. */
export function FieldFrame({ id, label, hint, error, mend, aside, read, children }: FrameParts) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-3 text-14">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {aside !== undefined && <span className="text-muted">{aside}</span>}
      </div>
      {children}
      {read !== undefined && (
        <p id={`${id}-read`} aria-live="polite" className="px-1 text-14 empty:hidden">
          {read}
        </p>
      )}
      {/* Polite: the error is read after the typed text. */}
      <div className="flex flex-wrap items-center gap-x-2 px-1 text-14 empty:hidden">
        <p
          id={`${id}-note`}
          aria-live="polite"
          className={cx('empty:hidden', error === undefined ? 'text-muted' : 'flex gap-2 text-bad')}
        >
          {error === undefined ? (
            hint
          ) : (
            <>
              <Icon name="warn" size={16} className="mt-0.5" />
              <span>{error}</span>
            </>
          )}
        </p>
        {error !== undefined && mend}
      </div>
    </div>
  )
}

/** The box around an input. */
export function inputBoxClass(invalid: boolean): string {
  return cx(
    'flex min-h-14 items-center gap-2 rounded-16 border-[1.5px] bg-card px-4 focus-within:outline-2 focus-within:outline-accent',
    invalid ? 'border-bad ring-3 ring-bad-soft' : 'border-line-strong',
  )
}

export interface TextFieldProps extends FieldFrameProps, Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> {
  /** Stands inside the box, after the input. */
  end?: ReactNode
  /** The understood number in words. */
  read?: string
  ref?: Ref<HTMLInputElement>
}

/** A line of text with its label. Spread a react-hook-form `register(...)` into it. */
export function TextField({ label, hint, error, aside, end, read, className, ...input }: TextFieldProps) {
  const id = useId()
  return (
    <FieldFrame {...{ id, label, hint, error, aside, read }}>
      <div className={inputBoxClass(error !== undefined)}>
        <input
          id={id}
          autoComplete="off"
          aria-invalid={error !== undefined || undefined}
          aria-describedby={read === undefined ? `${id}-note` : `${id}-read ${id}-note`}
          className={cx(
            'min-h-11 min-w-0 flex-1 bg-transparent py-2 text-16 outline-none placeholder:text-muted',
            className,
          )}
          {...input}
        />
        {end}
      </div>
    </FieldFrame>
  )
}

export interface TextAreaProps
  extends FieldFrameProps,
    Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id'> {
  /** Stands between the label and the text. */
  above?: ReactNode
}

/** Several lines of text with their label. */
export function TextArea({ label, hint, error, aside, above, ...text }: TextAreaProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} aside={aside}>
      {above}
      <textarea
        id={id}
        rows={4}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={`${id}-note`}
        className={cx(inputBoxClass(error !== undefined), 'py-2 text-16 outline-none')}
        {...text}
      />
    </FieldFrame>
  )
}

export interface SwitchProps {
  /** Makes it a line of a list, like a `Row` with this icon. */
  icon?: IconName
  label: ReactNode
  hint?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** A switch with its label on the left; a tap anywhere in the row toggles it. */
export function Switch({ icon, label, hint, checked, onChange, disabled = false }: SwitchProps) {
  const isRow = icon !== undefined
  return (
    <label
      className={cx(
        'flex cursor-pointer items-center',
        isRow ? 'min-h-14 gap-3 py-2' : 'min-h-11 gap-4',
        disabled && 'opacity-50',
      )}
    >
      {isRow && <IconCircle icon={icon} />}
      <span className="min-w-0 flex-1">
        <span className={cx('block text-16', isRow && 'font-medium')}>{label}</span>
        {hint !== undefined && (
          <span className={cx('block text-muted', isRow ? 'text-13' : 'text-14')}>{hint}</span>
        )}
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
        data-switch
        className={cx(
          'flex h-7 w-12 shrink-0 items-center rounded-full p-1 transition-colors duration-150 peer-focus-visible:outline-2 peer-focus-visible:outline-accent',
          checked ? 'bg-ink' : 'bg-line-strong',
        )}
      >
        <span
          data-thumb
          className={cx(
            'size-5 rounded-full bg-card transition-transform duration-150',
            checked && 'translate-x-5',
          )}
        />
      </span>
    </label>
  )
}

export interface CheckBoxProps {
  label: string
  checked: boolean
  disabled?: boolean
  /** As small as a row of a dense table. */
  isDense?: boolean
  onChange: () => void
}

/** A box of 20 px to tick, in a touch area of 44 px. Where it stands names it for the eye. */
export function CheckBox({ label, checked, disabled = false, isDense = false, onChange }: CheckBoxProps) {
  return (
    <label
      className={cx(
        'grid cursor-pointer place-items-center *:col-start-1 *:row-start-1',
        isDense ? 'size-8' : 'size-11',
      )}
    >
      <input
        type="checkbox"
        aria-label={label}
        className="size-5 cursor-pointer appearance-none rounded-[6px] border-[1.5px] border-muted bg-card checked:border-ink checked:bg-ink"
        checked={checked}
        disabled={disabled}
        onChange={onChange}
      />
      {checked && <Icon name="check" size={14} className="pointer-events-none text-on-ink" />}
    </label>
  )
}
