import { readInvite, useTranslation } from '../lib/index.ts'
import { Icon } from '../ui/index.ts'
import { WalletAppMark } from './walletconnect/wallet-apps.tsx'

/** Links that open a page inside the browser of a wallet's phone app, as documented by the vendors. */
export interface WalletLink {
  id: string
  name: string
  href: string
}

/** The links for a page's full address. */
export function walletLinks(url: string): WalletLink[] {
  const encoded = encodeURIComponent(url)
  const okx = encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${encoded}`)
  return [
    {
      id: 'metamask',
      name: 'MetaMask',
      href: `https://link.metamask.io/dapp/${url.replace(/^https?:\/\//, '')}`,
    },
    { id: 'okx', name: 'OKX Wallet', href: `https://web3.okx.com/download?deeplink=${okx}` },
    // 60 is the coin type of Ethereum (SLIP-44); the app switches the chain itself.
    {
      id: 'trust',
      name: 'Trust Wallet',
      href: `https://link.trustwallet.com/open_url?coin_id=60&url=${encoded}`,
    },
    { id: 'coinbase', name: 'Coinbase Wallet', href: `https://go.cb-w.com/dapp?cb_url=${encoded}` },
  ]
}

/**
 * Returns the address to open there: this page's, and on the login page with the stored invitation, because
 * the wallet's browser has a separate storage.
 */
export function linkTarget(
  location: Pick<Location, 'href'>,
  invite: { code: string; side: string } | null,
): string {
  const url = new URL(location.href)
  if (invite !== null && url.pathname === '/pages/login/index' && !url.searchParams.has('code')) {
    url.searchParams.set('code', invite.code)
    url.searchParams.set('side', invite.side)
  }
  return url.href
}

interface Device {
  userAgent: string
  userAgentData?: { mobile?: boolean }
}

/** Reports whether this is a phone or a tablet, where a wallet is an app and not an extension. */
export const isPhone = (device: Device = navigator) =>
  device.userAgentData?.mobile === true || /Android|iPhone|iPad|iPod|Mobile/i.test(device.userAgent)

/** Opens this page in the browser of a wallet's app, for a phone without a wallet in its browser. */
export function WalletLinks() {
  const { t } = useTranslation()
  const links = walletLinks(linkTarget(window.location, readInvite()))
  return (
    <section aria-label={t('wallet.apps')} className="flex flex-col gap-2">
      <p className="text-14 text-muted">{t('wallet.appsHint')}</p>
      <ul className="flex flex-col">
        {links.map(({ id, name, href }) => (
          <li key={id}>
            <a
              href={href}
              className="flex min-h-14 w-full items-center gap-3 rounded-12 px-2 py-2 hover:bg-sunken"
            >
              <WalletAppMark id={id} />
              <span className="flex-1 text-16">{t('wallet.openIn', { name })}</span>
              <Icon name="external" size={16} className="text-muted" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
