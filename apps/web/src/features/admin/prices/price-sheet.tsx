import { MICRO, nextDay, parseMicros, startOfDay } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import {
  apiQuery,
  formatDay,
  formatPrice,
  formatRatio,
  toAmount,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  type Checked,
  Notice,
  Segmented,
  Sheet,
  useDraftForm,
} from '../../../ui/index.ts'
import type { PayloadOf, Wanted } from '../proposals/use-proposals.tsx'

const PRICED = ['AMC', 'RIF'] as const

interface PriceText {
  asset: (typeof PRICED)[number]
  price: string
}

export interface PriceSheetProps {
  asset: (typeof PRICED)[number]
  /**
   * The day that waits for a price: the price applies from that day's end, otherwise from its approval on.
   */
  day?: string
  onSubmit: (wanted: Wanted, onDone: () => void) => void
  onClose: () => void
}

/** Asks for a price of AMC or RIF in USDT; two people publish it. */
export function PriceSheet({ asset, day, onSubmit, onClose }: PriceSheetProps) {
  const { t } = useTranslation()
  const { values, field, submit, clear } = useDraftForm({
    name: 'price',
    initial: { asset, price: '' },
    preset: { asset },
    check: (text: PriceText): Checked<PriceText, { ok: true; payload: PayloadOf<'price'> }, 'invalid'> => {
      const price = toAmount(text.price)
      if (price === null) return { ok: false, problems: { price: 'invalid' } }
      const from = day !== undefined && { valid_from: new Date(startOfDay(nextDay(day)) - 1).toISOString() }
      return { ok: true, payload: { asset: text.asset, price, ...from } }
    },
    text: () => t('admin.fund.invalid'),
    recheck: true,
  })
  const { data } = useQuery(apiQuery(values.asset === 'AMC' ? 'tokenPrice' : 'tokenPrice2'))
  return (
    <Sheet open onClose={onClose} title={t('admin.prices.propose')}>
      <div className="flex flex-col gap-4">
        {day === undefined ? (
          <Segmented
            label={t('admin.prices.asset')}
            options={PRICED.map((value) => ({ value, label: value }))}
            {...field('asset')}
          />
        ) : (
          <Notice tone="info">{t('admin.prices.forDay', { day: formatDay(day) })}</Notice>
        )}
        <AmountField
          label={t('admin.prices.price', { asset: values.asset })}
          unit="USDT"
          {...field('price')}
          hint={t('admin.prices.hint')}
          {...(data?.price != null && { aside: formatPrice(data.price) })}
        />
        {data?.price != null && <Jump from={data.price} to={toAmount(values.price)} />}
        <Button onClick={submit(({ payload }) => onSubmit({ kind: 'price', payload }, clear))}>
          {t('admin.preview')}
        </Button>
      </div>
    </Sheet>
  )
}

/** Warns of a price that differs from the one in force by more than a feed may change without two people. */
function Jump({ from, to }: { from: string; to: string | null }) {
  const { t } = useTranslation()
  const { data } = useQuery(apiQuery('adminPrices'))
  if (data === undefined || to === null) return null
  const changePpm = Number(((parseMicros(to) - parseMicros(from)) * MICRO) / parseMicros(from))
  if (Math.abs(changePpm) <= data.jump_ppm) return null
  const share = formatRatio(Math.abs(changePpm))
  return (
    <Notice tone="warn">
      {changePpm > 0 ? t('admin.prices.above', { share }) : t('admin.prices.below', { share })}
    </Notice>
  )
}
