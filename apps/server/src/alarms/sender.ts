import type { Db } from '../db/database.ts'
import type { Now } from '../lib/clock.ts'
import type { Job } from '../lib/job.ts'
import type { Logger } from '../lib/logger.ts'
import * as repository from './alarms.repository.ts'
import type { Alarms } from './alarms.ts'
import { type AlarmSettings, sendEmail, sendWebhook } from './channels.ts'

export type { AlarmSettings }

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly receivers: AlarmSettings
  /** The address of the product, for readers of the message. */
  readonly publicUrl: string
}

export type AlarmSender = ReturnType<typeof createAlarmSender>

const PAUSES = { firstMs: 5_000, maxMs: 600_000 }
/** The age at which an undelivered message is given up. */
const GIVEN_UP_MS = 3 * 86_400_000
const SEND_INTERVAL_MS = 5_000
/** The time that the other processes have after a start to repeat their alarms. */
const REPEATED_WITHIN_MS = 60_000

/** Reports whether alarms reach anybody besides the readers of the log. */
export const hasReceiver = ({ webhook, email }: AlarmSettings): boolean =>
  webhook !== undefined || email !== undefined

/** Creates the sender of alarms: each by every channel, retried with growing pauses until it is accepted. */
export function createAlarmSender({ db, now, log, receivers, publicUrl: product }: Deps) {
  async function send(message: repository.DueMessage): Promise<void> {
    const { alarmId, attempts, raisedAt } = message
    const by = async (
      channel: 'webhook' | 'email',
      doneAt: Date | null,
      sending: (() => Promise<void>) | undefined,
    ) => {
      if (doneAt !== null || sending === undefined) return true
      try {
        await sending()
        await repository.mark(db, alarmId, { at: now(), done: channel })
        return true
      } catch (error) {
        // Without the stack, which may contain the URL with its password.
        const reason = error instanceof Error ? error.message : 'unknown'
        log.error({ channel, attempts, reason }, 'an alarm was not sent')
        return false
      }
    }
    const { webhook, email } = receivers
    const [hooked, mailed] = await Promise.all([
      by(
        'webhook',
        message.webhookAt,
        webhook && (() => sendWebhook(webhook, message, { at: now(), product })),
      ),
      by('email', message.emailAt, email && (() => sendEmail(email, message, { product }))),
    ])
    const isGivenUp = now().getTime() - raisedAt.getTime() > GIVEN_UP_MS
    if ((hooked && mailed) || isGivenUp) await repository.mark(db, alarmId, { at: now(), done: 'all' })
  }

  return {
    /** Sends due messages. A message is sent again if the process ends before its sending is stored. */
    async sendDue(): Promise<void> {
      for (const message of await repository.takeDue(db, now(), PAUSES)) await send(message)
    },
  }
}

/** Returns the work that ends lapsed alarms and sends messages. Any number of processes may run it. */
export function alarmJobs({ alarms, alarmSender }: { alarms: Alarms; alarmSender: AlarmSender }): Job[] {
  const startedAt = performance.now()
  return [
    {
      name: 'send alarms',
      everyMs: SEND_INTERVAL_MS,
      async run() {
        if (performance.now() - startedAt > REPEATED_WITHIN_MS) await alarms.endLapsed()
        await alarmSender.sendDue()
      },
    },
  ]
}
