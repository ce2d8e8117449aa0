import type {
  AnalyticsLiabilities,
  AnalyticsPools,
  AnalyticsRewards,
  AnalyticsWithdrawals,
} from '@rif/api-schema'
import {
  ASSETS,
  type Asset,
  formatMicros,
  MEMBER_ACCOUNTS,
  type MemberAccount,
  PAYMENT_ASSETS,
  previousDay,
} from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { AccountSum, Flow, LedgerService, Turnover } from '../../books/ledger/ledger.service.ts'
import * as repository from './analytics.repository.ts'
import { unitsValue } from './fund.ts'
import { coverageOf, daysOf, groupBy, type Range, sumColumns } from './range.ts'

/** The kinds by which a claimed withdrawal left the books. */
const PAID_KINDS = ['withdrawal_paid', 'claim_set_aside'] as const
const WITHDRAWAL_KINDS = ['withdrawal_request', 'withdrawal_return', ...PAID_KINDS] as const
const IS_MEMBER_ACCOUNT: ReadonlySet<string> = new Set(MEMBER_ACCOUNTS)
/** Accounts that are always empty. */
const PASSED_THROUGH: ReadonlySet<string> = new Set(['clearing', 'external'])

/** Creates the figures of the books: rewards with their coverage, pools, liabilities and withdrawals. */
export function createMoneyFigures({ ledger }: { readonly ledger: LedgerService }) {
  return {
    async rewards(db: Db, range: Range): Promise<AnalyticsRewards> {
      const rows = await repository.paidDays(db, range)
      const byClass = groupBy(rows, (row) => `${row.class} ${row.unit}`)
      return {
        ...range,
        totals: [...byClass.values()].map((of) => paidOf(of)),
        days: rows.map((row) => ({ day: row.day, ...paidOf([row]) })),
      }
    },

    async pools(db: Db, range: Range): Promise<AnalyticsPools> {
      const [before, moved, reserved, products] = await Promise.all([
        ledger.flows.accountsAtEndOf(db, previousDay(range.from)),
        ledger.flows.turnover(db, range),
        repository.reserved(db),
        repository.products(db),
      ])
      const keyOf = ({ account, asset }: Pick<Turnover, 'account' | 'asset'>) => `${account} ${asset}`
      const isKept = ({ account }: Pick<AccountSum, 'account'>) =>
        !IS_MEMBER_ACCOUNT.has(account) && !PASSED_THROUGH.has(account)
      const opening = new Map(before.filter(isKept).map((row) => [keyOf(row), row]))
      const byAccount = groupBy(moved.filter(isKept), keyOf)
      const setAside = new Map(reserved.map((row) => [`${row.account} ${row.asset}`, row.micros]))
      const keys = [...new Set([...opening.keys(), ...byAccount.keys()])].sort()
      const days: AnalyticsPools['days'] = []
      const accounts = keys.map((key) => {
        const { account, asset } = (opening.get(key) ?? byAccount.get(key)?.[0])!
        const openingMicros = opening.get(key)?.micros ?? 0n
        let balance = openingMicros
        for (const { day, inMicros, outMicros } of byAccount.get(key) ?? []) {
          days.push({ day, account, asset, ...turnoverOf(balance, inMicros, outMicros) })
          balance += inMicros - outMicros
        }
        const sums = sumColumns(byAccount.get(key) ?? [], ['inMicros', 'outMicros'])
        return {
          account,
          asset,
          ...turnoverOf(openingMicros, sums.inMicros, sums.outMicros),
          reserved: formatMicros(setAside.get(key) ?? 0n),
          product: productOf(account, products),
        }
      })
      days.sort((row, other) => (row.day < other.day ? -1 : row.day > other.day ? 1 : 0))
      return { ...range, accounts, days }
    },

    async liabilities(db: Db, range: Range): Promise<AnalyticsLiabilities> {
      const [atEnd, moved, products] = await Promise.all([
        ledger.flows.accountsAtEndOf(db, range.to, MEMBER_ACCOUNTS),
        ledger.flows.turnover(db, range),
        repository.products(db),
      ])
      const units = products.reduce((sum, product) => sum + unitsValue(product), 0n)
      const byAsset = groupBy(atEnd, ({ asset }) => asset)
      const assets = ASSETS.map((asset) => {
        const of = byAsset.get(asset) ?? []
        const microsOf = (account: MemberAccount) => of.find((row) => row.account === account)?.micros ?? 0n
        const members = of.reduce((sum, row) => sum + row.micros, 0n)
        const fundUnits = asset === 'USDT' ? units : 0n
        return {
          asset,
          available: formatMicros(microsOf('available')),
          locked: formatMicros(microsOf('locked')),
          withdrawing: formatMicros(microsOf('withdrawing')),
          savings: formatMicros(microsOf('savings')),
          savings_leaving: formatMicros(microsOf('savings_leaving')),
          fund_income: formatMicros(microsOf('fund_income')),
          members: formatMicros(members),
          fund_units: formatMicros(fundUnits),
          liabilities: formatMicros(members + fundUnits),
        }
      })
      const owed = moved.filter(({ account }) => IS_MEMBER_ACCOUNT.has(account))
      return { ...range, assets, days: liabilityDays(range, byAsset, owed) }
    },

    async withdrawals(db: Db, range: Range): Promise<AnalyticsWithdrawals> {
      const [flows, atEnd] = await Promise.all([
        ledger.flows.list(db, range, WITHDRAWAL_KINDS),
        ledger.flows.accountsAtEndOf(db, range.to, ['withdrawing']),
      ])
      const byDay = groupBy(flows, ({ day, asset }) => `${day} ${asset}`)
      return {
        ...range,
        assets: PAYMENT_ASSETS.map((asset) => ({
          asset,
          ...withdrawnOf(flows.filter((flow) => flow.asset === asset)),
          under_way: formatMicros(atEnd.find((row) => row.asset === asset)?.micros ?? 0n),
        })),
        days: daysOf(range).flatMap((day) =>
          PAYMENT_ASSETS.map((asset) => ({
            day,
            asset,
            ...withdrawnOf(byDay.get(`${day} ${asset}`) ?? []),
          })),
        ),
      }
    },
  }
}

function paidOf(rows: readonly repository.PaidDay[]): AnalyticsRewards['totals'][number] {
  const [first] = rows
  const { dueMicros, paidMicros } = sumColumns(rows, ['dueMicros', 'paidMicros'])
  return {
    class: first!.class,
    unit: first!.unit,
    due: formatMicros(dueMicros),
    paid: formatMicros(paidMicros),
    coverage_ppm: coverageOf(dueMicros, paidMicros),
  }
}

function turnoverOf(opening: bigint, came: bigint, went: bigint) {
  return {
    opening: formatMicros(opening),
    in: formatMicros(came),
    out: formatMicros(went),
    closing: formatMicros(opening + came - went),
  }
}

function productOf(account: string, products: readonly repository.ProductState[]): string | null {
  const id = /^fund_custody:([0-9]+)$/.exec(account)?.[1]
  return products.find(({ productId }) => `${productId}` === id)?.name ?? null
}

/** Returns the balances of all members at the end of each day, counted back from the last one. */
function liabilityDays(
  range: Range,
  atEnd: ReadonlyMap<Asset, readonly AccountSum[]>,
  moved: readonly Turnover[],
): AnalyticsLiabilities['days'] {
  const changes = groupBy(moved, ({ day, asset }) => `${day} ${asset}`)
  return ASSETS.flatMap((asset) => {
    let balance = (atEnd.get(asset) ?? []).reduce((sum, row) => sum + row.micros, 0n)
    return daysOf(range)
      .reverse()
      .map((day) => {
        const row = { day, asset, members: formatMicros(balance) }
        const { inMicros, outMicros } = sumColumns(changes.get(`${day} ${asset}`) ?? [], [
          'inMicros',
          'outMicros',
        ])
        balance -= inMicros - outMicros
        return row
      })
      .reverse()
  })
}

function withdrawnOf(
  flows: readonly Flow[],
): Omit<AnalyticsWithdrawals['assets'][number], 'asset' | 'under_way'> {
  const of = (is: (flow: Flow) => boolean) => sumColumns(flows.filter(is), ['micros', 'postings'])
  const requested = of(({ kind }) => kind === 'withdrawal_request')
  const returned = of(({ kind }) => kind === 'withdrawal_return')
  const isPaid = ({ kind }: Flow) => (PAID_KINDS as readonly string[]).includes(kind)
  const paid = of((flow) => isPaid(flow) && flow.destination === 'external')
  const fees = of((flow) => isPaid(flow) && flow.destination === 'fees')
  return {
    requested_count: Number(requested.postings),
    requested: formatMicros(requested.micros),
    paid_count: Number(paid.postings),
    paid: formatMicros(paid.micros),
    fees: formatMicros(fees.micros),
    returned_count: Number(returned.postings),
    returned: formatMicros(returned.micros),
  }
}
