import { useEffect, useState } from 'react'
import { LONG_TOAST_MS, plainText, showModal, showToast, useTranslation } from '../../../lib/index.ts'
import {
  Button,
  ButtonStack,
  Card,
  CardSection,
  Columns,
  Form,
  Notice,
  Page,
  Pill,
  Row,
  Section,
  Segmented,
  Sheet,
  TextField,
} from '../../../ui/index.ts'
import {
  type AppLock,
  LOCK_MINUTES,
  lockWithPasskey,
  lockWithPin,
  MINUTE_MS,
  PIN_TRIES,
  readLock,
  setLockTime,
  takeLockOff,
} from '../lock/app-lock.ts'
import { hasPasskeys } from '../lock/passkey.ts'
import { PIN_MAX, PIN_MIN, pinProblem } from '../lock/pin.ts'
import { followActivity, lockNow } from '../lock/watch.ts'

const DEFAULT_MINUTES = 5
type Minutes = `${(typeof LOCK_MINUTES)[number]}`

/** The lock of the app in this browser: by a passkey or a PIN, after idle time; and its protection. */
export default function LockPage() {
  const { t } = useTranslation()
  const [lock, setLock] = useState(readLock)
  return (
    <Page wide title={t('lock.title')}>
      <Columns side={<Limits />}>
        {lock === null ? (
          <LockOff onOn={() => setLock(readLock())} />
        ) : (
          <LockOn lock={lock} onChange={setLock} />
        )}
      </Columns>
    </Page>
  )
}

/** Explains the protection of the lock and its limits. */
function Limits() {
  const { t } = useTranslation()
  return (
    <>
      <CardSection title={t('lock.does.title')}>
        <ul className="flex list-disc flex-col gap-2 pl-5 text-14">
          <li>{t('lock.does.screen')}</li>
          <li>{t('lock.does.session')}</li>
          <li>{t('lock.does.cover')}</li>
        </ul>
      </CardSection>
      <CardSection title={t('lock.doesNot.title')}>
        <ul className="flex list-disc flex-col gap-2 pl-5 text-14">
          <li>{t('lock.doesNot.wallet')}</li>
          <li>{t('lock.doesNot.pin')}</li>
          <li>{t('lock.doesNot.rest')}</li>
          <li>{t('lock.doesNot.devices')}</li>
        </ul>
      </CardSection>
    </>
  )
}

const minutesOf = (lock: AppLock) => `${lock.afterMs / MINUTE_MS}` as Minutes

function TimeChoice({ value, onChange }: { value: Minutes; onChange: (minutes: Minutes) => void }) {
  const { t } = useTranslation()
  return (
    <Section title={t('lock.after.title')}>
      <Segmented
        label={t('lock.after.title')}
        options={LOCK_MINUTES.map((count) => ({
          value: `${count}` as const,
          label: t('lock.after.time', { count }),
        }))}
        value={value}
        onChange={onChange}
      />
      <p className="px-1 text-14 text-muted">{t('lock.after.hint')}</p>
    </Section>
  )
}

function LockOn({ lock, onChange }: { lock: AppLock; onChange: (lock: AppLock | null) => void }) {
  const { t } = useTranslation()
  const takeOff = async () => {
    const content = t('lock.off.about')
    if (!(await showModal({ title: t('lock.off.title'), content, confirmText: t('lock.off.do') }))) return
    takeLockOff()
    onChange(null)
    showToast(t('lock.off.done'), { durationMs: LONG_TOAST_MS, tone: 'good' })
  }
  return (
    <>
      <Card className="py-1">
        <Row
          icon="lock"
          tone="good"
          title={t(`lock.by.${lock.kind}`)}
          detail={t('lock.here')}
          end={<Pill tone="good">{t('lock.on')}</Pill>}
        />
      </Card>
      <TimeChoice
        value={minutesOf(lock)}
        onChange={(minutes) => onChange(setLockTime(lock, Number(minutes) * MINUTE_MS))}
      />
      <ButtonStack>
        <Button block icon="lock" onClick={lockNow}>
          {t('lock.now')}
        </Button>
        <Button block variant="danger" onClick={() => void takeOff()}>
          {t('lock.off.do')}
        </Button>
      </ButtonStack>
    </>
  )
}

/**
 * `none`: the device cannot verify its user; `noKey`: its passkeys provide no key; `refused`: the member or
 * the device refused.
 */
type PasskeyState = 'ready' | 'none' | 'noKey' | 'refused'

function LockOff({ onOn }: { onOn: () => void }) {
  const { t } = useTranslation()
  const [minutes, setMinutes] = useState<Minutes>(`${DEFAULT_MINUTES}`)
  const [choosing, setChoosing] = useState(false)
  const [busy, setBusy] = useState(false)
  const [passkey, setPasskey] = useState<PasskeyState>('ready')
  const afterMs = Number(minutes) * MINUTE_MS
  useEffect(() => {
    void hasPasskeys().then((has) => has || setPasskey('none'))
  }, [])
  const isOn = () => {
    followActivity()
    onOn()
    showToast(t('lock.done'), { durationMs: LONG_TOAST_MS, tone: 'good' })
  }
  const withPasskey = async () => {
    setBusy(true)
    await lockWithPasskey(afterMs)
      .then(isOn)
      .catch((error: Error) => setPasskey(error.name === 'NoPasskeyKey' ? 'noKey' : 'refused'))
    setBusy(false)
  }
  // Plain http pages outside localhost have no cryptography.
  if (!window.isSecureContext) return <Notice tone="warn">{t('lock.insecure')}</Notice>
  const canPasskey = passkey === 'ready' || passkey === 'refused'
  return (
    <>
      <p className="px-1 text-16">{t('lock.about')}</p>
      <TimeChoice value={minutes} onChange={setMinutes} />
      {passkey !== 'ready' && (
        <div role="status">
          <Notice tone={passkey === 'none' ? 'info' : 'warn'}>{t(`lock.passkey.${passkey}`)}</Notice>
        </div>
      )}
      <ButtonStack>
        {canPasskey && (
          <Button block icon="key" busy={busy} onClick={() => void withPasskey()}>
            {t('lock.passkey.choose')}
          </Button>
        )}
        <Button
          block
          variant={canPasskey ? 'secondary' : 'primary'}
          icon="lock"
          onClick={() => setChoosing(true)}
        >
          {t('lock.pin.choose')}
        </Button>
      </ButtonStack>
      <Sheet
        open={choosing}
        onClose={() => setChoosing(false)}
        title={t('lock.pin.choose')}
        description={t('lock.pin.about', { count: PIN_TRIES })}
      >
        <NewPin
          onPin={async (pin) => {
            await lockWithPin(pin, afterMs)
            setChoosing(false)
            isOn()
          }}
        />
      </Sheet>
    </>
  )
}

/** Two fields for a new PIN. The problem of the first one is shown while typing, once it is long enough. */
function NewPin({ onPin }: { onPin: (pin: string) => Promise<void> }) {
  const { t } = useTranslation()
  const [pin, setPin] = useState('')
  const [again, setAgain] = useState('')
  const [tried, setTried] = useState(false)
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const problem = pinProblem(pin)
  const isSeen = problem !== null && (tried || problem === 'digits' || pin.length >= PIN_MIN)
  const differs = again !== pin && (tried || again.length >= pin.length)
  const submit = async () => {
    setTried(true)
    if (problem !== null || again !== pin) return
    setState('busy')
    await onPin(pin).catch(() => setState('failed'))
  }
  const shared = { type: 'password', inputMode: 'numeric', maxLength: PIN_MAX } as const
  return (
    <Form
      aria-label={t('lock.pin.choose')}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField
        {...shared}
        label={t('lock.pin.label')}
        hint={t('lock.pin.hint', { min: PIN_MIN, max: PIN_MAX })}
        value={pin}
        error={isSeen ? t(`lock.pin.${problem}`, { count: PIN_MIN }) : undefined}
        onChange={({ target }) => setPin(plainText(target.value))}
      />
      <TextField
        {...shared}
        label={t('lock.pin.again')}
        value={again}
        error={again !== '' && differs ? t('lock.pin.differs') : undefined}
        onChange={({ target }) => setAgain(plainText(target.value))}
      />
      {state === 'failed' && <Notice tone="bad">{t('lock.failed')}</Notice>}
      <Button block type="submit" busy={state === 'busy'}>
        {t('lock.put')}
      </Button>
    </Form>
  )
}
