import { type Asset, dayOf, parseMicros } from '@rif/rules'
import { type Db, inTx } from '../../../db/database.ts'
import { createLogger } from '../../../lib/logger.ts'
import { createServices, type ServiceSettings } from '../../../services.ts'
import { NO_SIGNER } from '../../../signer/protocol.ts'
import { simulatedChain } from '../../../simulate/simulated-chain.ts'
import { auditLedger } from '../../books/ledger/audit.ts'
import { EXCHANGE_CHECKS } from '../audit.ts'

const SETTINGS: ServiceSettings = {
  version: 'test',
  publicUrl: 'http://localhost',
  browserRpcUrl: 'http://localhost',
  explorerUrl: null,
  confirmations: 1,
  demoWallets: null,
  signer: NO_SIGNER,
  membersSign: false,
}

export type TestCentre = ReturnType<typeof createTestCentre>

/** The services on a database, without a chain; the clock is the test's. */
export function createTestCentre({ db }: { db: Db }, startsAt = '2026-01-05T10:00:00Z') {
  let clock = Date.parse(startsAt)
  const now = () => new Date(clock)
  const services = createServices({
    db,
    now,
    log: createLogger({ level: 'silent' }),
    chain: simulatedChain(),
    settings: SETTINGS,
  })
  let joined = 0
  let grants = 0

  async function join(): Promise<bigint> {
    const address = `0x${(++joined).toString(16).padStart(40, '0')}`
    const root = await services.members.root(db)
    const { memberId } = await inTx(db, (dbTx) =>
      root === undefined
        ? services.members.createRoot(dbTx, address)
        : services.members.join(dbTx, { address, sponsorId: root.memberId, side: 'auto' }),
    )
    return memberId
  }

  return {
    db,
    now,
    services,
    join,
    advance: (ms: number) => {
      clock += ms
    },
    goTo: (time: string) => {
      clock = Date.parse(time)
    },

    async give(memberId: bigint, asset: Asset, amount: string): Promise<void> {
      await services.ledger.post(db, {
        key: `test/${++grants}/${crypto.randomUUID()}`,
        kind: 'grant',
        cause: { type: 'test', id: '1' },
        accountingDay: dayOf(clock),
        at: now(),
        lines: [
          {
            memberId,
            asset,
            source: 'external',
            destination: 'available',
            amountMicros: parseMicros(amount),
          },
        ],
      })
    },

    price: (asset: 'AMC' | 'RIF', price: string) =>
      inTx(db, (dbTx) =>
        services.pricing.publish(dbTx, { asset, priceMicros: parseMicros(price), actor: 'test' }),
      ),

    /** Prepares and approves terms of exchange. */
    async setTerms(asset: 'DIV' | 'VC', rate: string, dayCap: string | null = null): Promise<void> {
      await inTx(db, async (dbTx) => {
        const { termsId } = await services.exchangeTerms.prepare(dbTx, {
          asset,
          rateMicros: parseMicros(rate),
          actor: 'anna',
          dayCapMicros: dayCap === null ? null : parseMicros(dayCap),
        })
        await services.exchangeTerms.review(dbTx, { termsId, approve: true, actor: 'ben' })
      })
    },

    quote: (memberId: bigint, to: 'DIV' | 'VC', amount: string) =>
      inTx(db, (dbTx) => services.exchange.quote(dbTx, memberId, { to, rifMicros: parseMicros(amount) })),

    make: (memberId: bigint, quoteId: string) =>
      inTx(db, (dbTx) => services.exchange.make(dbTx, memberId, BigInt(quoteId))),

    async exchange(memberId: bigint, to: 'DIV' | 'VC', amount: string) {
      const { quote_id } = await this.quote(memberId, to, amount)
      return this.make(memberId, quote_id)
    },

    /** Prepares and approves a launch; times in ms from now. */
    async launch(terms: {
      allocation: string
      price: string
      startMs: number
      endMs: number
    }): Promise<bigint> {
      return inTx(db, async (dbTx) => {
        const { launchId } = await services.launchReview.prepare(dbTx, {
          name: 'Harbour',
          introduction: 'A harbour',
          actor: 'anna',
          allocationMicros: parseMicros(terms.allocation),
          priceMicros: parseMicros(terms.price),
          startsAt: new Date(clock + terms.startMs),
          endsAt: new Date(clock + terms.endMs),
        })
        await services.launchReview.review(dbTx, { launchId, approve: true, actor: 'ben' })
        return launchId
      })
    },

    subscribe: (memberId: bigint, launchId: bigint, amount: string) =>
      inTx(db, (dbTx) =>
        services.launches.subscribe(dbTx, memberId, { launchId, vcMicros: parseMicros(amount) }),
      ),

    balances: (memberId: bigint) => services.ledger.balances(db, memberId),
    audit: () => auditLedger(db, { checks: EXCHANGE_CHECKS }),
  }
}
