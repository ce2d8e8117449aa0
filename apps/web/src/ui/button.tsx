import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { useStore } from 'zustand'
import { cx, type Moves, useTranslation, useWait, walletWaitStore } from '../lib/index.ts'
import { Icon, type IconName } from './icon.tsx'

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
    'inline-flex min-h-13 items-center justify-center gap-2 rounded-16 px-5 text-16 font-semibold',
    'transition duration-150 ease-calm hover:opacity-90 active:scale-[.98]',
    'disabled:bg-sunken disabled:text-muted disabled:hover:opacity-100 disabled:active:scale-100',
    VARIANTS[variant],
    block && 'w-full',
  )
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: ButtonVariant
  /** As wide as its container. */
  block?: boolean
  /** Shows a spinner and ignores clicks; it keeps the focus. */
  busy?: boolean
  icon?: IconName
  /**
   * The money that it moves. While that is blocked, the button waits, shows the reason, and is enabled again
   * by itself.
   */
  moves?: Moves | undefined
}

/** A button, at least 44 px high. */
export function Button({ moves, ...props }: ButtonProps) {
  if (moves === undefined) return <PlainButton {...props} />
  return (
    <>
      <MoneyButton moves={moves} {...props} />
      {props.busy === true && <StopWaiting />}
    </>
  )
}

/** A button that stops waiting for the wallet, while it is asked something. Buttons that move money have it beside them. */
export function StopWaiting() {
  const { t } = useTranslation()
  const { stop } = useStore(walletWaitStore)
  if (stop === null) return null
  return (
    <PlainButton variant="quiet" block onClick={stop}>
      {t('wallet.noAnswer.stop')}
    </PlainButton>
  )
}

const WAIT_ICONS = { connection: 'clock', guard: 'paused', pause: 'paused' } as const

/** Keeps the focus while it waits, unlike a disabled button. Its form is not submitted meanwhile. */
function MoneyButton({ moves, ...props }: ButtonProps & { moves: Moves }) {
  const { t } = useTranslation()
  const wait = useWait(moves)
  if (wait === null || props.busy === true) return <PlainButton {...props} />
  return (
    <PlainButton
      {...props}
      aria-disabled
      variant="secondary"
      icon={WAIT_ICONS[wait]}
      className={cx('cursor-not-allowed py-1.5 text-muted! active:scale-100!', props.className)}
      onClick={(event) => event.preventDefault()}
    >
      <span className="flex min-w-0 flex-col">
        <span>{props.children}</span> <span className="text-12 font-medium">{t(`wait.for.${wait}`)}</span>
      </span>
    </PlainButton>
  )
}

function PlainButton({
  variant,
  block,
  busy = false,
  icon,
  children,
  className,
  onClick,
  ...rest
}: Omit<ButtonProps, 'moves'>) {
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

/** A spinner in the text's colour. */
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
        'inline-flex size-11 shrink-0 items-center justify-center rounded-full hover:bg-sunken',
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
