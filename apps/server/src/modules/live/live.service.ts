import { openChangeChannel } from '../../db/change-channel.ts'
import type { Db } from '../../db/database.ts'
import { forAll } from '../../db/lanes.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Metrics } from '../../plugins/metrics.ts'
import type { Admin, AdminsService } from '../admins/admins.service.ts'
import type { AuthService } from '../auth/auth.service.ts'
import { createStreams, type Reader, type StreamLimits, type StreamTimes } from './live.streams.ts'

export type { Reader } from './live.streams.ts'

interface Deps {
  readonly db: Db
  readonly log: Logger
  readonly auth: Pick<AuthService, 'areOpen'>
  readonly admins: Pick<AdminsService, 'find' | 'list'>
  readonly metrics: Pick<Metrics, 'addReading'>
}

export type Live = ReturnType<typeof openLive>

/** Opens the streams of a process that serves calls: they hear of what any process commits. */
export function openLive(
  { db, log, auth, admins, metrics }: Deps,
  { databaseUrl: url, ...settings }: { databaseUrl: string; limits?: StreamLimits; times?: StreamTimes },
) {
  /** Operators who lost their role open another stream. */
  async function check(readers: readonly Reader[]): Promise<Reader[]> {
    const hashes = readers.map(({ tokenHash }) => tokenHash)
    const [open, all] = await forAll('reads', () =>
      Promise.all([
        auth.areOpen(hashes),
        readers.some(({ isOperator }) => isOperator) ? admins.list(db) : ([] as Admin[]),
      ]),
    )
    const addresses = new Set(all.map(({ address }) => address))
    return readers.filter(
      ({ isOperator, address }, index) => open[index] === true && (!isOperator || addresses.has(address)),
    )
  }

  const streams = createStreams({ ...settings, check })
  metrics.addReading({
    ...{ name: 'rif_open_streams', help: 'Open streams of changes of this process', labels: [] },
    read: async () => [{ labels: {}, value: streams.size() }],
  })
  const channel = openChangeChannel({ url, db, log, onNotes: streams.deliver })

  return {
    ...streams,

    /** Reports whether a wallet is an operator's. */
    isOperator: async (address: string): Promise<boolean> =>
      (await forAll('reads', () => admins.find(db, address))) !== undefined,

    /** Ends the streams, and then hears of nothing any more. */
    async stop(): Promise<void> {
      streams.endAll()
      await channel.stop()
    },
  }
}
