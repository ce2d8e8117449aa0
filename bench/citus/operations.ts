import { dayOf } from '@rif/rules'
import { type Database, type Db, inTx } from '../../apps/server/src/db/database.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { createLedgerService } from '../../apps/server/src/modules/books/ledger/ledger.service.ts'
import { createTestBooks } from '../../apps/server/src/modules/settlement/testing/test-books.ts'
import { createServices, type Services } from '../../apps/server/src/services.ts'
import { NO_SIGNER } from '../../apps/server/src/signer/protocol.ts'
import { simulatedChain } from '../../apps/server/src/simulate/simulated-chain.ts'
import { FIRST_DAY, RANGE_MEMBERS } from '../settlement/books.ts'

/** More than any run spends. */
const GIFT_MICROS = 1_000_000_000_000n
const STEP_MICROS = 1_000_000n
const AT_ONCE = 4_000
/** A day after all days of the books. */
const AFTER = '2026-01-07'

/** Credits members 1 to `members` with money, through the ledger. */
export async function giveMoney({ db }: Database, members: number): Promise<void> {
  const ledger = createLedgerService()
  const at = new Date()
  for (let first = 1; first <= members; first += AT_ONCE) {
    const last = Math.min(first + AT_ONCE - 1, members)
    await ledger.postAll(
      db,
      Array.from({ length: last - first + 1 }, (_, index) => ({
        key: `gift/${first}`,
        kind: 'grant' as const,
        cause: { type: 'bench', id: '1' },
        accountingDay: dayOf(at.getTime()),
        at,
        lines: [
          {
            memberId: BigInt(first + index),
            asset: 'USDT' as const,
            source: 'external' as const,
            destination: 'available' as const,
            amountMicros: GIFT_MICROS,
          },
        ],
      })),
    )
  }
}

/**
 * Settles a day of the benchmark's books, in order from the first day. Returns the duration in milliseconds.
 */
export async function settleOn(database: Database, day: string): Promise<number> {
  const books = createTestBooks(database, FIRST_DAY, RANGE_MEMBERS)
  if (day === FIRST_DAY) await books.begin()
  books.goTo(AFTER)
  const begun = performance.now()
  const outcome = await books.settlement.settle(day)
  if (!outcome.settled) throw new Error('the day was not settled')
  return performance.now() - begun
}

/** Creates services as the product does, without limits and without members' signatures. */
export function servicesOn({ db }: Database): Services {
  return createServices({
    db,
    now: () => new Date(),
    chain: simulatedChain(),
    log: createLogger({ level: 'silent' }),
    settings: {
      version: 'bench',
      publicUrl: 'http://127.0.0.1:8080',
      browserRpcUrl: '',
      explorerUrl: null,
      confirmations: 1,
      demoWallets: null,
      signer: NO_SIGNER,
      transfersLimited: false,
      membersSign: false,
    },
  })
}

const random = (below: number) => 1 + Math.floor(Math.random() * below)

/** Performs one operation of a random member. */
export type Operation = (services: Services, members: number) => Promise<unknown>

/** The operations that are measured: each concerns one member, and so one worker. */
export const OPERATIONS = {
  reads: ({ db, members, ledger }, count) => {
    const memberId = BigInt(random(count))
    return Promise.all([members.get(db, memberId), ledger.balances(db, memberId)])
  },
  savings: ({ db, savings }, count) => {
    const memberId = BigInt(random(count))
    const order = { asset: 'USDT', amountMicros: STEP_MICROS } as const
    return inTx(db, (dbTx: Db) => savings.transferIn(dbTx, memberId, order))
  },
} satisfies Readonly<Record<string, Operation>>

/**
 * Returns the operations per second of several clients, each of which waits for its response before it sends
 * the next request.
 */
export async function measure(
  services: Services,
  operate: Operation,
  { members, clients, seconds }: { members: number; clients: number; seconds: number },
): Promise<number> {
  const start = performance.now()
  const end = start + seconds * 1_000
  let done = 0
  const client = async () => {
    while (performance.now() < end) {
      await operate(services, members)
      done++
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return (done * 1_000) / (performance.now() - start)
}
