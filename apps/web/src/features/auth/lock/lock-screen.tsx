import { StrictMode, useEffect, useId, useState } from 'react'
import { createRoot } from 'react-dom/client'
import {
  clearSession,
  kept,
  needAllTexts,
  onOtherTab,
  plainText,
  SESSION_KEYS,
  shortAddress,
  showModal,
  startI18n,
  takeToken,
  useTranslation,
} from '../../../lib/index.ts'
import { Brand, Button, Form, Icon, Notice, TextField, TextWithAddress } from '../../../ui/index.ts'
import { type AppLock, openWithPasskey, openWithPin, PIN_TRIES, readLock } from './app-lock.ts'
import { openChannel } from './lock-channel.ts'
import { PIN_MAX, PIN_MIN } from './pin.ts'

/** An open tab answers at once; a sleeping one does not. */
const ANSWER_MS = 150

/**
 * Shows the lock instead of the app until the session is open, or removed from this browser. Another open tab
 * opens this one too. Rejects if the texts could not be loaded.
 */
export async function unlock(): Promise<void> {
  const lock = readLock()
  if (lock === null) return clearSession()
  let open = (_token: string | null) => {}
  const opened = new Promise<string | null>((resolve) => {
    open = resolve
  })
  const channel = openChannel((message) => message.kind === 'token' && open(message.token))
  onOtherTab(SESSION_KEYS.sealed, () => kept.get(SESSION_KEYS.sealed) === null && open(null))
  channel.send({ kind: 'ask' })
  const early = await Promise.race([opened, later()])
  const token = early === undefined ? await show(lock, opened, open) : early
  if (token !== null) {
    takeToken(token)
    channel.send({ kind: 'token', token })
  }
  channel.close()
}

const later = () => new Promise<undefined>((resolve) => setTimeout(resolve, ANSWER_MS))

async function show(lock: AppLock, opened: Promise<string | null>, open: (token: string | null) => void) {
  await needAllTexts()
  await startI18n()
  const container = document.getElementById('root')
  if (container === null) throw new Error('index.html has no #root')
  const root = createRoot(container)
  root.render(
    <StrictMode>
      <LockScreen lock={lock} onOpen={open} />
    </StrictMode>,
  )
  return opened.finally(() => root.unmount())
}

interface LockScreenProps {
  lock: AppLock
  /** Receives the session's token, or null if the session was removed from this browser. */
  onOpen: (token: string | null) => void
}

function LockScreen({ lock, onOpen }: LockScreenProps) {
  const { t } = useTranslation()
  const title = t('lock.locked')
  useEffect(() => {
    document.title = `${title} · ${t('common.appTitle')}`
  }, [title, t])
  return (
    <>
      <header className="hero-field">
        <div className="column px-5 pb-14">
          <div className="flex h-16 items-center">
            <Brand />
          </div>
          <span className="mt-6 grid size-14 place-items-center rounded-full bg-sunken">
            <Icon name="lock" size={24} />
          </span>
          <h1 className="pt-5 font-display text-36 font-semibold">{title}</h1>
          <p className="pt-2 text-16 text-muted">
            <TextWithAddress
              text={t('lock.whose', { address: shortAddress(lock.address) })}
              address={lock.address}
            />
          </p>
        </div>
      </header>
      <main className="column relative z-1 -mt-5 flex flex-col gap-4 rounded-t-24 bg-page px-4 pt-5 pb-8">
        {lock.kind === 'pin' ? (
          <PinForm lock={lock} onOpen={onOpen} />
        ) : (
          <PasskeyButton lock={lock} onOpen={onOpen} />
        )}
        <WayOut onLeave={() => onOpen(null)} />
      </main>
    </>
  )
}

function PinForm({ lock, onOpen }: { lock: AppLock & { kind: 'pin' }; onOpen: LockScreenProps['onOpen'] }) {
  const { t } = useTranslation()
  const [pin, setPin] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    if (pin.length < PIN_MIN) return setError(t('lock.pin.short', { count: PIN_MIN }))
    setBusy(true)
    const result = await openWithPin(lock, pin)
    if (result.ok) return onOpen(result.token)
    if (result.triesLeft === 0) {
      // The login page shows it.
      const content = t('lock.pin.over', { count: PIN_TRIES })
      void showModal({ content, confirmText: t('common.ok'), showCancel: false })
      return onOpen(null)
    }
    setPin('')
    setError(t('lock.pin.wrong', { count: result.triesLeft }))
    setBusy(false)
  }
  return (
    <Form
      aria-label={t('lock.locked')}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField
        autoFocus
        type="password"
        inputMode="numeric"
        maxLength={PIN_MAX}
        label={t('lock.pin.label')}
        value={pin}
        error={error}
        onChange={({ target }) => {
          setError(undefined)
          setPin(plainText(target.value).replace(/\D/g, ''))
        }}
      />
      <Button block type="submit" busy={busy}>
        {t('lock.unlock')}
      </Button>
    </Form>
  )
}

function PasskeyButton({
  lock,
  onOpen,
}: {
  lock: AppLock & { kind: 'passkey' }
  onOpen: LockScreenProps['onOpen']
}) {
  const { t } = useTranslation()
  const [hasFailed, setFailed] = useState(false)
  const [busy, setBusy] = useState(false)
  const ask = async () => {
    setBusy(true)
    setFailed(false)
    await openWithPasskey(lock)
      .then(onOpen)
      .catch(() => setFailed(true))
    setBusy(false)
  }
  return (
    <>
      {hasFailed && (
        <div role="alert">
          <Notice tone="warn">{t('lock.passkey.refused')}</Notice>
        </div>
      )}
      <Button block icon="key" busy={busy} onClick={() => void ask()}>
        {t('lock.passkey.unlock')}
      </Button>
    </>
  )
}

/**
 * The alternative for a member who cannot open the lock: it ends the session in this browser; signing in with
 * the wallet starts another one.
 */
function WayOut({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation()
  const [isConfirming, setConfirming] = useState(false)
  const note = useId()
  if (!isConfirming) {
    return (
      <Button block variant="quiet" onClick={() => setConfirming(true)}>
        {t('lock.out.ask')}
      </Button>
    )
  }
  return (
    <section aria-labelledby={note} className="flex flex-col gap-3">
      <p id={note} className="px-1 text-14 text-muted">
        {t('lock.out.about')}
      </p>
      <Button
        block
        variant="secondary"
        onClick={() => {
          clearSession()
          onLeave()
        }}
      >
        {t('lock.out.do')}
      </Button>
    </section>
  )
}
