import { RATE_HIDDEN_DAYS } from '@rif/rules'
import { formatDay, setCurrency, useCurrency, useTranslation } from '../../../lib/index.ts'
import {
  Button,
  Card,
  currencyName,
  EmptyState,
  Icon,
  ListSkeleton,
  Loaded,
  rateText,
  Sheet,
  shownRates,
  useRates,
} from '../../../ui/index.ts'

/** The currencies with a current rate as radio buttons, each with its rate, day and source; a tap takes effect at once. */
export default function CurrencyChoice({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const rates = useRates()
  const chosen = useCurrency()
  return (
    <Sheet open={open} onClose={onClose} title={t('currency.title')} description={t('currency.about')}>
      <Loaded query={rates} skeleton={<ListSkeleton rows={3} />}>
        {({ items }) => {
          const shown = shownRates(items)
          const isGone = chosen !== null && !shown.some(({ currency }) => currency === chosen)
          if (shown.length === 0 && !isGone)
            return (
              <EmptyState
                icon="globe"
                title={t('currency.empty')}
                hint={t('currency.emptyHint')}
                action={
                  <Button variant="secondary" onClick={onClose}>
                    {t('common.close')}
                  </Button>
                }
              />
            )
          return (
            <Card className="py-2">
              <fieldset className="divide-y divide-line">
                <legend className="sr-only">{t('currency.title')}</legend>
                <Choice code={null} name={t('currency.none')} />
                {isGone && (
                  <Choice
                    code={chosen}
                    name={t('currency.notNow', { currency: chosen })}
                    detail={t('currency.notNowHint', { days: RATE_HIDDEN_DAYS })}
                  />
                )}
                {shown.map((rate) => (
                  <Choice
                    key={rate.currency}
                    code={rate.currency}
                    name={`${rate.currency} · ${currencyName(rate.currency)}`}
                    detail={`1 USDT = ${rateText(rate)} · ${formatDay(rate.day)} · ${rate.source}`}
                  />
                ))}
              </fieldset>
            </Card>
          )
        }}
      </Loaded>
    </Sheet>
  )
}

function Choice({ code, name, detail }: { code: string | null; name: string; detail?: string }) {
  const isChosen = useCurrency() === code
  return (
    <label className="flex min-h-14 cursor-pointer items-center gap-3 py-2 has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <input
        type="radio"
        name="currency"
        className="sr-only"
        checked={isChosen}
        onChange={() => setCurrency(code)}
      />
      <span className="min-w-0 flex-1">
        <span className="block text-16">{name}</span>
        {detail !== undefined && <span className="block wrap-anywhere text-12 text-muted">{detail}</span>}
      </span>
      {isChosen && <Icon name="check" size={20} className="text-accent" />}
    </label>
  )
}
