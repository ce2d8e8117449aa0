import type { MayTake as Figures } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { formatAmount, useTranslation } from '../../../lib/index.ts'
import { Card, DataTable, Fact, Facts, Money, Notice, Section, Time } from '../../../ui/index.ts'

type Cover = NonNullable<Figures['cover']>

/** Shows the amount that may be taken of each asset now, and the figures of the contract and of the books that limit it. */
export function MayTake({ assets }: { assets: readonly Figures[] }) {
  const { t } = useTranslation()
  const [publication] = assets.map(({ cover }) => cover)
  return (
    <Section
      title={t('admin.treasury.now')}
      aside={<span className="text-12 text-muted">{t('admin.treasury.nowAbout')}</span>}
    >
      <Card className="flex flex-col gap-4">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          {assets.map(({ asset, amount, reasons }) => (
            <p key={asset} className="flex flex-col gap-1">
              <Money amount={amount} unit={asset} className="text-28 font-semibold" />
              <span className="text-14 text-muted">{t(`admin.treasury.reason.${reasons[0]!}`)}</span>
            </p>
          ))}
        </div>
        {publication && publication.published_at !== null && (
          <Facts>
            <Fact label={t('admin.treasury.published')}>
              <Time value={publication.published_at} />
            </Fact>
            {publication.covers_until !== null && (
              <Fact label={t('admin.treasury.coversUntil')}>
                <Time value={publication.covers_until} />
              </Fact>
            )}
          </Facts>
        )}
        <FigureTable
          caption={t('admin.treasury.whyNotMore')}
          assets={assets}
          rows={[
            ['held', ({ cover }) => cover?.held],
            ['liabilities', ({ cover }) => negative(cover?.liabilities)],
            ['fundCash', ({ cover }) => negative(cover?.fund_cash)],
            ['invested', ({ cover }) => cover?.invested],
          ]}
          sum={['contractAllows', ({ cover }) => cover?.payout]}
        />
        <FigureTable
          caption={t('admin.treasury.inBooks')}
          assets={assets}
          rows={[
            ['revenue', ({ revenue }) => revenue],
            ['fees', ({ fees }) => fees],
          ]}
          sum={['booksAllow', ({ revenue, fees }) => formatMicros(positive(revenue) + positive(fees))]}
        />
        <FigureTable
          caption={t('admin.treasury.underWay')}
          assets={assets}
          rows={[['setAside', ({ set_aside }) => set_aside]]}
        />
        <Notice>{t('admin.treasury.knows')}</Notice>
      </Card>
    </Section>
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
type Line = readonly [row: Row, of: (figures: Figures) => string | undefined]

interface FigureTableProps {
  caption: string
  assets: readonly Figures[]
  rows: readonly Line[]
  sum?: Line
}

function FigureTable({ caption, assets, rows, sum }: FigureTableProps) {
  const { t } = useTranslation()
  const cellsOf = ([row, of]: Line) => ({
    key: row,
    cells: [
      t(`admin.treasury.row.${row}`),
      ...assets.map((figures) => {
        const amount = of(figures)
        return amount === undefined ? t('admin.treasury.unknown') : formatAmount(amount)
      }),
    ],
  })
  return (
    <DataTable
      dense
      caption={caption}
      head={[caption, ...assets.map(({ asset }) => asset)]}
      rows={rows.map(cellsOf)}
      {...(sum && { foot: [cellsOf(sum)] })}
    />
  )
}

const negative = (amount: Cover['held'] | undefined) =>
  amount === undefined ? undefined : formatMicros(-parseMicros(amount))

const positive = (amount: string) => {
  const micros = parseMicros(amount)
  return micros > 0n ? micros : 0n
}
