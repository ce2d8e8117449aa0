import { copyText } from '../lib/clipboard.ts'
import { cx } from '../lib/cx.ts'
import { shortAddress, shortAddressLong } from '../lib/format.ts'
import { useTranslation } from '../lib/i18n.ts'
import { Icon } from './icon.tsx'

export interface AddressProps {
  /** An address, a transaction's hash or another long id. */
  value: string
  /** `tail`: first 12 and last 8 characters; `head`: first 16 and last 4; `full`: all, an address in groups to be compared by eye. */
  form?: 'tail' | 'head' | 'full'
  /** False leaves out the copy button. */
  copy?: boolean
  className?: string
}

/** A long id in a short form, with a button that copies all of it. */
export function Address({ value, form = 'tail', copy = true, className }: AddressProps) {
  const { t } = useTranslation()
  const text = form === 'full' ? value : form === 'head' ? shortAddressLong(value) : shortAddress(value)
  return (
    <span className={cx('inline-flex min-w-0 max-w-full items-center gap-1', className)}>
      <span
        title={value}
        className={form === 'full' ? 'text-balance wrap-anywhere' : 'truncate max-[359px]:text-[0.85em]'}
      >
        {form === 'full' ? <Groups value={value} /> : text}
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

/** A text with the short form of an address in it, which stays in one line. */
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

const ADDRESS = /^0x[0-9a-f]{40}$/i
const GROUP = 4

/** Four characters at a time, as wallets with a screen of their own show them; selected or copied it is one word. */
function Groups({ value }: { value: string }) {
  if (!ADDRESS.test(value)) return value
  const digits = value.slice('0x'.length)
  const starts = Array.from({ length: digits.length / GROUP }, (_, index) => index * GROUP)
  return starts.map((start) => (
    <span key={start} className="mr-1.5 inline-block last:mr-0">
      {start === 0 && '0x'}
      {digits.slice(start, start + GROUP)}
    </span>
  ))
}
