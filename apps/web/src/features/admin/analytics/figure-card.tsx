import { MEMBER_ACCOUNTS } from '@rif/rules'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type CsvName, cx, formatDay, useTranslation } from '../../../lib/index.ts'
import {
  BarChart,
  Card,
  type ChartBar,
  type ChartTone,
  CsvButton,
  DataTable,
  type DataTableProps,
  ErrorState,
  Legend,
  LineChart,
  Skeleton,
} from '../../../ui/index.ts'

interface FigureCardProps<T> {
  title: string
  query: UseQueryResult<T>
  /** The route whose table is saved, and its days. */
  csv?: { name: CsvName; query: object }
  /** Spans two columns of three, or all of them. */
  wide?: boolean | 'all'
  children: (data: T) => ReactNode
}

/** A part of the page with its own data: it loads, fails and retries by itself. */
export function FigureCard<T>({ title, query, csv, wide = false, children }: FigureCardProps<T>) {
  return (
    <section
      aria-label={title}
      className={cx('min-w-0', wide !== false && 'md:col-span-2', wide === 'all' && 'xl:col-span-3')}
    >
      <Card className="flex h-full flex-col gap-3">
        <div className="flex min-h-11 items-center justify-between gap-3">
          <h2 className="text-16 font-semibold">{title}</h2>
          {csv !== undefined && <CsvButton name={csv.name} query={csv.query} />}
        </div>
        {query.data !== undefined ? (
          children(query.data)
        ) : query.isError ? (
          <ErrorState onRetry={() => void query.refetch()} />
        ) : (
          <div className="flex flex-col gap-3">
            <Skeleton className="h-8 w-32" />
            <Skeleton className="h-32 w-full" />
          </div>
        )}
      </Card>
    </section>
  )
}

/** Figures side by side, each under its label. */
export function Stats({
  items,
}: {
  items: readonly { label: string; value: ReactNode; hint?: ReactNode }[]
}) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-x-4 gap-y-3">
      {items.map((item) => (
        <div key={item.label} className="min-w-0">
          <dt className="text-12 text-muted">{item.label}</dt>
          <dd className="text-20 font-semibold tabular-nums">{item.value}</dd>
          {item.hint !== undefined && <dd className="text-12 text-muted">{item.hint}</dd>}
        </div>
      ))}
    </dl>
  )
}

/**
 * A visible table: if too wide it scrolls, or it is stacked row by row if each row is read by itself
 * (`stacks`).
 */
export function FigureTable(
  props: Pick<DataTableProps, 'caption' | 'head' | 'words' | 'rows' | 'foot' | 'stacks'>,
) {
  const { t } = useTranslation()
  const label = t('adminAnalytics.table', { name: props.caption })
  return <DataTable {...props} label={label} className="-mx-4 px-4" />
}

interface Day {
  readonly day: string
  /** The figures of the day as text. */
  readonly text: string
}

/**
 * Bars by day, with the chosen day below. Fewer than two days are described in words, because the figures are
 * beside it.
 */
export function DayBars({
  label,
  days,
  legend,
  unit,
}: {
  label: string
  days: readonly (Day & Pick<ChartBar, 'parts' | 'level'>)[]
  legend?: readonly { tone: ChartTone; label: string }[]
  /** The unit of the values, where no word beside the chart names it. */
  unit?: string
}) {
  const [chosen, setChosen] = useState<string | null>(null)
  if (days.length < 2) return <TooFewDays days={days} />
  return (
    <div className="flex flex-col gap-2">
      <BarChart
        label={label}
        unit={unit}
        bars={days.map(({ day, text, parts, level }) => ({ key: day, text, parts, level }))}
        selected={chosen}
        onSelect={setChosen}
        from={formatDay(days[0]!.day)}
        to={formatDay(days.at(-1)!.day)}
      />
      {legend !== undefined && <Legend items={legend} />}
      <Chosen days={days} chosen={chosen} />
    </div>
  )
}

/** A line by day, described like the bars. */
export function DayLine({
  label,
  days,
  unit,
  whole = false,
}: {
  label: string
  /** The values are numbers of things, which have no parts. */
  whole?: boolean
  /** The unit of the values, where no word beside the chart names it. */
  unit?: string
  days: readonly (Day & { readonly value: number })[]
}) {
  const [chosen, setChosen] = useState<string | null>(null)
  if (days.length < 2) return <TooFewDays days={days} />
  return (
    <div className="flex flex-col gap-2">
      <LineChart
        label={label}
        unit={unit}
        whole={whole}
        points={days.map(({ day, text, value }) => ({ key: day, text, value }))}
        selected={chosen}
        onSelect={setChosen}
        from={formatDay(days[0]!.day)}
        to={formatDay(days.at(-1)!.day)}
      />
      <Chosen days={days} chosen={chosen} />
    </div>
  )
}

/** Explains why a chart draws nothing, and shows the figures of the only day. */
function TooFewDays({ days }: { days: readonly Day[] }) {
  const { t } = useTranslation()
  return (
    <p className="rounded-12 bg-sunken px-4 py-3 text-14 text-muted">
      {t('adminAnalytics.fewDays', { count: days.length })}
      {days[0] !== undefined && <span className="block text-ink">{days[0].text}</span>}
    </p>
  )
}

function Chosen({ days, chosen }: { days: readonly Day[]; chosen: string | null }) {
  const day = days.find((candidate) => candidate.day === chosen)
  return <p className="min-h-5 text-12 text-muted">{day?.text}</p>
}

const OWN = [
  ...(['commission_pool', 'yield_pool', 'savings_pool', 'dividend_pool'] as const),
  ...(['suspense', 'revenue', 'fees', 'external', 'clearing'] as const),
]

/** The order of accounts in a table, by the prefix of their names. */
export const ACCOUNT_ORDER = [...OWN.slice(0, 5), 'fund_custody', ...OWN.slice(5)]

/**
 * Returns an account of the books in words; a fund product's custody with the product's name, if it is known.
 */
export function AccountName({ account, product }: { account: string; product: string | null }) {
  const { t } = useTranslation()
  const own = OWN.find((name) => name === account)
  if (own !== undefined) return t(`adminAnalytics.account.${own}`)
  const member = MEMBER_ACCOUNTS.find((name) => name === account)
  if (member !== undefined) return t(`account.${member}`)
  const [, id] = /^fund_custody:([0-9]+)$/.exec(account) ?? []
  if (id === undefined) return account
  return `${product ?? `#${id}`} · ${t('adminAnalytics.account.custody')}`
}
