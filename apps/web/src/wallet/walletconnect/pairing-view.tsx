import { useEffect, useState } from 'react'
import { copyText, useOutage, useTranslation } from '../../lib/index.ts'
import { Button, ButtonStack, Icon, Notice, QrCode, Skeleton, Spinner } from '../../ui/index.ts'
import type { DiscoveredWallet } from '../discovery.ts'
import type { WalletConfig } from '../provider.ts'
import { isPhone } from '../wallet-links.tsx'
import { type PairingProblem, rememberApp, startPairing } from './client.ts'
import { appLink, WALLET_APPS, type WalletApp, WalletAppMark } from './wallet-apps.tsx'

type State =
  | { readonly is: 'starting' }
  | { readonly is: 'waiting'; readonly uri: string }
  | { readonly is: PairingProblem }

interface PairingViewProps {
  config: WalletConfig
  onConnected: (wallet: DiscoveredWallet) => void
}

/** Connects a wallet on another device by a QR code, or in another app by a link. */
export default function PairingView({ config, onConnected }: PairingViewProps) {
  const { t } = useTranslation()
  const isOffline = useOutage() === 'device'
  const [state, setState] = useState<State>({ is: 'starting' })
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt is another pairing; the caller's function may change with each drawing
  useEffect(() => {
    if (isOffline) return
    const stop = new AbortController()
    const show = (next: State) => stop.signal.aborted || setState(next)
    show({ is: 'starting' })
    rememberApp(null)
    startPairing(config, stop.signal)
      .then(({ uri, wallet }) => {
        show({ is: 'waiting', uri })
        return wallet
      })
      .then((wallet) => stop.signal.aborted || onConnected(wallet))
      .catch((error: Error) => show({ is: error.message as PairingProblem }))
    return () => stop.abort()
  }, [config, attempt, isOffline])

  if (isOffline) return <Notice icon="offline">{t('walletConnect.offline')}</Notice>
  if (state.is === 'starting') return <Starting />
  if (state.is === 'waiting') return <Waiting uri={state.uri} />
  return (
    <div role="alert" className="flex flex-col gap-4">
      <Notice tone="warn" title={t(`walletConnect.${state.is}.title`)}>
        {t(`walletConnect.${state.is}.text`)}
      </Notice>
      <Button block icon="refresh" onClick={() => setAttempt(attempt + 1)}>
        {t('walletConnect.again')}
      </Button>
    </div>
  )
}

function Starting() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('common.loading')} className="flex flex-col items-center gap-4">
      <Skeleton className="size-56 rounded-12" />
      <Skeleton className="h-5 w-48" />
      <Skeleton className="h-13 w-full rounded-16" />
    </div>
  )
}

function Waiting({ uri }: { uri: string }) {
  const { t } = useTranslation()
  const [onPhone] = useState(isPhone)
  const [showsCode, setShowsCode] = useState(!onPhone)
  return (
    <div className="flex flex-col gap-4">
      {onPhone && <Apps uri={uri} />}
      {showsCode && (
        <div className="flex flex-col items-center gap-3">
          <QrCode text={uri} label={t('walletConnect.code')} />
          <p className="text-center text-14 text-muted">{t('walletConnect.scan')}</p>
        </div>
      )}
      <p role="status" className="flex items-center justify-center gap-2 text-14 font-medium">
        <Spinner size={16} />
        {t('walletConnect.waiting')}
      </p>
      <ButtonStack>
        <Button block variant="secondary" icon="copy" onClick={() => void copyText(uri)}>
          {t('walletConnect.copy')}
        </Button>
        {!showsCode && (
          <Button block variant="quiet" icon="qr" onClick={() => setShowsCode(true)}>
            {t('walletConnect.showCode')}
          </Button>
        )}
      </ButtonStack>
      <p className="text-13 text-muted">{t('walletConnect.about')}</p>
    </div>
  )
}

const rowClass = 'flex min-h-14 w-full items-center gap-3 rounded-12 px-2 py-2 hover:bg-sunken'

/** The apps of this phone; the last one lets the system choose. */
function Apps({ uri }: { uri: string }) {
  const { t } = useTranslation()
  const remember = (app: WalletApp) => rememberApp({ name: app.name, href: app.href })
  return (
    <ul aria-label={t('wallet.apps')} className="flex flex-col">
      {WALLET_APPS.map((app) => (
        <li key={app.id}>
          <a href={appLink(app, uri)} className={rowClass} onClick={() => remember(app)}>
            <WalletAppMark id={app.id} />
            <span className="flex-1 text-16">{app.name}</span>
            <Icon name="external" size={16} className="text-muted" />
          </a>
        </li>
      ))}
      <li>
        <a href={uri} className={rowClass}>
          <Icon name="wallet" size={32} />
          <span className="flex-1 text-16">{t('walletConnect.otherApp')}</span>
          <Icon name="external" size={16} className="text-muted" />
        </a>
      </li>
    </ul>
  )
}
