import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { type AlarmSettings, sendEmail, sendWebhook } from './channels.ts'
import * as repository from './guard.repository.ts'

export type { AlarmSettings }

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly alarms: AlarmSettings
  /** The address of the product, for readers of the message. */
  readonly publicUrl: string
}

export type GuardAlarms = ReturnType<typeof createGuardAlarms>

const PAUSES = { firstMs: 5_000, maxMs: 600_000 }
/** The age at which an undelivered message is given up. */
const GIVEN_UP_MS = 3 * 86_400_000

/**
 * Creates the sender of the guard's alarms: each by every channel, retried with growing pauses until it is
 * accepted.
 */
export function createGuardAlarms({ db, now, log, alarms, publicUrl: product }: Deps) {
  async function send(alarm: repository.DueAlarm): Promise<void> {
    const { alarmId, attempts, raisedAt } = alarm
    const by = async (
      channel: 'webhook' | 'email',
      doneAt: Date | null,
      sending: () => Promise<void> | undefined,
    ) => {
      if (doneAt !== null) return true
      try {
        await sending()
        await repository.markAlarm(db, alarmId, { at: now(), done: channel })
        return true
      } catch (error) {
        // Without the stack, which may contain the URL with its password.
        const reason = error instanceof Error ? error.message : 'unknown'
        log.error({ alarm: true, channel, attempts, reason }, 'an alarm was not sent')
        return false
      }
    }
    const { webhook, email } = alarms
    const [hooked, mailed] = await Promise.all([
      by('webhook', alarm.webhookAt, () => webhook && sendWebhook(webhook, alarm, { at: now(), product })),
      by('email', alarm.emailAt, () => email && sendEmail(email, alarm, { product })),
    ])
    const isGivenUp = now().getTime() - raisedAt.getTime() > GIVEN_UP_MS
    if ((hooked && mailed) || isGivenUp) await repository.markAlarm(db, alarmId, { at: now(), done: 'all' })
  }

  return {
    /** Sends due messages. A message is sent again if the process ends before its sending is stored. */
    async sendDue(): Promise<void> {
      for (const alarm of await repository.takeDueAlarms(db, now(), PAUSES)) await send(alarm)
    },
  }
}
