import { useId } from 'react'

const stroke = { fill: 'none', strokeLinecap: 'round', strokeLinejoin: 'round' } as const

const MARKS = {
  USDT: (
    <>
      <circle cx="20" cy="20" r="20" fill="#1a9e7c" />
      <path
        d="M11 11.5h18v4.2h-6.8v3.2c4.7.3 8 1.3 8 2.6s-3.3 2.3-8 2.6V30h-4.4v-5.9c-4.7-.3-8-1.3-8-2.6s3.3-2.3 8-2.6v-3.2H11z"
        fill="#fff"
      />
      <path
        d="M17.8 20.4c-3.5.2-5.9.7-5.9 1.3s3.3 1.3 8.1 1.3 8.1-.6 8.1-1.3-2.4-1.1-5.9-1.3v1.4h-4.4z"
        fill="#1a9e7c"
      />
    </>
  ),
  AMC: (
    <>
      <circle cx="20" cy="20" r="20" fill="#5b45e0" />
      <path d="M10.5 27.5 17.2 13c.9-2 4.7-2 5.6 0l6.7 14.5" {...stroke} stroke="#fff" strokeWidth="3.4" />
      <path d="m15.6 25 4.4-3.6 4.4 3.6" {...stroke} stroke="#c9c0ff" strokeWidth="3" />
    </>
  ),
  RIF: (
    <>
      <circle cx="20" cy="20" r="20" fill="#061237" />
      <circle cx="20" cy="20" r="19.5" fill="none" stroke="#fff" strokeOpacity=".22" />
      <path d="m20 8.5 10 5.75v11.5L20 31.5l-10-5.75v-11.5z" {...stroke} stroke="#ffc65c" strokeWidth="2.4" />
      <path d="m21.5 13.5-6 8h4.2l-1.2 5.5 6-8h-4.2z" fill="#ffc65c" />
    </>
  ),
  ETH: (
    <>
      <circle cx="20" cy="20" r="20" fill="#6c7a9c" />
      <path d="m20 8 7 12-7 4.2L13 20z" fill="#fff" />
      <path d="m20 8 7 12-7-3.2z" fill="#fff" opacity=".55" />
      <path d="m13.3 22.3 6.7 4 6.7-4L20 32z" fill="#fff" opacity=".9" />
    </>
  ),
  fund: (
    <>
      <rect width="40" height="40" rx="12" fill="#8a52d1" />
      <path
        d="M11 29.5h18M14 29.5V14.5l6-3.5v18.5M20 17l6 3v9.5M17 18.5h.01M17 23h.01M23 23h.01"
        {...stroke}
        stroke="#fff"
        strokeWidth="2.3"
      />
    </>
  ),
  package: (
    <>
      <rect width="40" height="40" rx="12" fill="#17306f" />
      <path d="m20 10 9 5v10l-9 5-9-5V15z" {...stroke} stroke="#fff" strokeWidth="2.2" />
      <path d="m11 15 9 5 9-5M20 20v10" {...stroke} stroke="#9db4ff" strokeWidth="2.2" />
    </>
  ),
} as const

export type TokenName = keyof typeof MARKS

const isToken = (name: string): name is TokenName => name in MARKS

export interface TokenMarkProps {
  /** An asset's symbol, `fund` or `package`; any other asset gets its first letters. */
  token: TokenName | (string & {})
  /** Edge in pixels; 40 in rows, 28 in tables, 20 in a line of text. */
  size?: number
}

/** The picture of an asset; decorative, because its name stands beside it. */
export function TokenMark({ token, size = 40 }: TokenMarkProps) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 40 40" className="shrink-0 rounded-full">
      {isToken(token) ? (
        MARKS[token]
      ) : (
        <>
          <circle cx="20" cy="20" r="20" className="fill-sunken" />
          <text x="20" y="25" textAnchor="middle" fontSize="13" fontWeight="600" className="fill-ink">
            {token.slice(0, 3)}
          </text>
        </>
      )}
    </svg>
  )
}

const HUES = 360

/**
 * A small round picture of an address, the same on every screen, so that members recognise their own at a
 * glance.
 */
export function Avatar({ address, size = 40 }: { address: string; size?: number }) {
  const id = useId()
  const part = (from: number) => Number.parseInt(address.slice(from, from + 4), 16) || 0
  const hue = part(2) % HUES
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 40 40" className="shrink-0 rounded-full">
      <linearGradient id={id} gradientTransform="rotate(10)">
        <stop stopColor={`hsl(${hue} 66% 49%)`} />
        <stop offset="1" stopColor={`hsl(${(hue + 20) % HUES} 90% 78%)`} />
      </linearGradient>
      <path d="M0 0h40v40H0z" fill={`url(#${id})`} />
      <g transform={`rotate(${part(6) % HUES} 20 20)`} fill="#fff">
        <path d="M0 20h40v20H0z" opacity=".2" />
        <circle cx="20" cy="16" r="6" opacity=".85" />
      </g>
    </svg>
  )
}
