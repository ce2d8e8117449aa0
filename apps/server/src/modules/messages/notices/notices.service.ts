import { type Db, inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import * as contacts from './notices.contacts.repository.ts'
import * as repository from './notices.repository.ts'
import { type Facts, TOPICS, type Topic } from './topics.ts'

export type { Facts, Topic }

/**
 * An event of a member. `event` identifies it permanently: a second notice of the same event is not written.
 */
export interface Happened {
  readonly memberId: bigint
  readonly event: string
  readonly topic: Topic
  readonly facts: Facts
  readonly at: Date
}

/**
 * Writes the notice of an event in the transaction of the event, with a delivery to each address and browser
 * of the member. Writes nothing for a member without any, or who did not choose the kind.
 */
export async function notify(dbTx: Db, { memberId, event, topic, facts, at }: Happened): Promise<void> {
  const { kind } = TOPICS[topic]
  await repository.writeNotices(dbTx, { event, topic, kind, at }, [{ memberId, facts }])
}

/**
 * Writes an event that concerns many members; its notices are written soon after, none of them after
 * `endsAt`.
 */
export function notifyMany(
  dbTx: Db,
  happened: Omit<Happened, 'memberId'> & { endsAt?: Date | null },
): Promise<void> {
  return repository.insertSpread(dbTx, happened)
}

/** Ends an event of many members: notices that are not yet written or sent never will be. */
export const endMany = (dbTx: Db, event: string, at: Date): Promise<void> =>
  repository.endSpread(dbTx, event, at)

export type { SpreadCounts } from './notices.repository.ts'
/** Returns the numbers of written and sent notices for events of many members. */
export const countsOfMany = repository.spreadCounts

/** The maximum number of a member's devices that are stored. */
const MAX_DEVICES = 50

export const devicesRead = contacts.devicesRead

/**
 * Records the browser of a sign-in, and writes the notice of it, unless the member has signed in with the same
 * browser before or it is the first sign-in.
 */
export async function noteSignIn(
  dbTx: Db,
  memberId: bigint,
  signIn: {
    devices: contacts.Devices
    deviceHash: Buffer | null
    device: string | null
    event: string
    at: Date
  },
): Promise<void> {
  const { devices, deviceHash, device, event, at } = signIn
  if (!devices.isKnown && devices.count > 0) {
    const facts = { device: device ?? '-', at: at.toISOString() }
    await notify(dbTx, { memberId, event, topic: 'sign_in', facts, at })
  }
  if (deviceHash === null) return
  if (!devices.isKnown && devices.count >= MAX_DEVICES)
    await contacts.forgetDevices(dbTx, memberId, MAX_DEVICES - 1)
  await contacts.noteDevice(dbTx, memberId, deviceHash, at)
}

/** Removes the browsers that were registered in sessions that their member has ended. */
export async function endSessions(dbTx: Db, sessionHashes: readonly Buffer[]): Promise<void> {
  if (sessionHashes.length > 0) await contacts.deletePushes(dbTx, { sessionHashes })
}

/** Returns the facts of an event for the members among the given ones that it concerns. */
export type Audience = (
  db: Db,
  memberIds: readonly bigint[],
  facts: Facts,
) => Promise<readonly { memberId: bigint; facts: Facts }[]>

/** The audiences of the topics that concern many members. */
export type Audiences = Partial<Readonly<Record<Topic, Audience>>>

interface Deps {
  readonly db: Db
  readonly now: Now
  /** The members that an event concerns; without an audience, everybody who chose the kind. */
  readonly audiences: () => Audiences
}

export type NoticeSpreads = ReturnType<typeof createNoticeSpreads>

const MEMBERS_AT_ONCE = 500

/**
 * Creates the writer of notices that concern many members: in steps, each in a transaction, so that it
 * continues after a kill.
 */
export function createNoticeSpreads({ db, now, audiences }: Deps) {
  async function step(dbTx: Db): Promise<boolean> {
    const spread = await repository.takeSpread(dbTx)
    if (spread === undefined) return false
    const { event, topic, facts, afterMemberId, endsAt } = spread
    const { kind } = TOPICS[topic]
    const at = now()
    const isOver = endsAt !== null && endsAt <= at
    const memberIds =
      kind === null || isOver
        ? []
        : await repository.membersChoosing(dbTx, kind, afterMemberId, MEMBERS_AT_ONCE)
    const audience = audiences()[topic]
    const rows = audience
      ? await audience(dbTx, memberIds, facts)
      : memberIds.map((memberId) => ({ memberId, facts }))
    const write = { event, topic, kind, isBulk: true, at }
    const notices = rows.length > 0 ? await repository.writeNotices(dbTx, write, rows) : 0
    await repository.moveSpread(dbTx, event, {
      afterMemberId: memberIds.at(-1) ?? afterMemberId,
      doneAt: memberIds.length < MEMBERS_AT_ONCE ? at : null,
      notices,
    })
    return true
  }

  return {
    /** Writes all due notices of events of many members. Any number of processes may run it. */
    async writeDue(): Promise<void> {
      while (await inTx(db, step));
    },
  }
}
