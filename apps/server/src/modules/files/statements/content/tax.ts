import {
  ASSETS,
  type Asset,
  createTaxLots,
  type Day,
  formatMicros,
  MICRO,
  type Micros,
  type TaxLots,
} from '@rif/rules'
import type { Db } from '../../../../db/database.ts'
import type { PricingService } from '../../../prices/pricing/pricing.service.ts'
import { ledgerBalances, spanOf } from './account.ts'
import type { StatementEntryRow } from './books.repository.ts'
import * as books from './books.repository.ts'
import { BooksDiffer, type Content, type Row } from './content.ts'
import { type DayPrice, type TaxEvent, taxEventsOf } from './tax-events.ts'

export const TAX_COLUMNS = [
  ...(['row', 'at', 'accounting_day', 'entry', 'kind', 'cause', 'asset', 'quantity', 'price_usdt'] as const),
  ...(['price_source', 'value_usdt', 'cost_usdt', 'gain_usdt', 'held', 'held_cost_usdt', 'note'] as const),
] as const

/** The rows at the top of every tax file. The PDF has the same in the member's language. */
export const TAX_NOTES = [
  'Method: FIFO, first in, first out by UTC day; units of one day leave at the average cost of that day.',
  'Values in USDT at the price of the accounting day: the price that its settlement fixed, else the last one published for it.',
  'moved_in and moved_out are transfers, withdrawals and corrections: they leave at cost and make no gain.',
  'This file is no tax advice. Take it to a tax adviser.',
] as const

interface Deps {
  readonly pricing: Pick<PricingService, 'dailyPrices'>
}

type TaxCells = Partial<Record<(typeof TAX_COLUMNS)[number], string>>

const rowOf = (cells: TaxCells): Row => TAX_COLUMNS.map((column) => cells[column] ?? '')

/** The sums of a year for one asset, in USDT micro-units. */
interface Sums {
  rewards: Micros
  value: Micros
  cost: Micros
}

/**
 * Reads a member's acquisitions and disposals in a calendar year, with values at the price of the day and
 * costs by FIFO over the whole history. Quantities must equal the ledger's at the end of the year. Rules,
 * section 14.
 */
export async function taxContent(
  deps: Deps,
  dbTx: Db,
  memberId: bigint,
  days: { readonly from: Day; readonly to: Day },
): Promise<Content> {
  const { from, until } = spanOf(days)
  const closing = await ledgerBalances(dbTx, memberId, until)
  const entries = Number(await books.countEntryChanges(dbTx, memberId, { from: null, until }))
  const prices = createDayPrices(deps.pricing, dbTx)

  async function* rows() {
    const lots = Object.fromEntries(ASSETS.map((asset) => [asset, createTaxLots()])) as Record<Asset, TaxLots>
    const sums = Object.fromEntries(ASSETS.map((asset) => [asset, { rewards: 0n, value: 0n, cost: 0n }]))
    let hasOpened = false
    let done = 0
    const opening = () => ASSETS.map((asset) => holdingRow('opening', days.from, asset, lots[asset]))
    yield { rows: TAX_NOTES.map((note) => rowOf({ row: 'note', note })), done }
    for await (const batch of byTransaction(books.entriesOf(dbTx, memberId, { from: null, until }))) {
      await prices.load(batch.map(([entry]) => entry!.day))
      const shown: Row[] = []
      for (const lines of batch) {
        const isInYear = lines[0]!.at >= from
        if (isInYear && !hasOpened) shown.push(...opening())
        hasOpened ||= isInYear
        for (const event of taxEventsOf(lines, prices.of)) {
          const cells = book(event, lots[event.asset])
          if (isInYear) shown.push(rowOf({ ...cells, ...eventCells(event) }))
          if (isInYear) addTo(sums[event.asset]!, event, cells)
        }
        done += lines.length
      }
      yield { rows: shown, done: Math.min(done, entries) }
    }
    checkHeld(lots, closing)
    yield {
      rows: [
        ...(hasOpened ? [] : opening()),
        ...ASSETS.flatMap((asset) => sumRows(days.to, asset, sums[asset]!)),
        ...ASSETS.map((asset) => holdingRow('closing', days.to, asset, lots[asset])),
        ...ASSETS.map((asset) => {
          const quantity = heldIn(closing, asset)
          return rowOf({ row: 'ledger', accounting_day: days.to, asset, held: formatMicros(quantity) })
        }),
      ],
      done: entries,
    }
  }
  return { columns: TAX_COLUMNS, entries, rows: rows() }
}

/**
 * Applies an event to the lots and returns cost, gain and the resulting holding. Only disposals make a gain.
 */
function book({ entry, type, quantity, value }: TaxEvent, lots: TaxLots): TaxCells {
  const isIn = type === 'reward' || type === 'acquired' || type === 'moved_in'
  const isEarly = !isIn && quantity > lots.holding().quantity
  const cost = isIn ? (value ?? 0n) : lots.dispose(quantity, value ?? 0n)
  // By the day of posting, in which the entries are sorted: the accounting day of a settlement is the previous day.
  if (isIn) lots.acquire(entry.at.toISOString().slice(0, 10), quantity, cost)
  const holding = lots.holding()
  return {
    cost_usdt: formatMicros(cost),
    ...(type === 'disposed' && value !== null && { gain_usdt: formatMicros(value - cost) }),
    held: formatMicros(holding.quantity),
    held_cost_usdt: formatMicros(holding.cost),
    ...(isEarly && { note: 'booked before it was acquired: cost counted as its value' }),
  }
}

function eventCells({ entry, type, asset, quantity, price, value }: TaxEvent): TaxCells {
  return {
    row: type,
    at: entry.at.toISOString(),
    accounting_day: entry.day,
    entry: `${entry.seq}`,
    kind: entry.kind,
    cause: `${entry.causeType}/${entry.causeId}`,
    asset,
    quantity: formatMicros(quantity),
    ...(price.micros !== null && { price_usdt: formatMicros(price.micros) }),
    price_source: price.source,
    ...(value === null
      ? { note: 'no price: value unknown, cost counted as 0' }
      : { value_usdt: formatMicros(value) }),
  }
}

function addTo(sums: Sums, { type, value, quantity: _ }: TaxEvent, { cost_usdt, gain_usdt }: TaxCells): void {
  if (type === 'reward') sums.rewards += value ?? 0n
  if (gain_usdt === undefined) return
  sums.value += value ?? 0n
  sums.cost += parsed(cost_usdt)
}

const parsed = (text = '0.000000'): Micros => BigInt(text.replace('.', ''))

function sumRows(day: Day, asset: Asset, { rewards, value, cost }: Sums): Row[] {
  const of = (row: string, cells: TaxCells) => rowOf({ row, accounting_day: day, asset, ...cells })
  return [
    of('sum_rewards', { value_usdt: formatMicros(rewards) }),
    of('sum_disposed', {
      value_usdt: formatMicros(value),
      cost_usdt: formatMicros(cost),
      gain_usdt: formatMicros(value - cost),
    }),
  ]
}

function holdingRow(row: 'opening' | 'closing', day: Day, asset: Asset, lots: TaxLots): Row {
  const { quantity, cost } = lots.holding()
  return rowOf({
    row,
    accounting_day: day,
    asset,
    held: formatMicros(quantity),
    held_cost_usdt: formatMicros(cost),
  })
}

const heldIn = (balances: Awaited<ReturnType<typeof ledgerBalances>>, wanted: Asset): Micros =>
  balances.reduce((sum, { asset, micros }) => (asset === wanted ? sum + micros : sum), 0n)

function checkHeld(lots: Record<Asset, TaxLots>, closing: Awaited<ReturnType<typeof ledgerBalances>>): void {
  for (const asset of ASSETS) {
    const difference = lots[asset].holding().quantity - heldIn(closing, asset)
    if (difference !== 0n) throw new BooksDiffer(`holding of ${asset} by ${difference}`)
  }
}

/** Groups postings by transaction; a transaction is never split between two batches. */
async function* byTransaction(
  batches: AsyncIterable<StatementEntryRow[]>,
): AsyncGenerator<StatementEntryRow[][]> {
  let open: StatementEntryRow[] = []
  for await (const batch of batches) {
    const whole: StatementEntryRow[][] = []
    for (const entry of batch) {
      if (open.length > 0 && open[0]!.seq !== entry.seq) {
        whole.push(open)
        open = []
      }
      open.push(entry)
    }
    yield whole
  }
  if (open.length > 0) yield [open]
}

/**
 * Creates the prices by accounting day: the settled price of AMC, otherwise the last one published for the
 * day.
 */
function createDayPrices(pricing: Deps['pricing'], dbTx: Db) {
  const prices = new Map<string, DayPrice>()
  const seen = new Set<Day>()
  const none: DayPrice = { micros: null, source: 'none' }
  const usdtPrice: DayPrice = { micros: MICRO, source: 'usdt' }
  return {
    of: (asset: Asset, day: Day): DayPrice =>
      asset === 'USDT' ? usdtPrice : (prices.get(`${asset} ${day}`) ?? none),

    /** Reads the prices of days that are not loaded yet. */
    async load(days: readonly Day[]): Promise<void> {
      const fresh = [...new Set(days)].filter((day) => !seen.has(day))
      if (fresh.length === 0) return
      for (const day of fresh) seen.add(day)
      for (const asset of ['AMC', 'RIF'] as const) {
        for (const [day, micros] of await pricing.dailyPrices(dbTx, asset, fresh))
          prices.set(`${asset} ${day}`, { micros, source: `published ${day}` })
      }
      for (const [day, micros] of await books.settledPrices(dbTx, fresh))
        prices.set(`AMC ${day}`, { micros, source: `settlement ${day}` })
    },
  }
}
