import { nextDay, startOfDay } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toAmount } from '../../../lib/amount-input.ts'
import { useDraft } from '../../../lib/draft.ts'
import { formatAmount } from '../../../lib/format.ts'
import { useTranslation } from '../../../lib/i18n.ts'
import { apiQuery } from '../../../lib/queries.ts'
import { AmountField } from '../../../ui/amount-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { Notice } from '../../../ui/states.tsx'
import type { Wanted } from '../proposals/prepare-sheet.tsx'

const PRICED = ['AMC', 'RIF'] as const

export interface PriceSheetProps {
  asset: (typeof PRICED)[number]
  /** The day that waits for a price: it holds from that day's end, else from its approval on. */
  day?: string
  onSubmit: (wanted: Wanted, onDone: () => void) => void
  onClose: () => void
}

/** Asks for a price of AMC or RIF in USDT; two people publish it. */
export function PriceSheet({ asset, day, onSubmit, onClose }: PriceSheetProps) {
  const { t } = useTranslation()
  const { draft, change, clear } = useDraft('price', { asset, price: '' }, { asset })
  const [isTried, setTried] = useState(false)
  const { data } = useQuery(apiQuery(draft.asset === 'AMC' ? 'tokenPrice' : 'tokenPrice2'))
  const price = toAmount(draft.price)
  const submit = () => {
    setTried(true)
    if (price === null) return
    const from = day === undefined ? {} : { valid_from: new Date(startOfDay(nextDay(day)) - 1).toISOString() }
    onSubmit({ kind: 'price', payload: { asset: draft.asset, price, ...from } }, clear)
  }
  return (
    <Sheet open onClose={onClose} title={t('admin.prices.propose')}>
      <div className="flex flex-col gap-4">
        {day === undefined ? (
          <Segmented
            label={t('admin.prices.asset')}
            options={PRICED.map((value) => ({ value, label: value }))}
            value={draft.asset}
            onChange={(value) => change({ ...draft, asset: value })}
          />
        ) : (
          <Notice tone="info">{t('admin.prices.forDay', { day })}</Notice>
        )}
        <AmountField
          label={t('admin.prices.price', { asset: draft.asset })}
          unit="USDT"
          value={draft.price}
          onChange={(value) => change({ ...draft, price: value })}
          hint={t('admin.prices.hint')}
          {...(data?.price != null && { aside: formatAmount(data.price) })}
          {...(isTried && price === null && { error: t('admin.fund.invalid') })}
        />
        <Button onClick={submit}>{t('admin.preview')}</Button>
      </div>
    </Sheet>
  )
}
