import { setTimeout as sleep } from 'node:timers/promises'
import { createAlarms } from '../alarms/alarms.ts'
import { createAlarmSender, hasReceiver } from '../alarms/sender.ts'
import type { Config } from '../config.ts'
import { createLogger } from '../lib/logger.ts'
import { StartError } from '../lib/start-error.ts'
import { withBooks } from './audit.ts'
import { usageOf } from './usage.ts'

const WAIT_MS = 30_000
const POLL_MS = 500

/**
 * Runs `rif alarm test`: sends a message to every configured receiver of alarms, as an alarm goes, and prints
 * whether each accepted it. Returns 1 unless all did. Throws StartError without a receiver.
 */
export async function alarm(config: Config, [action, ...rest]: string[]): Promise<number> {
  if (action !== 'test' || rest.length > 0) throw new StartError(usageOf('alarm'))
  const { alarms: receivers, publicUrl } = config
  if (!hasReceiver(receivers))
    throw new StartError('no receiver of alarms: set MAIL with the part alarms, or ALARM_WEBHOOK')
  return withBooks(config, 2, async (db) => {
    const now = () => new Date()
    const log = createLogger({ level: 'error', stream: process.stderr })
    const alarms = createAlarms({ db, now, log: createLogger({ level: 'silent' }) })
    const sender = createAlarmSender({ db, now, log, receivers, publicUrl })
    const subject = now().toISOString()
    await alarms.once('test', { detail: 'sent by rif alarm test' }, { subject })
    const until = performance.now() + WAIT_MS
    let sent = await alarms.delivery(db, 'test', subject)
    // A running worker may be faster; only one of the two sends it.
    while (!sent.isDone && performance.now() < until) {
      await sender.sendDue()
      sent = await alarms.delivery(db, 'test', subject)
      if (!sent.isDone) await sleep(POLL_MS)
    }
    const lines = [
      ...(receivers.webhook ? [`webhook: ${sent.byWebhook ? 'accepted' : 'not accepted'}`] : []),
      ...(receivers.email
        ? [`mail to ${receivers.email.to.join(', ')}: ${sent.byEmail ? 'accepted' : 'not accepted'}`]
        : []),
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
    return sent.isDone ? 0 : 1
  })
}
