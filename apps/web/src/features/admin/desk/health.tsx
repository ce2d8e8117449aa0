import type { AdminPending } from '@rif/api-schema'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  apiList,
  apiQuery,
  formatAmount,
  formatCount,
  formatDay,
  formatPpm,
  useTranslation,
  WATCH_MS,
} from '../../../lib/index.ts'
import { Pill } from '../../../ui/index.ts'
import { utcText } from '../components/utc-time.tsx'

/** All that is owed. */
const WHOLE_PPM = 1_000_000

interface Tile {
  readonly key: string
  readonly label: string
  readonly value: string
  readonly detail: string
  /** Null while it is not known. */
  readonly isWell: boolean | null
}

/** The health of the product: holdings of bank and fund over liabilities, the settlement, and the chain. */
export function Health({ pending }: { pending: AdminPending | undefined }) {
  const { t } = useTranslation()
  const tiles = [...useHoldings(), useFund(), useSettled(pending), useChain(pending)]
  return (
    <section aria-label={t('desk.health.title')} className="flex flex-col gap-2">
      <h2 className="px-1 text-17 font-semibold sm:hidden">{t('desk.health.title')}</h2>
      <dl className="grid divide-y divide-line overflow-hidden rounded-16 bg-card sm:grid-cols-2 lg:grid-cols-3 lg:divide-y-0 xl:grid-cols-5 xl:divide-x">
        {tiles.map(({ key, label, value, detail, isWell }) => (
          <div
            key={key}
            className="grid grid-cols-[minmax(0,1fr)_auto_auto] content-start items-center gap-x-3 px-4 py-3"
          >
            <dt className="text-14 max-sm:font-medium sm:text-muted">{label}</dt>
            <dd className="max-sm:col-start-3 max-sm:row-span-2 max-sm:row-start-1 sm:col-start-3">
              {isWell !== null && (
                <Pill tone={isWell ? 'good' : 'bad'}>
                  {t(isWell ? 'desk.health.ok' : 'desk.health.look')}
                </Pill>
              )}
            </dd>
            <dd className="text-16 font-medium tabular-nums max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1 sm:col-span-3 sm:text-20 sm:font-semibold">
              {value}
            </dd>
            <dd className="text-12 text-muted max-sm:col-start-1 max-sm:row-start-2 sm:col-span-3">
              {detail}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function useHoldings(): Tile[] {
  const { t } = useTranslation()
  const assets = useQuery({ ...apiQuery('analyticsHoldings'), refetchInterval: WATCH_MS }).data?.assets
  return (['USDT', 'AMC'] as const).map((asset) => {
    const holding = assets?.find((item) => item.asset === asset)
    const ratio = holding?.ratio_ppm ?? null
    const owed = holding && formatAmount(holding.liabilities)
    return {
      key: asset,
      label: t('desk.health.held', { asset }),
      value: ratio === null ? '–' : formatPpm(ratio),
      detail: owed === undefined ? '' : t('desk.health.owed', { amount: owed }),
      isWell: ratio === null ? null : ratio >= WHOLE_PPM,
    }
  })
}

function useFund(): Tile {
  const { t } = useTranslation()
  const funds = useQuery({ ...apiQuery('solvency'), staleTime: WATCH_MS }).data?.funds
  const ratios = (funds ?? []).flatMap(({ ratio_ppm: ratio }) => (ratio === null ? [] : [ratio]))
  const least = ratios.length === 0 ? null : Math.min(...ratios)
  return {
    key: 'fund',
    label: t('desk.health.fund'),
    value: least === null ? '–' : formatPpm(least),
    detail: funds === undefined ? '' : t('desk.health.products', { count: funds.length }),
    isWell: least === null ? null : least >= WHOLE_PPM,
  }
}

function useSettled(pending: AdminPending | undefined): Tile {
  const { t } = useTranslation()
  const days = useInfiniteQuery(apiList('settlementDays', { query: { limit: 3 } })).data
  const last = days?.pages.flatMap(({ items }) => items).find(({ state }) => state === 'settled')
  const isLate = pending?.items.some(({ kind }) => kind === 'settlement_late')
  const seconds =
    last === undefined || last.settled_at === null || last.fixed_at === null
      ? null
      : Math.max(0, Math.round((Date.parse(last.settled_at) - Date.parse(last.fixed_at)) / 1000))
  return {
    key: 'settlement',
    label: t('desk.health.settlement'),
    value: pending?.settled_to ? formatDay(pending.settled_to) : '–',
    detail:
      seconds === null
        ? ''
        : t('desk.health.took', { time: utcText(last!.settled_at!) ?? '', seconds: formatCount(seconds) }),
    isWell: isLate === undefined || !pending?.settled_to ? null : !isLate,
  }
}

function useChain(pending: AdminPending | undefined): Tile {
  const { t } = useTranslation()
  const block = useQuery({ ...apiQuery('analyticsHoldings'), refetchInterval: WATCH_MS }).data?.block
  const lag = pending?.indexer_lag_blocks ?? null
  const isStuck = pending?.items.some(({ kind }) => kind === 'indexer')
  return {
    key: 'chain',
    label: t('desk.health.chain'),
    value: lag === null ? '–' : t('desk.health.blocks', { count: lag }),
    detail: block ? t('desk.health.block', { block: formatCount(Number(block)) }) : '',
    isWell: lag === null ? null : isStuck !== true,
  }
}
