import { ALL_WEEKDAYS } from '@rif/rules'
import { type Database, inTx } from '../../apps/server/src/db/database.ts'
import type { Services } from '../../apps/server/src/services.ts'
import { inRounds, median } from '../kit/rounds.ts'

const EVIDENCE = { heldAt: 'bench', document: null }
const UNIT_MICROS = 1_000_000n
const UNITS_EACH = 100n
const ROUNDS = 20
/** The number of statements of the bare transaction: as many round trips as an approval takes. */
const BARE_STATEMENTS = 12

/**
 * The median durations of the steps in ms at a number of holdings, and those of bare transactions measured
 * alternately with them.
 */
export interface StepTimes {
  readonly bareMs: number
  readonly valuationMs: number
  readonly approvalMs: number
  readonly paymentMs: number
}

/** The holdings of members `$2` to `$3` in the product `$1`. */
const HOLD = `
  insert into fund_orders (member_id, product_id, payer, payment_method, units, nav_micros, fee_ppm, fee_micros, status,
    units_left, created_at, paid_at, collected_at)
  select member, $1, '0x', 'available', ${UNITS_EACH}, ${UNIT_MICROS}, 0, 0, 'Paid', ${UNITS_EACH}, '2026-02-01', '2026-02-01',
    '2026-02-01' from generate_series($2::bigint, $3::bigint) as member`
/** Holdings of members, and investments that cover them. */
const COVER = `
  update fund_products set units_outstanding = units_outstanding + $2::bigint,
    invested_micros = invested_micros + $2::bigint * nav_micros, is_invested = true,
    began_nav_micros = ${UNIT_MICROS}, valued_at = coalesce(valued_at, '2026-02-01') where product_id = $1`

/**
 * Creates a product whose units members hold, and measures the operations of operators on it. `later`
 * advances the clock of the services.
 */
export async function createSteps(
  { db, pool }: Database,
  { fund }: Pick<Services, 'fund'>,
  later: (hours: number) => void,
) {
  const productId = await inTx(db, async (dbTx) => {
    const made = await fund.products.prepare(dbTx, {
      name: 'Steps',
      introduction: { en: 'x' },
      riskLevel: 1,
      estimatedAnnualReturnPpm: 0,
      terms: {
        minimumMicros: 0n,
        lockDays: 0,
        redeemableWeekdays: ALL_WEEKDAYS,
        subscriptionPpm: 0,
        redemptionPpm: 5_000,
        managementPpm: 100_000,
      },
      openingMicros: UNIT_MICROS,
      documents: [],
      actor: 'a',
    })
    await fund.products.approve(dbTx, { productId: made.productId, actor: 'b' })
    return made.productId
  })
  await pool.query('create table bench_row as select 0 as value')

  const value = (terms: { valueMicros: bigint; amountMicros?: bigint }) =>
    inTx(db, async (dbTx) => {
      const draft = { productId, ...terms, evidence: EVIDENCE, actor: 'a' }
      const { valuation_id: valuationId } = await fund.valuations.propose(dbTx, draft)
      await fund.valuations.approve(dbTx, { valuationId, actor: 'b' })
    })

  return {
    /** Gives a range of members units. */
    async hold(from: number, to: number): Promise<void> {
      await pool.query(HOLD, [productId, from, to])
      await pool.query(COVER, [productId, BigInt(to - from + 1) * UNITS_EACH])
    },

    /** Measures the steps alternately with bare transactions, while the members up to `count` hold units. */
    async measure(count: number, firstMember: bigint): Promise<StepTimes> {
      const worth = BigInt(count) * UNITS_EACH * UNIT_MICROS
      await value({ valueMicros: worth, amountMicros: UNIT_MICROS * 10_000n })
      const redemptions: { memberId: bigint; redemptionId: bigint }[] = []
      for (let place = 0n; place <= BigInt(ROUNDS); place++) {
        const memberId = firstMember + place
        const { redemption_id } = await inTx(db, (dbTx) =>
          fund.redemptions.request(dbTx, memberId, productId, 1n),
        )
        redemptions.push({ memberId, redemptionId: BigInt(redemption_id) })
      }
      const figures = await inRounds(ROUNDS, {
        bare: () => ms(() => bare(pool)),
        valuation: () => ms(() => value({ valueMicros: worth })),
        approval: () =>
          ms(() =>
            inTx(db, async (dbTx) => {
              const subject = redemptions.shift()!
              await fund.review.review(dbTx, { ...subject, approve: true, reason: 'bench', actor: 'a' })
              await fund.review.confirm(dbTx, { ...subject, actor: 'b' })
            }),
          ),
      })
      later(73)
      await value({ valueMicros: worth })
      const paid = { count: 0 }
      const total = await ms(async () => {
        paid.count = await fund.payouts.payDue(db)
      })
      return {
        bareMs: median(figures.bare),
        valuationMs: median(figures.valuation),
        approvalMs: median(figures.approval),
        paymentMs: total / paid.count,
      }
    },
  }
}

/** Runs the bare transaction of a step: its round trips, one changed row and a commit. */
async function bare(pool: Database['pool']): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (let count = 0; count < BARE_STATEMENTS; count++) await client.query('select 1')
    await client.query('update bench_row set value = value + 1')
    await client.query('commit')
  } finally {
    client.release()
  }
}

async function ms(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
