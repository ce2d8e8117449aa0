import type { ReactNode } from 'react'

/**
 * A wallet's app on a phone: its form of connection links, and its mark, drawn here so that nothing is
 * fetched.
 */
export interface WalletApp {
  readonly id: string
  readonly name: string
  /** The address before `/wc?uri=`, as the maker registered it for the app. */
  readonly href: string
}

export const WALLET_APPS: readonly WalletApp[] = [
  { id: 'metamask', name: 'MetaMask', href: 'https://metamask.app.link' },
  { id: 'trust', name: 'Trust Wallet', href: 'https://link.trustwallet.com' },
  { id: 'rainbow', name: 'Rainbow', href: 'https://rnbwapp.com' },
  { id: 'okx', name: 'OKX Wallet', href: 'okex://main' },
]

/** Returns the address that opens a wallet's app with a connection. */
export const appLink = ({ href }: WalletApp, uri: string) => `${href}/wc?uri=${encodeURIComponent(uri)}`

const MARKS: Readonly<Record<string, ReactNode>> = {
  metamask: (
    <>
      <rect width="40" height="40" rx="10" fill="#fff5eb" />
      <path d="m8 9 10 7-2-5zM32 9l-10 7 2-5z" fill="#e2761b" />
      <path d="m11 25-3 6 6 1 3-4zm18 0 3 6-6 1-3-4z" fill="#d7c1b3" />
      <path d="m8 9 4 16 5 4h6l5-4 4-16-10 6h-4z" fill="#f6851b" />
      <path d="m14 21 4 1-1 2zm12 0-4 1 1 2zm-8 7h4l-1 2h-2z" fill="#233447" />
    </>
  ),
  trust: (
    <>
      <rect width="40" height="40" rx="10" fill="#fff" />
      <path d="M9 12.5 20 9v23c-8-3.5-11-9-11-19.5z" fill="#0500ff" />
      <path d="M31 12.5 20 9v23c8-3.5 11-9 11-19.5z" fill="#19c7f5" />
    </>
  ),
  rainbow: (
    <>
      <rect width="40" height="40" rx="10" fill="#1d3a8a" />
      <g fill="none" strokeWidth="4">
        <path d="M9 13a18 18 0 0 1 18 18" stroke="#ff4d4d" transform="translate(1.5)" />
        <path d="M9 18a13 13 0 0 1 13 13" stroke="#ffcc3d" transform="translate(1.5)" />
        <path d="M9 23a8 8 0 0 1 8 8" stroke="#3dd68c" transform="translate(1.5)" />
      </g>
      <circle cx="12" cy="29" r="2.5" fill="#4fb4ff" />
    </>
  ),
  okx: (
    <>
      <rect width="40" height="40" rx="10" fill="#000" />
      <path d="M9 9h7v7H9zm15 0h7v7h-7zM16.5 16.5h7v7h-7zM9 24h7v7H9zm15 0h7v7h-7z" fill="#fff" />
    </>
  ),
  coinbase: (
    <>
      <rect width="40" height="40" rx="10" fill="#0052ff" />
      <circle cx="20" cy="20" r="12" fill="#fff" />
      <rect x="16" y="16" width="8" height="8" rx="1.5" fill="#0052ff" />
    </>
  ),
}

/** The mark of a wallet's app, 32 px; decorative, because its name stands beside it. */
export function WalletAppMark({ id }: { id: string }) {
  return (
    <svg aria-hidden="true" width={32} height={32} viewBox="0 0 40 40" className="shrink-0 rounded-8">
      {MARKS[id]}
    </svg>
  )
}
