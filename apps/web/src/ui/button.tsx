import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { cx } from '../lib/index.ts'

/** The icon set: 24-px grid, one stroke of 1.75, drawn in the text's colour. */
const PATHS = {
  home: 'M4 11.5 12 4l8 7.5M6 10v9.5h4.5V14h3v5.5H18V10',
  activity: 'M4 19.5h16M6.5 16v-5M12 16V5M17.5 16V8.5',
  shop: 'M5 8.5h14l-1 11H6zM9 8.5V7a3 3 0 0 1 6 0v1.5',
  fund: 'M4 18.5 10 12l3.5 3.5L20 8M15.5 8H20v4.5',
  my: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20c.8-3.3 3.8-5 7.5-5s6.7 1.7 7.5 5',
  back: 'M15 5l-7 7 7 7',
  forward: 'M9 5l7 7-7 7',
  down: 'M5 9l7 7 7-7',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  share: 'M12 15V4M8 7.5 12 4l4 3.5M5 12v8h14v-8',
  qr: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h3v3M20 20h-3M20 14v2',
  wallet:
    'M4 7.5V18a1.5 1.5 0 0 0 1.5 1.5h13A1.5 1.5 0 0 0 20 18v-8.5A1.5 1.5 0 0 0 18.5 8H5.5A1.5 1.5 0 0 1 4 6.5 1.5 1.5 0 0 1 5.5 5H17M16 13.7h.01',
  globe:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3.5 12h17M12 3c2.5 2.6 3.7 5.6 3.7 9s-1.2 6.4-3.7 9c-2.5-2.6-3.7-5.6-3.7-9S9.5 5.6 12 3Z',
  theme:
    'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  out: 'M14 4.5h5v15h-5M10 8l-4 4 4 4M6 12h9',
  orders: 'M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9 8.5h6M9 12.5h6',
  withdraw: 'M12 4v11M7.5 10.5 12 15l4.5-4.5M5 19.5h14',
  team: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 19.5c.6-3 3.2-4.5 6.5-4.5s5.9 1.5 6.5 4.5M16 4.5a3.2 3.2 0 0 1 0 6M18 15.5c2 .5 3.2 1.8 3.5 4',
  invite:
    'M10 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM3.5 19.5c.6-3 3.2-4.5 6.5-4.5 1 0 2 .1 2.8.4M18 14v6M15 17h6',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5.5M12 7.5h.01',
  warn: 'M12 4 2.8 19.5h18.4zM12 10v4.5M12 17h.01',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.5 2',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9M20 4v5h-5',
  external: 'M13.5 4.5h6v6M19.5 4.5l-9 9M16 13.5v6H4.5V8h6',
  filter: 'M4 6h16M7 12h10M10 18h4',
  send: 'M20.5 3.5 10 14M20.5 3.5 14 20.5 10 14 3.5 10z',
  receive: 'M19 5 6 18M6 8.5V18h9.5',
  book: 'M6 4h11.5A1.5 1.5 0 0 1 19 5.5V20H7a2 2 0 0 1-2-2V5a1 1 0 0 1 1-1ZM5 18a2 2 0 0 1 2-2h12M9.5 8.5h5',
  edit: 'M4.5 19.5l1-4.5L16 4.5l3.5 3.5L9 18.5zM13.5 7l3.5 3.5',
  scan: 'M4 8V5.5A1.5 1.5 0 0 1 5.5 4H8M16 4h2.5A1.5 1.5 0 0 1 20 5.5V8M20 16v2.5a1.5 1.5 0 0 1-1.5 1.5H16M8 20H5.5A1.5 1.5 0 0 1 4 18.5V16M4 12h16',
  bell: 'M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5M4.5 16.5h15M10 19.5a2.2 2.2 0 0 0 4 0',
  transfer: 'M4 8.5h14M14.5 5 18 8.5 14.5 12M20 15.5H6M9.5 12 6 15.5 9.5 19',
  savings:
    'M12 3.5v17M16.5 7.5c-.8-1.3-2.4-2-4.5-2-2.6 0-4.3 1.2-4.3 3.1 0 4.6 9.1 2 9.1 6.6 0 2-1.9 3.3-4.8 3.3-2.4 0-4.2-.9-5-2.5',
  device: 'M3.5 5h17v11h-17zM9 20h6M12 16v4',
  phone: 'M7.5 3h9v18h-9zM11 18h2',
  help: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM9.6 9.5a2.5 2.5 0 1 1 3.6 2.3c-.8.4-1.2.9-1.2 1.8M12 16.8h.01',
  doc: 'M6 3.5h8l4 4v13H6zM14 3.5v4h4M9 12h6M9 16h6',
  shield: 'M12 3 5 6v5.5c0 4.4 2.9 7.7 7 9.5 4.1-1.8 7-5.1 7-9.5V6zM9 12l2.2 2.2L15.2 10',
  tree: 'M12 4v4M6 20v-4h12v4M12 8v8M9.5 4h5v4h-5zM3.5 20h5M15.5 20h5',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.2 15.2 20 20',
  more: 'M4 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0M18 12a1 1 0 1 0 2 0 1 1 0 1 0-2 0',
  trash: 'M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v5.5M13.5 10.5v5.5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  pin: 'M9 4h6l-.8 6.5L17 14H7l2.8-3.5zM12 14v6.5',
  list: 'M8 6.5h12M8 12h12M8 17.5h12M4 6.5h.01M4 12h.01M4 17.5h.01',
  expandAll: 'M7 9.5 12 4.5l5 5M7 14.5l5 5 5-5',
  collapse: 'M7 4.5l5 5 5-5M7 19.5l5-5 5 5',
  fullscreen: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  shrink: 'M9 4v5H4M20 9h-5V4M15 20v-5h5M4 15h5v5',
  bolt: 'M13 3 5 13.5h6L10.5 21 19 10.5h-6z',
} as const

export type IconName = keyof typeof PATHS

export interface IconProps {
  name: IconName
  /** Edge in pixels; 24 when not given. */
  size?: number
  className?: string
}

/** A decorative icon; the control around it carries the name. */
export function Icon({ name, size = 24, className }: IconProps) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={cx('shrink-0', className)}
    >
      <path d={PATHS[name]} />
    </svg>
  )
}

const VARIANTS = {
  primary: 'bg-ink text-on-ink',
  secondary: 'bg-sunken text-ink',
  quiet: 'bg-transparent text-accent',
  danger: 'bg-bad-soft text-bad',
} as const

export type ButtonVariant = keyof typeof VARIANTS

/** The look of a button, for a link that acts like one. */
export function buttonClass(variant: ButtonVariant = 'primary', block = false): string {
  return cx(
    'inline-flex min-h-11 items-center justify-center gap-2 rounded-12 px-4 text-16 font-semibold',
    'transition-opacity duration-150 hover:opacity-90 active:opacity-80 disabled:opacity-45',
    VARIANTS[variant],
    block && 'w-full',
  )
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: ButtonVariant
  /** As wide as what it stands in. */
  block?: boolean
  /** Turns a spinner and takes no clicks; it keeps the focus. */
  busy?: boolean
  icon?: IconName
}

/** A button, at least 44 px high. */
export function Button({
  variant,
  block,
  busy = false,
  icon,
  children,
  className,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      className={cx(buttonClass(variant, block), busy && 'opacity-70', className)}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {busy ? <Spinner /> : icon !== undefined && <Icon name={icon} size={20} />}
      {children}
    </button>
  )
}

/** A turning ring in the text's colour. */
export function Spinner({ size = 20 }: { size?: number }) {
  return (
    <span
      aria-hidden="true"
      className="inline-block shrink-0 animate-spin rounded-full border-2 border-current border-t-transparent"
      style={{ width: size, height: size }}
    />
  )
}

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: IconName
  /** The accessible name. */
  label: string
  size?: number
}

/** A button of 44 x 44 px with an icon alone. */
export function IconButton({ icon, label, size = 20, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cx(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-12 hover:bg-sunken',
        className,
      )}
      {...rest}
    >
      <Icon name={icon} size={size} />
    </button>
  )
}

/** The column of buttons at the end of a page or sheet. */
export function ButtonStack({ children }: { children: ReactNode }) {
  return <div className="flex flex-col gap-3">{children}</div>
}
