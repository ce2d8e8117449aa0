import type { AnalyticsHoldings } from '@rif/api-schema'
import {
  dayOf,
  floorDiv,
  formatMicros,
  MEMBER_ACCOUNTS,
  MICRO,
  PAYMENT_ASSETS,
  type PaymentAsset,
} from '@rif/rules'
import { readBankHoldings } from '../../chain/bank-holdings.ts'
import type { Chain } from '../../chain/client.ts'
import { appliedPosition } from '../../chain/indexer/position.ts'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import { unitsValue } from './analytics.fund.ts'
import * as repository from './analytics.repository.ts'

/** The maximum time that the page waits for the chain. */
const CHAIN_WAIT_MS = 700

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly chain: Chain
}

/** Creates the figures of the operator's holdings and liabilities. Rules, section 13. */
export function createHoldings({ now, ledger, chain }: Deps) {
  /** Returns the bank's holdings at the last block in the books, or null when the node does not respond in time. */
  async function onChain(
    db: Db,
  ): Promise<{ block: bigint; held: Readonly<Record<PaymentAsset, bigint>> } | null> {
    const position = await appliedPosition(db, chain.chainId)
    if (position === null) return null
    const holdings = readBankHoldings(chain, position.blockNumber).catch(() => null)
    const answer = await Promise.race([holdings, after(CHAIN_WAIT_MS)])
    if (answer === null) return null
    return { block: position.blockNumber, held: { USDT: answer.USDT.micros, AMC: answer.AMC.micros } }
  }

  return {
    async holdings(db: Db): Promise<AnalyticsHoldings> {
      const today = dayOf(now().getTime())
      const [accounts, products, bank] = await Promise.all([
        ledger.accountsAtEndOf(db, today, [...MEMBER_ACCOUNTS, 'external']),
        repository.products(db),
        onChain(db),
      ])
      const assets = PAYMENT_ASSETS.map((asset) => {
        const of = accounts.filter((row) => row.asset === asset)
        const members = of.reduce((sum, row) => sum + (row.account === 'external' ? 0n : row.micros), 0n)
        const books = -(of.find(({ account }) => account === 'external')?.micros ?? 0n)
        const sumOf = (value: (product: repository.ProductState) => bigint) =>
          asset === 'USDT' ? products.reduce((sum, product) => sum + value(product), 0n) : 0n
        const fundAssets = sumOf(({ investedMicros }) => investedMicros)
        const liabilities = members + sumOf(unitsValue)
        const held = bank?.held[asset] ?? null
        return {
          asset,
          chain: held === null ? null : formatMicros(held),
          books: formatMicros(books),
          fund_assets: formatMicros(fundAssets),
          liabilities: formatMicros(liabilities),
          ratio_ppm:
            held === null || liabilities === 0n
              ? null
              : Number(floorDiv((held + fundAssets) * MICRO, liabilities)),
        }
      })
      return { block: bank === null ? null : `${bank.block}`, assets }
    },
  }
}

/** Resolves with null after a time, without keeping the process alive. */
function after(ms: number): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), ms).unref()
  })
}
