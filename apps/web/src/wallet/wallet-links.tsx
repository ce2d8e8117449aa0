import { useTranslation } from '../lib/i18n.ts'
import { readInvite } from '../lib/session.ts'
import { Icon } from '../ui/icon.tsx'
import { linkTarget, walletLinks } from './deep-links.ts'

/** Opens this very page in the browser of a wallet's app: for a phone, where no wallet is in the browser. */
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
              <Icon name="wallet" size={32} />
              <span className="flex-1 text-16">{t('wallet.openIn', { name })}</span>
              <Icon name="external" size={16} className="text-muted" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
