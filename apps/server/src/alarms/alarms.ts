import type { Db } from '../db/database.ts'
import { inTx } from '../db/database.ts'
import type { Now } from '../lib/clock.ts'
import { hostsOnly, type Logger } from '../lib/logger.ts'
import * as repository from './alarms.repository.ts'
import { ALARMS, type AlarmName, runbookOf } from './names.ts'

export type { AlarmName } from './names.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
}

/** The content of an alarm, for the log, the mail and the webhook. */
export type AlarmFacts = Readonly<Record<string, unknown>>

export interface About {
  /** Tells alarms of one name apart. */
  readonly subject?: string
  /** The transaction that the alarm belongs to; by default one of its own. */
  readonly on?: Db
}

export type Alarms = ReturnType<typeof createAlarms>

const REPEATED_MS = 15_000
const SEEN_LASTS_MS = 60_000

/**
 * Creates the alarms of a process. Each is logged, and reaches the operators by mail and webhook through the
 * table `alarm_messages`: once when it begins and once when it ends, whichever process sees it. Nothing else
 * in the product logs `"alarm":true`.
 */
export function createAlarms({ db, now, log }: Deps) {
  /** When each alarm that this process sees was last stored. */
  const seen = new Map<string, number>()

  function write(event: repository.AlarmEvent, name: AlarmName, subject: string, facts: AlarmFacts): void {
    const line = { alarm: true, event, name, ...(subject && { subject }), ...facts, runbook: runbookOf(name) }
    if (event === 'ended') log.warn(line, `ended: ${ALARMS[name]}`)
    else log.error(line, ALARMS[name])
  }

  /** Begins an alarm. With `lastsMs` it ends by itself unless it is begun again within that time. */
  async function begin(
    name: AlarmName,
    facts: AlarmFacts = {},
    { subject = '', on = db, lastsMs }: About & { readonly lastsMs?: number } = {},
  ): Promise<void> {
    const at = now()
    const detail = textOf(facts)
    const lastsUntil = lastsMs === undefined ? null : new Date(at.getTime() + lastsMs)
    const isNew = await inTx(on, async (dbTx) => {
      if (!(await repository.begin(dbTx, { name, subject, detail, at, lastsUntil }))) return false
      return repository.insertMessage(dbTx, { event: 'begun', name, subject, detail, at })
    })
    if (isNew) write('begun', name, subject, facts)
  }

  /** Ends an alarm, if it is on. */
  async function end(
    name: AlarmName,
    facts: AlarmFacts = {},
    { subject = '', on = db }: About = {},
  ): Promise<void> {
    const detail = textOf(facts)
    const isOver = await inTx(on, async (dbTx) => {
      const ended = await repository.endAlarm(dbTx, name, subject)
      if (ended === undefined) return false
      const message = { event: 'ended' as const, name, subject, detail: detail || ended.detail, at: now() }
      return repository.insertMessage(dbTx, message)
    })
    if (isOver) write('ended', name, subject, facts)
  }

  return {
    begin,
    end,

    /** Says once, whichever process does so and however often, what has no end. */
    async once(
      name: AlarmName,
      facts: AlarmFacts,
      { subject, on = db }: About & { readonly subject: string },
    ): Promise<void> {
      const message = { event: 'once' as const, name, subject, detail: textOf(facts), at: now() }
      if (await repository.insertMessage(on, message)) write('once', name, subject, facts)
    },

    /**
     * Notes whether this process sees a trouble (`facts`) or not (null). Call it again and again: the alarm
     * ends a minute after the last process has stopped seeing it, and one that could not be stored, as
     * without the database, is stored later. Never throws.
     */
    async sees(name: AlarmName, facts: AlarmFacts | null, { subject = '' }: About = {}): Promise<void> {
      const key = `${name} ${subject}`
      const last = seen.get(key)
      if (facts === null) {
        if (last !== undefined) log.info({ name, ...(subject && { subject }) }, 'an alarm is over here')
        seen.delete(key)
        return
      }
      if (last !== undefined && now().getTime() - last < REPEATED_MS) return
      if (last === undefined) log.error({ name, ...(subject && { subject }), ...facts }, ALARMS[name])
      seen.set(key, 0)
      await begin(name, facts, { subject, lastsMs: SEEN_LASTS_MS }).then(
        () => seen.set(key, now().getTime()),
        (err: unknown) => log.debug({ err }, 'an alarm was not stored'),
      )
    },

    /** Ends the alarms that no process has repeated in time. */
    async endLapsed(): Promise<void> {
      const at = now()
      const lapsed = await inTx(db, async (dbTx) => {
        const ended = await repository.endLapsed(dbTx, at)
        for (const { name, subject, detail } of ended)
          await repository.insertMessage(dbTx, { event: 'ended', name, subject, detail, at })
        return ended
      })
      for (const { name, subject } of lapsed) write('ended', name as AlarmName, subject, {})
    },

    /** Returns the last times that an alarm was on, one for each subject, newest first. */
    lastEnded: repository.lastEndedAlarm,

    /** Reports which channels have accepted a message that is sent once. */
    delivery: repository.delivery,

    /** Reports whether a receiver has accepted a test alarm. */
    wasTested: (on: Db): Promise<boolean> => repository.wasAccepted(on, 'test'),
  }
}

/** Returns the facts as a line of text, with addresses reduced to their hosts. */
function textOf(facts: AlarmFacts): string {
  const { detail, ...others } = facts
  const parts = Object.entries(others)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name} ${value instanceof Error ? value.message : value}`)
  return hostsOnly([...(detail === undefined ? [] : [`${detail}`]), ...parts].join(', '))
}
