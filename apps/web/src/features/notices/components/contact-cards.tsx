import type { NoticeSettings } from '@rif/api-schema'
import { type ReactNode, useState } from 'react'
import {
  formatTime,
  LONG_TOAST_MS,
  showModal,
  showToast,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import { Card, IconCircle, type IconName, isDrafted } from '../../../ui/index.ts'
import { pushSupport, registerPush } from '../push.ts'
import { EMAIL_DRAFT, EmailSheet } from './email-sheet.tsx'

const REFRESH = ['notices'] as const

interface ContactProps {
  icon: IconName
  isOn: boolean
  title: ReactNode
  detail: ReactNode
  children?: ReactNode
}

function Contact({ icon, isOn, title, detail, children }: ContactProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 py-3">
      <IconCircle icon={icon} tone={isOn ? 'good' : 'neutral'} />
      <div className="min-w-0 flex-1">
        <p className="text-16 font-medium wrap-anywhere">{title}</p>
        <p className="text-13 text-muted wrap-anywhere">{detail}</p>
      </div>
      <div className="-my-2 ml-auto flex">{children}</div>
    </div>
  )
}

interface ActionProps {
  label?: string
  isBusy?: boolean
  onClick: () => void
  children: ReactNode
}

function Action({ label, isBusy = false, onClick, children }: ActionProps) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={isBusy}
      className="min-h-11 min-w-11 px-2 text-14 font-medium text-accent disabled:opacity-50"
      onClick={onClick}
    >
      {children}
    </button>
  )
}

/** The address and this browser, the destinations of notices. */
export function ContactCard({ settings }: { settings: NoticeSettings }) {
  return (
    <Card className="divide-y divide-line py-1">
      <MailContact mail={settings.mail} />
      <PushContact push={settings.push} />
    </Card>
  )
}

function MailContact({ mail }: { mail: NoticeSettings['mail'] }) {
  const { t } = useTranslation()
  const [sheet, setSheet] = useState<{ waiting: string | null } | null>(() =>
    isDrafted(EMAIL_DRAFT) ? { waiting: null } : null,
  )
  const remove = useApiMutation('removeNoticeEmail', { refresh: REFRESH })
  const test = useTest()
  const { available, confirmed, pending } = mail
  const askRemove = async () => {
    const confirmText = t('notices.remove')
    const title = t('notices.askRemoveTitle')
    if (await showModal({ title, content: t('notices.askRemove'), confirmText })) remove.mutate({})
  }
  const about = confirmed
    ? t('notices.confirmed', { date: formatTime(confirmed.confirmed_at) })
    : t(available ? 'notices.none' : 'notices.mailOff')
  return (
    <Contact
      icon="mail"
      isOn={confirmed !== null}
      title={confirmed?.address ?? t('notices.mail')}
      detail={pending === null ? about : t('notices.waiting', { address: pending.address })}
    >
      {available && pending !== null && (
        <Action onClick={() => setSheet({ waiting: pending.address })}>{t('notices.enterCode')}</Action>
      )}
      {available && pending === null && (
        <Action onClick={() => setSheet({ waiting: null })}>
          {t(confirmed === null ? 'notices.add' : 'notices.change')}
        </Action>
      )}
      {available && confirmed !== null && (
        <Action
          label={`${t('notices.test')}: ${t('notices.channelMail')}`}
          isBusy={test.isPending}
          onClick={() => test.send('mail')}
        >
          {t('notices.test')}
        </Action>
      )}
      {(confirmed ?? pending) !== null && (
        <Action
          label={t('notices.askRemoveTitle')}
          isBusy={remove.isPending}
          onClick={() => void askRemove()}
        >
          {t('notices.remove')}
        </Action>
      )}
      {sheet !== null && <EmailSheet waiting={sheet.waiting} onClose={() => setSheet(null)} />}
    </Contact>
  )
}

const NO_PUSH = {
  denied: 'notices.pushDenied',
  ios: 'notices.pushIos',
  unsupported: 'notices.pushUnsupported',
} as const

function PushContact({ push }: { push: NoticeSettings['push'] }) {
  const { t } = useTranslation()
  const [support, setSupport] = useState(pushSupport)
  const [isAsking, setAsking] = useState(false)
  const add = useApiMutation('noticePush', { refresh: REFRESH })
  const remove = useRemove()
  const test = useTest()
  const own = push.browsers.find(({ current }) => current)
  const turnOn = async () => {
    setAsking(true)
    // The browser's message about its push service is not helpful.
    const registration = await registerPush(push.public_key!).catch(() => undefined)
    setAsking(false)
    if (registration === undefined) setSupport('unsupported')
    else if (registration === null) setSupport(pushSupport())
    else add.mutate({ body: registration })
  }
  const state = own?.taken_at
    ? t('notices.lastPush', { time: formatTime(own.taken_at) })
    : t(own === undefined ? 'notices.pushOffHere' : 'notices.pushOn')
  const isReady = push.available && support === 'ready'
  const why = support === 'ready' ? state : t(NO_PUSH[support])
  return (
    <Contact
      icon="bell"
      isOn={own !== undefined}
      title={t('notices.push')}
      detail={push.available ? why : t('notices.pushOff')}
    >
      {isReady && own === undefined && (
        <Action isBusy={isAsking || add.isPending} onClick={() => void turnOn()}>
          {t('notices.on')}
        </Action>
      )}
      {own !== undefined && (
        <>
          <Action
            label={`${t('notices.test')}: ${t('notices.channelPush')}`}
            isBusy={test.isPending}
            onClick={() => test.send('push')}
          >
            {t('notices.test')}
          </Action>
          <Action
            label={t('notices.removeNamed', { device: t('notices.push') })}
            isBusy={remove.isPending}
            onClick={() => remove.send(own.push_id)}
          >
            {t('notices.remove')}
          </Action>
        </>
      )}
    </Contact>
  )
}

/** The other browsers of the member that receive pushes. */
export function OtherBrowsers({ browsers }: { browsers: NoticeSettings['push']['browsers'] }) {
  const { t } = useTranslation()
  const remove = useRemove()
  return (
    <Card className="divide-y divide-line py-1">
      {browsers.map(({ push_id, device, created_at }) => {
        const name = device ?? t('sessions.unknown')
        return (
          <Contact key={push_id} icon="device" isOn={false} title={name} detail={formatTime(created_at)}>
            <Action
              label={t('notices.removeNamed', { device: name })}
              isBusy={remove.isPending}
              onClick={() => remove.send(push_id)}
            >
              {t('notices.remove')}
            </Action>
          </Contact>
        )
      })}
    </Card>
  )
}

function useRemove() {
  const { t } = useTranslation()
  const { mutate, isPending } = useApiMutation('removeNoticePush', { refresh: REFRESH })
  const onSuccess = () => showToast(t('notices.removed'), { tone: 'good' })
  return { isPending, send: (push_id: string) => mutate({ body: { push_id } }, { onSuccess }) }
}

function useTest() {
  const { t } = useTranslation()
  const { mutate, isPending } = useApiMutation('testNotice', { refresh: REFRESH })
  const onSuccess = () => showToast(t('notices.testSent'), { durationMs: LONG_TOAST_MS, tone: 'good' })
  return { isPending, send: (channel: 'push' | 'mail') => mutate({ body: { channel } }, { onSuccess }) }
}
