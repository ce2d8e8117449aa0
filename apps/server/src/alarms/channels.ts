import { createHmac } from 'node:crypto'
import { openMailServer } from '../lib/mail-server.ts'
import type { DueMessage } from './alarms.repository.ts'
import { ALARMS, type AlarmName, runbookOf } from './names.ts'

/** The destinations of alarms. A channel that is not configured is undefined. */
export interface AlarmSettings {
  /** Receives each alarm as JSON; `secret` signs it. */
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined
  /** `smtpUrl`: `smtp://` or `smtps://`, with login and password if the server needs them. */
  readonly email?:
    | { readonly smtpUrl: string; readonly from: string; readonly to: readonly string[] }
    | undefined
}

type Alarm = Pick<DueMessage, 'alarmId' | 'event' | 'name' | 'subject' | 'detail' | 'raisedAt'>

const TIMEOUT_MS = 10_000

/**
 * Sends an alarm to a webhook. The header `rif-signature` is the hex HMAC-SHA256 of `rif-timestamp`, a dot and the body, by
 * the secret. Throws unless the answer is 2xx. The receiver recognises a repeated alarm by its id.
 */
export async function sendWebhook(
  { url, secret }: NonNullable<AlarmSettings['webhook']>,
  alarm: Alarm,
  { at, product }: { at: Date; product: string },
): Promise<void> {
  const { alarmId, event, name, subject, detail, raisedAt } = alarm
  const body = JSON.stringify({
    id: `${alarmId}`,
    product,
    event,
    name,
    subject,
    text: textOf(alarm),
    detail,
    runbook: runbookOf(name),
    raised_at: raisedAt.toISOString(),
  })
  const timestamp = `${Math.floor(at.getTime() / 1_000)}`
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'rif-timestamp': timestamp,
      'rif-signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
    },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the webhook answered ${answer.status}`)
}

/**
 * Sends an alarm by e-mail. A server on another machine must offer TLS. Throws if it does not accept the
 * message.
 */
export async function sendEmail(
  { smtpUrl, from, to }: NonNullable<AlarmSettings['email']>,
  alarm: Alarm,
  { product }: { product: string },
): Promise<void> {
  const transport = openMailServer(smtpUrl)
  const { name, subject, detail, raisedAt } = alarm
  const title = alarm.event === 'ended' ? 'Ended' : 'Alarm'
  const lines = [
    `${title}: ${textOf(alarm)}.`,
    '',
    `Name: ${name}${subject && ` (${subject})`}`,
    `Detail: ${detail}`,
    `Time: ${raisedAt.toISOString()}`,
    `Product: ${product}`,
    `Runbook: ${runbookOf(name)}`,
  ]
  try {
    await transport.sendMail({
      from,
      to: [...to],
      subject: `[RIFund] ${title}: ${textOf(alarm)} (${subject || name})`,
      text: lines.join('\n'),
      // Lets a mail server recognise a duplicate.
      messageId: `<alarm-${alarm.alarmId}-${alarm.raisedAt.getTime()}@${new URL(product).hostname}>`,
    })
  } finally {
    transport.close()
  }
}

/** Returns what an alarm says; its name for one of another version. */
const textOf = ({ name }: Alarm): string => ALARMS[name as AlarmName] ?? name
