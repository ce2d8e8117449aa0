import { cx } from '../lib/index.ts'

/** The mark of the product: an R whose leg is a check. `favicon.svg` and the icons of the app have the same geometry. */
export function Logo({ size = 30 }: { size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 32 32"
      className="shrink-0"
      fill="none"
      strokeWidth="3.2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <rect width="32" height="32" rx="9" fill="#061237" />
      <rect x=".5" y=".5" width="31" height="31" rx="8.5" stroke="#fff" strokeOpacity=".22" strokeWidth="1" />
      <path d="M9.5 24V8.5h6.8a4.6 4.6 0 0 1 3.9 7" stroke="#fff" />
      <path d="m13.3 18.2 4.2 5.3L25 13.8" stroke="#8ea8ff" />
    </svg>
  )
}

/** The mark with the name of the product. */
export function Brand({ className }: { className?: string }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-2.5 font-display text-[1.125rem] font-[650] tracking-tight',
        className,
      )}
    >
      <Logo />
      RIFund
    </span>
  )
}
