import { openChangeChannel } from '../../../db/change-channel.ts'
import type { Db } from '../../../db/database.ts'
import { forAll } from '../../../db/lanes.ts'
import { batched } from '../../../lib/batched.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { Metrics } from '../../../plugins/metrics.ts'
import type { AdminsService } from '../../operators/admins/admins.service.ts'
import type { AuthService } from '../auth/auth.service.ts'
import { createStreams, type Reader, type StreamLimits, type StreamTimes } from './streams.ts'

export type { Reader } from './streams.ts'

interface Deps {
  readonly db: Db
  readonly log: Logger
  readonly auth: Pick<AuthService, 'areOpen'>
  readonly admins: Pick<AdminsService, 'list'>
  readonly metrics: Pick<Metrics, 'addReading'>
}

export type Live = ReturnType<typeof openLive>

/** Opens the streams of a process that serves calls; they receive the committed changes of all processes. */
export function openLive(
  { db, log, auth, admins, metrics }: Deps,
  { databaseUrl: url, ...settings }: { databaseUrl: string; limits?: StreamLimits; times?: StreamTimes },
) {
  const operators = async () =>
    new Set((await forAll('reads', () => admins.list(db))).map(({ address }) => address))

  /** An operator who lost the role must open another stream. */
  async function check(readers: readonly Reader[]): Promise<Reader[]> {
    const hashes = readers.map(({ tokenHash }) => tokenHash)
    const [open, addresses] = await Promise.all([
      forAll('reads', () => auth.areOpen(hashes)),
      readers.some(({ isOperator }) => isOperator) ? operators() : new Set<string>(),
    ])
    return readers.filter(
      ({ isOperator, address }, index) => open[index] === true && (!isOperator || addresses.has(address)),
    )
  }

  const streams = createStreams({ ...settings, check })
  metrics.addReading({
    name: 'rif_open_streams',
    help: 'Open streams of changes of this process',
    labels: [],
    read: async () => [{ labels: {}, value: streams.size() }],
  })
  const channel = openChangeChannel({ url, db, log, onNotes: streams.deliver })

  return {
    ...streams,

    /** Reports whether a wallet belongs to an operator. */
    isOperator: batched(async (wallets: readonly string[]) => {
      const addresses = await operators()
      return wallets.map((address) => addresses.has(address))
    }),

    /** Ends the streams, and stops receiving changes. */
    async stop(): Promise<void> {
      streams.endAll()
      await channel.stop()
    },
  }
}
