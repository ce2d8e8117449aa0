import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, formatDay, formatPrice, useTranslation } from '../lib/index.ts'
import { Card, Section } from './card.tsx'
import { LineChart } from './charts.tsx'
import { ChartTable } from './data-table.tsx'
import { Loaded } from './loaded.tsx'
import { priceSourceText } from './price-source.tsx'
import { Skeleton } from './states.tsx'

const DAYS = 91

/** The published price of AMC or RIF on each of the last 90 days, as steps: a price is valid until the next one. */
export function PriceChart({ asset }: { asset: 'AMC' | 'RIF' }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const query = useQuery(apiQuery('priceDays', { query: { asset, days: DAYS } }))
  const title = t('price.title', { asset })
  return (
    <Section title={title}>
      <Card className="flex flex-col gap-2">
        <Loaded query={query} skeleton={<Skeleton className="h-52" />}>
          {({ items }) => {
            const shown = items.find(({ day }) => day === chosen) ?? items.at(-1)
            return (
              <>
                {shown !== undefined && (
                  <p aria-live="polite" className="flex flex-wrap items-baseline justify-between gap-x-3">
                    <span className="text-20 font-semibold">{formatPrice(shown.price)} USDT</span>
                    <span className="text-12 text-muted">{formatDay(shown.day)}</span>
                    <span className="basis-full text-12 text-muted">
                      {t('price.source')}: {priceSourceText(t, shown.source)}
                    </span>
                  </p>
                )}
                <LineChart
                  steps
                  label={title}
                  unit="USDT"
                  points={items.map(({ day, price }) => ({
                    key: day,
                    // A number only for the height of a point: money itself is never converted to a number.
                    value: Number(price),
                    text: () => `${formatDay(day)}: ${formatPrice(price)} USDT`,
                  }))}
                  selected={chosen}
                  onSelect={setChosen}
                  from={items[0] === undefined ? '' : formatDay(items[0].day)}
                  to={items.length === 0 ? '' : formatDay(items.at(-1)!.day)}
                  empty={items.length === 0 ? t('price.none', { asset }) : undefined}
                />
                {items.length > 0 && (
                  <ChartTable
                    caption={title}
                    head={[t('price.day'), 'USDT', t('price.source')]}
                    rows={() =>
                      items
                        .toReversed()
                        .map(({ day, price, source }) => [
                          formatDay(day),
                          formatPrice(price),
                          priceSourceText(t, source),
                        ])
                    }
                  />
                )}
                <p className="text-12 text-muted">{t('price.hint')}</p>
              </>
            )
          }}
        </Loaded>
      </Card>
    </Section>
  )
}
