import { cx } from '../lib/index.ts'
import { TokenMark, type TokenName } from './token-mark.tsx'

/** The two assets of a balance, as options. */
export const ASSET_OPTIONS = (['USDT', 'AMC'] as const).map((value) => ({ value, label: value, mark: value }))

export interface SegmentedProps<T extends string> {
  label: string
  /** `mark` is the picture of an asset before its label. */
  options: readonly { value: T; label: string; mark?: TokenName }[]
  value: T
  onChange: (value: T) => void
  /** Wraps to a second line instead of scrolling, where all options must be visible before the choice. */
  wraps?: boolean
}

/**
 * A choice of one among a few visible options: real radio buttons, so arrow keys work. As wide as its column
 * on a phone, as its text on a desktop. Long ones scroll sideways up to the edge of the container (16 px
 * away), where they fade.
 */
export function Segmented<T extends string>({ label, options, value, onChange, wraps }: SegmentedProps<T>) {
  return (
    <fieldset className="fade-x relative -mx-4 min-w-0 overflow-x-auto px-4 py-1 [scrollbar-width:none]">
      <legend className="sr-only">{label}</legend>
      <div
        className={cx(
          'flex rounded-12 bg-sunken p-[3px]',
          wraps ? 'flex-wrap' : 'min-w-max lg:w-fit lg:min-w-72',
        )}
      >
        {options.map((option) => (
          <label
            key={option.value}
            className={cx(
              'flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-[9px] px-3 text-14 transition-colors duration-150',
              // An option that is longer than a line takes two itself: the end of an address must not be out of sight.
              wraps ? 'flex-auto py-1 text-balance' : 'min-w-max flex-1 whitespace-nowrap',
              'has-focus-visible:outline-2 has-focus-visible:outline-accent',
              option.value === value
                ? 'bg-selected font-semibold text-ink shadow-1'
                : 'font-medium text-muted',
            )}
          >
            <input
              type="radio"
              name={label}
              className="sr-only"
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.mark !== undefined && <TokenMark token={option.mark} size={20} />}
            <span className="min-w-5 text-center">{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
