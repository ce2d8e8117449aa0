import { setTimeout } from 'node:timers/promises'
import {
  type Solvency,
  type SolvencyBooks,
  type SolvencyDay,
  type SolvencyMine,
  VERIFIER_CHECKSUM_PATH,
  VERIFIER_PATH,
} from '@rif/api-schema'
import { type Day, dayOf, formatMicros, type Micros, PAYMENT_ASSETS, type PaymentAsset } from '@rif/rules'
import { liabilitiesOf, reportTexts } from '@rif/solvency'
import { getAddress, type Hex } from 'viem'
import { type Holding, readBankHoldings } from '../../../chain/bank-holdings.ts'
import type { Chain } from '../../../chain/client.ts'
import { appliedPosition, bookedBlock } from '../../../chain/indexer/position.ts'
import { type Db, inSnapshot } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { sharedFor } from '../../../lib/shared-for.ts'
import type { LedgerService, Owed, OwedSum } from '../../books/ledger/ledger.service.ts'
import type { Fund } from '../../fund/fund.service.ts'
import { reportOf } from './solvency.proofs.service.ts'
import type { PublishedRow } from './solvency.repository.ts'
import * as repository from './solvency.repository.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly chain: Chain
  readonly ledger: Pick<LedgerService, 'flows' | 'chain'>
  readonly fund: Pick<Fund, 'products' | 'assets' | 'overview'>
  /** The SHA-256 of the verifier; null if none is offered. */
  readonly verifierSha256?: string | null
}

/**
 * The amounts owed and held in an asset, in micro-units. `heldMicros` is null while the chain does not
 * answer.
 */
export type Position = Owed & {
  readonly heldMicros: Micros | null
  /** The deposits less the amounts paid out, according to the books. */
  readonly booksMicros: Micros
}

/** Requests within this time share one read of the books and of the chain. */
const SHARED_MS = 10_000
const DAYS_SHOWN = 90
/** Longer than the time limits of all requests to a node. */
const JOB_WAIT_MS = 120_000
/** A page shows no holdings rather than wait longer for a node. */
const PAGE_WAIT_MS = 3_000
const UNREF = { ref: false }
/** The age at which an unpublished report is late. */
export const LATE_AFTER_MS = 12 * 3_600_000
const PPM = 1_000_000n

export type SolvencyService = ReturnType<typeof createSolvencyService>

/** Creates the service of liabilities, holdings and reports. Rules, section 13. */
export function createSolvencyService(deps: Deps) {
  const { db, now, chain, ledger, fund, verifierSha256 = null } = deps

  /**
   * Returns the liabilities in the books and the holdings on the chain at the last block that the books
   * contain, so that both are from one moment, and that block, null before the first. While only part of a
   * block is booked, an earlier block is used. The holdings are null if the chain takes longer than `waitMs`.
   */
  async function positionAtBlock(
    waitMs: number,
  ): Promise<{ block: bigint | null; position: Record<PaymentAsset, Position> }> {
    const { owed, outside, block } = await inSnapshot(db, async (snapshot) => ({
      owed: await ledger.chain.owed(snapshot),
      outside: await ledger.flows.accountsNow(snapshot, ['external']),
      block:
        (await bookedBlock(snapshot, chain.chainId)) ??
        (await appliedPosition(snapshot, chain.chainId))?.blockNumber ??
        null,
    }))
    const holdings: Record<PaymentAsset, Holding> | null =
      block === null
        ? null
        : await Promise.race([
            readBankHoldings(chain, block).catch(() => null),
            setTimeout(waitMs, null, UNREF),
          ])
    const of = (asset: PaymentAsset) => ({
      ...owed[asset],
      heldMicros: holdings?.[asset].micros ?? null,
      booksMicros: -(outside.find((sum) => sum.asset === asset)?.micros ?? 0n),
    })
    return { block, position: { USDT: of('USDT'), AMC: of('AMC') } }
  }

  /** Returns liabilities and holdings, with the longer time limit of jobs. */
  const position = async (): Promise<Record<PaymentAsset, Position>> =>
    (await positionAtBlock(JOB_WAIT_MS)).position

  async function fundViews(): Promise<Solvency['funds']> {
    const products = await fund.products.all(db)
    return Promise.all(
      [...products.values()].map(async (product) => {
        const assets = await fund.assets.read(db, product)
        const owedMicros = assets.units * assets.navMicros
        return {
          product_id: `${product.product_id}`,
          name: product.name,
          units: `${assets.units}`,
          cash: formatMicros(assets.cashMicros),
          invested: formatMicros(assets.investedMicros),
          nav: formatMicros(assets.navMicros),
          owed: formatMicros(owedMicros),
          ratio_ppm: ratioPpm(assets.cashMicros + assets.investedMicros, owedMicros),
        }
      }),
    )
  }

  async function overview(): Promise<Solvency> {
    const [{ position: positions, block }, funds, rows] = await Promise.all([
      positionAtBlock(PAGE_WAIT_MS),
      fundViews(),
      repository.listDays(db, DAYS_SHOWN),
    ])
    const days = rows.map((row) => dayView(row, rows, now().getTime()))
    return {
      chain_id: chain.chainId,
      bank: chain.contracts.bank,
      funds,
      days,
      read_at: now().toISOString(),
      block: numberOf(block),
      assets: PAYMENT_ASSETS.map((asset) => assetView(chain, asset, positions[asset])),
      latest: days.find(({ state }) => state === 'published' || state === 'final') ?? null,
      verifier: { path: VERIFIER_PATH, checksum_path: VERIFIER_CHECKSUM_PATH, sha256: verifierSha256 },
    }
  }

  async function books(): Promise<SolvencyBooks> {
    const { block, position: positions } = await positionAtBlock(JOB_WAIT_MS)
    return {
      block: numberOf(block),
      items: PAYMENT_ASSETS.map((asset) => booksView(asset, positions[asset])),
    }
  }

  /** Returns a member's amounts from the postings and the fund's orders, not from a stored report. */
  async function amountsAtEndOf(snapshot: Db, memberId: bigint, day: Day) {
    const balances = await ledger.chain.heldAtEndOf(snapshot, memberId, day)
    const fundMicros = await fund.overview.worthAtEndOf(snapshot, memberId, day)
    return { usdt: `${balances.USDT}`, amc: `${balances.AMC}`, fund: `${fundMicros}` }
  }

  return {
    position,
    positionAtBlock,
    /**
     * Returns a member's amounts from the books at the end of a day and now, to compare with the leaf of the
     * day.
     */
    mine: (memberId: bigint, day: Day): Promise<SolvencyMine> =>
      inSnapshot(db, async (snapshot) => ({
        day,
        at_day: await amountsAtEndOf(snapshot, memberId, day),
        now: await amountsAtEndOf(snapshot, memberId, dayOf(now().getTime())),
      })),
    /** Returns liabilities and holdings by account, for operators, at most ten seconds old. */
    books: sharedFor(SHARED_MS, books),
    /** Returns the public figures, at most ten seconds old. */
    overview: sharedFor(SHARED_MS, overview),
    /**
     * Returns the time of the last on-chain publication of a report of these books; null before the first.
     */
    lastPublishedSnapshotAt: (on: Db = db): Promise<Date | null> => repository.lastPublishedAt(on),
  }
}

/** Returns all liabilities in an asset: to members, of pools, and as cash of fund products. */
export const owedMicros = ({ membersMicros, otherMicros, fundCashMicros }: Owed): Micros =>
  membersMicros + otherMicros + fundCashMicros

/** Returns holdings over liabilities in millionths, floored; null without liabilities. */
export function ratioPpm(heldMicros: Micros | null, owed: Micros): number | null {
  return heldMicros === null || owed <= 0n || heldMicros < 0n ? null : Number((heldMicros * PPM) / owed)
}

function assetView(
  { contracts }: Chain,
  asset: PaymentAsset,
  position: Position,
): Solvency['assets'][number] {
  const { heldMicros, membersMicros, otherMicros, fundCashMicros } = position
  return {
    asset,
    token: asset === 'USDT' ? contracts.usdt : contracts.amc,
    owed: formatMicros(owedMicros(position)),
    owed_to_members: formatMicros(membersMicros),
    owed_other: formatMicros(otherMicros),
    fund_cash: formatMicros(fundCashMicros),
    accounts: accountsView(position.owedAccounts),
    held: orNull(heldMicros),
    ratio_ppm: ratioPpm(heldMicros, owedMicros(position)),
  }
}

function booksView(asset: PaymentAsset, position: Position): SolvencyBooks['items'][number] {
  const { heldMicros, booksMicros } = position
  return {
    asset,
    owed: formatMicros(owedMicros(position)),
    books: formatMicros(booksMicros),
    accounts: accountsView(position.owedAccounts),
    own: accountsView(position.operatorAccounts),
    held: orNull(heldMicros),
    difference: orNull(heldMicros === null ? null : heldMicros - booksMicros),
    ratio_ppm: ratioPpm(heldMicros, owedMicros(position)),
  }
}

const accountsView = <A>(sums: readonly OwedSum<A>[]) =>
  sums.map(({ account, micros }) => ({ account, amount: formatMicros(micros) }))
const orNull = (micros: Micros | null) => (micros === null ? null : formatMicros(micros))
const numberOf = (block: bigint | null) => (block === null ? null : Number(block))

function dayView(row: PublishedRow, rows: readonly PublishedRow[], nowMs: number): SolvencyDay {
  const report = reportOf(row)
  const { published } = row
  const isEqual = published?.root.equals(row.root) ?? false
  const owed = liabilitiesOf(report)
  const parts = [
    ['USDT', row.held_usdt, owed.usdt + report.fundCash],
    ['AMC', row.held_amc, owed.amc],
  ] as const
  return {
    day: row.day,
    bank: getAddress(row.bank as Hex),
    root: hexOf(row.root),
    report: reportTexts(report),
    ratios: parts.map(([asset, heldMicros, owed]) => ({
      asset,
      held: formatMicros(heldMicros),
      owed: formatMicros(owed),
      ratio_ppm: ratioPpm(heldMicros, owed),
    })),
    has_leaves: row.has_leaves,
    built_at: row.built_at.toISOString(),
    state: stateOf(row, rows, nowMs),
    tx_hash: published?.tx_hash ?? null,
    published_at: published?.published_at.toISOString() ?? null,
    other_root: published === null || isEqual ? null : hexOf(published.root),
  }
}

/** Returns the publication state of a report. */
export function stateOf(
  row: PublishedRow,
  rows: readonly PublishedRow[],
  nowMs: number,
): SolvencyDay['state'] {
  const { published, day, built_at } = row
  if (published !== null) {
    if (!published.root.equals(row.root)) return 'differs'
    return published.is_final ? 'final' : 'published'
  }
  // In any bank: one that handed over before this report was published accepts no more.
  if (rows.some((other) => other.published !== null && other.day > day)) return 'superseded'
  return nowMs - built_at.getTime() > LATE_AFTER_MS ? 'late' : 'waiting'
}

const hexOf = (bytes: Buffer) => `0x${bytes.toString('hex')}`
