import type { AppConfig } from '@rif/api-schema'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useTranslation } from '../lib/index.ts'
import { Address, Button, Icon, Notice, Pill, Sheet } from '../ui/index.ts'
import type { WalletChoice } from './connection.ts'
import { DEMO_ID } from './demo-wallet.ts'
import { type DiscoveredWallet, discoverWallets, walletsStore } from './discovery.ts'
import type { WalletConfig } from './provider.ts'
import { isPhone, WalletLinks } from './wallet-links.tsx'

// Loaded with its library, 125 kB compressed, only when it is chosen.
const PairingView = lazy(() => import('./walletconnect/pairing-view.tsx'))

export interface ConnectSheetProps {
  open: boolean
  onClose: () => void
  config: WalletConfig
  onChoose: (choice: WalletChoice) => void
}

/** The wallets of this browser and, on the product's own chain, the accounts of the demo wallet. */
export default function ConnectSheet({ open, onClose, config, onChoose }: ConnectSheetProps) {
  const { t } = useTranslation()
  const wallets = useStore(walletsStore)
  const [looked, setLooked] = useState(false)
  const [pairs, setPairs] = useState(false)
  useEffect(() => {
    void discoverWallets().then(() => setLooked(true))
  }, [])
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t(pairs ? 'walletConnect.title' : 'wallet.choose')}
      description={t('wallet.chooseHint', { chain: config.chain.name })}
    >
      {pairs ? (
        <div className="flex flex-col gap-4">
          <Suspense>
            <PairingView config={config} onConnected={onChoose} />
          </Suspense>
          <Button block variant="quiet" icon="back" onClick={() => setPairs(false)}>
            {t('walletConnect.back')}
          </Button>
        </div>
      ) : (
        <div className="flex flex-col gap-4">
          <ul className="flex flex-col">
            {wallets.map((wallet) => (
              <li key={wallet.id}>
                <WalletRow wallet={wallet} onChoose={onChoose} />
              </li>
            ))}
          </ul>
          {config.wallet_connect !== null && <OtherWallet onChoose={() => setPairs(true)} />}
          {looked &&
            wallets.length === 0 &&
            (isPhone() ? <WalletLinks /> : <Notice>{t('wallet.none')}</Notice>)}
          {config.demo !== null && <DemoAccounts accounts={config.demo} onChoose={onChoose} />}
        </div>
      )}
    </Sheet>
  )
}

const rowClass = 'flex min-h-14 w-full items-center gap-3 rounded-12 px-2 py-2 text-left hover:bg-sunken'

function WalletRow({
  wallet,
  onChoose,
}: {
  wallet: DiscoveredWallet
  onChoose: (choice: WalletChoice) => void
}) {
  const { t } = useTranslation()
  return (
    <button type="button" className={rowClass} onClick={() => onChoose(wallet)}>
      {wallet.icon === null ? (
        <Icon name="wallet" size={32} />
      ) : (
        <img src={wallet.icon} alt="" className="size-8 rounded-8" />
      )}
      <span className="flex-1 text-16">{wallet.name === '' ? t('wallet.injected') : wallet.name}</span>
      <Icon name="forward" size={16} className="text-muted" />
    </button>
  )
}

/** The option for wallets outside this browser (WalletConnect). */
function OtherWallet({ onChoose }: { onChoose: () => void }) {
  const { t } = useTranslation()
  return (
    <button type="button" className={rowClass} onClick={onChoose}>
      <Icon name="qr" size={32} />
      <span className="min-w-0 flex-1">
        <span className="block text-16">{t('walletConnect.title')}</span>
        <span className="block text-14 text-muted">{t('walletConnect.hint')}</span>
      </span>
      <Icon name="forward" size={16} className="text-muted" />
    </button>
  )
}

interface DemoAccountsProps {
  accounts: NonNullable<AppConfig['demo']>
  onChoose: (choice: WalletChoice) => void
}

function DemoAccounts({ accounts, onChoose }: DemoAccountsProps) {
  const { t } = useTranslation()
  return (
    <section aria-labelledby="demo-wallet" className="flex flex-col gap-2">
      <h3 id="demo-wallet" className="text-16 font-semibold">
        {t('demo.title')}
      </h3>
      <p className="text-14 text-muted">{t('demo.about')}</p>
      <ul className="flex flex-col">
        {accounts.map((account) => (
          <li key={account.address}>
            <button
              type="button"
              className={rowClass}
              onClick={() => onChoose({ id: DEMO_ID, account: account.address })}
            >
              <span className="min-w-0 flex-1">
                <span className="block text-16">{account.label}</span>
                <Address value={account.address} copy={false} className="text-14 text-muted" />
              </span>
              <Pill tone={account.admin ? 'warn' : account.member ? 'info' : 'neutral'}>
                {t(account.admin ? 'demo.admin' : account.member ? 'demo.member' : 'demo.newcomer')}
              </Pill>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
