import { RATE_HIDDEN_DAYS } from '@rif/rules'
import { formatDay, formatTime, PageLink, useTranslation } from '../lib/index.ts'
import { buttonClass } from './button.tsx'
import { currencyName, rateText, type ShownRate } from './currency-rates.ts'
import { SheetPanel } from './dialogs.tsx'
import { Fact, Facts } from './facts.tsx'
import { Notice } from './states.tsx'

/** The rate of a second line with its day and source, and the note that it is only for display. */
export default function CurrencySheet(props: { rate: ShownRate; open: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const { rate, ...sheet } = props
  const { currency, day, source, published_at: at, age } = rate
  return (
    <SheetPanel {...sheet} title={t('currency.sheet', { currency: currencyName(currency) })}>
      <div className="flex flex-col gap-4">
        {age === 'old' && (
          <Notice tone="warn">
            {t('currency.oldNotice', { day: formatDay(day), days: RATE_HIDDEN_DAYS })}
          </Notice>
        )}
        <Facts>
          <Fact label={t('currency.rate')}>1 USDT = {rateText(rate)}</Fact>
          <Fact label={t('currency.day')}>{formatDay(day)}</Fact>
          <Fact label={t('currency.source')}>{source}</Fact>
          <Fact label={t('currency.by')}>{t('currency.byOperator', { time: formatTime(at) ?? '' })}</Fact>
        </Facts>
        <p className="text-14 text-muted">{t('currency.only', { currency })}</p>
        <PageLink to="/pages/my/index" className={buttonClass('secondary', true)}>
          {t('currency.change')}
        </PageLink>
      </div>
    </SheetPanel>
  )
}
