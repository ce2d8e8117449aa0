import { type FormEvent, useState } from 'react'
import { LONG_TOAST_MS, plainText, showToast, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, Form, Sheet, TextField, useSheetValues } from '../../../ui/index.ts'

/** Detects typing mistakes. The server decides what it accepts. */
const EMAIL = /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]{2,}$/
const CODE = /^[0-9]{6}$/
const REFRESH = ['notices'] as const
export const EMAIL_DRAFT = 'notice-email'

export interface EmailSheetProps {
  /** The address that waits for its code; null to enter one. */
  waiting: string | null
  onClose: () => void
}

/** Enters an address, then the code that was sent to it. */
export function EmailSheet({ waiting, onClose }: EmailSheetProps) {
  const { t } = useTranslation()
  const [sentTo, setSentTo] = useState(waiting)
  return (
    <Sheet open onClose={onClose} title={t('notices.mail')}>
      {sentTo === null ? (
        <AddressForm onSent={setSentTo} />
      ) : (
        <CodeForm address={sentTo} onDone={onClose} onOther={() => setSentTo(null)} />
      )}
    </Sheet>
  )
}

function AddressForm({ onSent }: { onSent: (address: string) => void }) {
  const { t } = useTranslation()
  const { values, set } = useSheetValues(EMAIL_DRAFT, { email: '' })
  const [left, setLeft] = useState(false)
  const send = useApiMutation('noticeEmail', { refresh: REFRESH })
  const email = values.email.trim()
  const isGood = EMAIL.test(email)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setLeft(true)
    if (isGood) send.mutate({ body: { email } }, { onSuccess: () => onSent(email) })
  }
  return (
    <Form onSubmit={onSubmit}>
      <TextField
        label={t('notices.emailLabel')}
        hint={t('notices.hint')}
        error={left && email !== '' && !isGood ? t('notices.emailWrong') : undefined}
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={254}
        value={values.email}
        onBlur={() => setLeft(true)}
        onChange={(event) => set({ email: event.target.value })}
      />
      <Button type="submit" block busy={send.isPending} disabled={email === ''}>
        {t('notices.send')}
      </Button>
    </Form>
  )
}

interface CodeFormProps {
  address: string
  onDone: () => void
  onOther: () => void
}

function CodeForm({ address, onDone, onOther }: CodeFormProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const confirm = useApiMutation('confirmNoticeEmail', { refresh: REFRESH })
  const code = plainText(typed)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!CODE.test(code)) return
    const onSuccess = () => {
      showToast(t('notices.done'), { durationMs: LONG_TOAST_MS, tone: 'good' })
      onDone()
    }
    confirm.mutate({ body: { code } }, { onSuccess })
  }
  return (
    <Form onSubmit={onSubmit}>
      <TextField
        label={t('notices.codeLabel')}
        hint={t('notices.codeHint', { address })}
        error={/[^0-9]/.test(code) || code.length > 6 ? t('notices.codeWrong') : undefined}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" block busy={confirm.isPending} disabled={!CODE.test(code)}>
        {t('notices.confirm')}
      </Button>
      <Button variant="secondary" block onClick={onOther}>
        {t('notices.otherAddress')}
      </Button>
    </Form>
  )
}
