import {
  copyText,
  cx,
  shortAddress,
  shortAddressLong,
  shortestAddress,
  useTranslation,
} from '../lib/index.ts'
import { Icon } from './icon.tsx'

export interface AddressProps {
  /** An address, a transaction's hash or another long id. */
  value: string
  /**
   * `tail`: first 12 and last 8 characters; `head`: first 16 and last 4; `ends`: first 6 and last 4, for narrow places; `full`: all,
   * in groups to be compared by eye.
   */
  form?: 'tail' | 'head' | 'ends' | 'full'
  /** False leaves out the copy button. */
  copy?: boolean
  className?: string
}

const SHORTENED = {
  tail: shortAddress,
  head: shortAddressLong,
  ends: shortestAddress,
  full: (value: string) => value,
}

/** A long id in a short form, with a button that copies the complete id. */
export function Address({ value, form = 'tail', copy = true, className }: AddressProps) {
  const { t } = useTranslation()
  const text = SHORTENED[form](value)
  return (
    <span className={cx('inline-flex min-w-0 max-w-full items-center gap-1', className)}>
      <span
        title={value}
        className={form === 'full' ? 'text-balance wrap-anywhere' : 'flex min-w-0 max-[359px]:text-[0.85em]'}
      >
        {form === 'full' ? <Groups value={value} /> : <Ends text={text} />}
      </span>
      {copy && (
        <button
          type="button"
          aria-label={t('common.copyValue', { value: text })}
          className="-my-3 -mr-3 inline-grid size-11 shrink-0 place-items-center rounded-12 text-muted hover:bg-sunken print:hidden"
          onClick={(event) => {
            // In a row that is a link, copying must not open it.
            event.preventDefault()
            event.stopPropagation()
            void copyText(value)
          }}
        >
          <Icon name="copy" size={16} />
        </button>
      )}
    </span>
  )
}

/** A short form that is truncated in the middle, because members compare the last characters. */
function Ends({ text }: { text: string }) {
  const gap = text.indexOf('…') + 1 || text.length
  return (
    <>
      <span className="truncate">{text.slice(0, gap)}</span>
      <span className="shrink-0">{text.slice(gap)}</span>
    </>
  )
}

/** A text with the short form of an address in it, which is not broken into two lines. */
export function TextWithAddress({ text, address }: { text: string; address: string }) {
  const short = shortAddress(address)
  const [before = '', after = ''] = text.split(short)
  return (
    <>
      {before}
      <span className="whitespace-nowrap">{short}</span>
      {after}
    </>
  )
}

/** An address, or a hash of 32 bytes. */
const GROUPED = /^0x([0-9a-f]{40}|[0-9a-f]{64})$/i
const GROUP = 4

/** Groups of four characters, as in hardware wallets; selected or copied, it is one word. */
function Groups({ value }: { value: string }) {
  if (!GROUPED.test(value)) return value
  const digits = value.slice('0x'.length)
  const starts = Array.from({ length: digits.length / GROUP }, (_, index) => index * GROUP)
  return starts.map((start) => (
    <span key={start} className="mr-1.5 inline-block last:mr-0">
      {start === 0 && '0x'}
      {digits.slice(start, start + GROUP)}
    </span>
  ))
}
