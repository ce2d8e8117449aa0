import type { MayTake as Figures } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { formatAmount, useTranslation } from '../../../lib/index.ts'
import { DataTable, Fact, Facts, Money, Notice, TokenMark } from '../../../ui/index.ts'
import { Panel } from '../components/panel.tsx'
import { UtcTime } from '../components/utc-time.tsx'

type Cover = NonNullable<Figures['cover']>

/**
 * Shows the amount of each asset that can be taken now, and the limiting figures of the contract and of the
 * books.
 */
export function MayTake({ assets }: { assets: readonly Figures[] }) {
  const { t } = useTranslation()
  const [publication] = assets.map(({ cover }) => cover)
  return (
    <Panel title={t('admin.treasury.now')} aside={t('admin.treasury.nowAbout')}>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {assets.map(({ asset, amount, reasons }) => (
          <div key={asset} className="flex items-center gap-3">
            <TokenMark token={asset} />
            <p className="flex flex-col items-start">
              <Money amount={amount} unit={asset} className="font-display text-28 font-semibold" />
              <span className="text-14 text-muted">{t(`admin.treasury.reason.${reasons[0]!}`)}</span>
            </p>
          </div>
        ))}
      </div>
      {publication && publication.published_at !== null && (
        <Facts>
          <Fact label={t('admin.treasury.published')}>
            <UtcTime value={publication.published_at} />
          </Fact>
          {publication.covers_until !== null && (
            <Fact label={t('admin.treasury.coversUntil')}>
              <UtcTime value={publication.covers_until} />
            </Fact>
          )}
        </Facts>
      )}
      <WhyNotMore assets={assets} />
      <Notice>{t('admin.treasury.knows')}</Notice>
    </Panel>
  )
}

type Row =
  | 'held'
  | 'liabilities'
  | 'fundCash'
  | 'invested'
  | 'contractAllows'
  | 'revenue'
  | 'fees'
  | 'booksAllow'
  | 'setAside'
  | 'mayTake'
type Line = readonly [row: Row, of: (figures: Figures) => string | undefined]

/** The figures that limit a payout, in one table: the contract's, those of the books, and pending amounts. */
function WhyNotMore({ assets }: { assets: readonly Figures[] }) {
  const { t } = useTranslation()
  const cellsOf = ([row, of]: Line, className = '') => ({
    key: row,
    cells: [
      <span key="name" className={className}>
        {t(`admin.treasury.row.${row}`)}
      </span>,
      ...assets.map((figures) => {
        const amount = of(figures)
        return (
          <span key={figures.asset} className={className}>
            {amount === undefined ? t('admin.treasury.unknown') : formatAmount(amount)}
          </span>
        )
      }),
    ],
  })
  const head = (key: 'inBooks' | 'underWay') => ({
    key,
    cells: [
      <span key="name" className="block pt-3 text-muted">
        {t(`admin.treasury.${key}`)}
      </span>,
    ],
  })
  const title = t('admin.treasury.whyNotMore')
  return (
    <DataTable
      stacks
      caption={title}
      head={[title, ...assets.map(({ asset }) => asset)]}
      rows={[
        ...CONTRACT.map((line) => cellsOf(line)),
        cellsOf(['contractAllows', ({ cover }) => cover?.payout], 'font-semibold'),
        head('inBooks'),
        ...BOOKS.map((line) => cellsOf(line)),
        cellsOf(
          ['booksAllow', ({ revenue, fees }) => formatMicros(positive(revenue) + positive(fees))],
          'font-semibold',
        ),
        head('underWay'),
        cellsOf(['setAside', ({ set_aside }) => negative(set_aside)]),
      ]}
      foot={[cellsOf(['mayTake', ({ amount }) => amount])]}
    />
  )
}

const CONTRACT: readonly Line[] = [
  ['held', ({ cover }) => cover?.held],
  ['liabilities', ({ cover }) => negative(cover?.liabilities)],
  ['fundCash', ({ cover }) => negative(cover?.fund_cash)],
  ['invested', ({ cover }) => cover?.invested],
]
const BOOKS: readonly Line[] = [
  ['revenue', ({ revenue }) => revenue],
  ['fees', ({ fees }) => fees],
]

const negative = (amount: Cover['held'] | undefined) =>
  amount === undefined ? undefined : formatMicros(-parseMicros(amount))

const positive = (amount: string) => {
  const micros = parseMicros(amount)
  return micros > 0n ? micros : 0n
}
