import type { Exchange } from '@rif/api-schema'
import type { FormEvent } from 'react'
import { formatAmount } from '../../../lib/format.ts'
import { useTranslation } from '../../../lib/i18n.ts'
import { AmountField } from '../../../ui/amount-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, Fact, Facts, Section } from '../../../ui/card.tsx'
import { Money } from '../../../ui/money.tsx'
import { QuoteSheet } from '../../../ui/quote-sheet.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Time } from '../../../ui/time.tsx'
import { maxExchange, termsOf } from '../exchange-draft.ts'
import { useExchange } from '../use-exchange.ts'

const TARGETS = ['DIV', 'VC'] as const

/** RIF into dividend rights or VC: amount, rate, cap; then the frozen quote with the one confirmation. */
export function ExchangeForm({ centre }: { centre: Exchange }) {
  const { t } = useTranslation()
  const exchange = useExchange(centre)
  const { to, judged, problem } = exchange
  const { rate, day_cap } = termsOf(centre, to)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    exchange.getQuote()
  }
  return (
    <Section title={t('exchange.form.title')}>
      <Card>
        <form
          aria-label={t('exchange.form.title')}
          noValidate
          className="flex flex-col gap-4"
          onSubmit={onSubmit}
        >
          <Segmented
            label={t('exchange.form.to')}
            options={TARGETS.map((value) => ({ value, label: t(`exchange.target.${value}`) }))}
            value={to}
            onChange={(value) => exchange.change({ to: value })}
          />
          <p className="text-14 text-muted">{t(`exchange.about.${to}`)}</p>
          <AmountField
            label={t('exchange.form.amount')}
            unit="RIF"
            value={exchange.amount}
            onChange={(amount) => exchange.change({ amount })}
            max={maxExchange(centre, to)}
            aside={t('exchange.form.available', { amount: formatAmount(centre.rif) })}
            error={problem === null ? undefined : t(`exchange.problem.${problem}`)}
          />
          <Facts>
            <Fact label={t('exchange.form.receives')}>
              {judged.ok ? (
                <Money amount={judged.receives} unit={to} exact className="text-16 font-semibold" />
              ) : (
                <span className="text-muted">–</span>
              )}
            </Fact>
            <Fact label={t('exchange.form.rate')}>
              1 RIF = <Money amount={rate} unit={to} />
            </Fact>
            {day_cap !== null && <CapFact centre={centre} to={to} />}
          </Facts>
          <Button type="submit" block busy={exchange.isAsking}>
            {t('quote.get')}
          </Button>
        </form>
      </Card>
      <Offer exchange={exchange} />
    </Section>
  )
}

function CapFact({ centre, to }: { centre: Exchange; to: 'DIV' | 'VC' }) {
  const { t } = useTranslation()
  const { day_cap, remaining_today } = termsOf(centre, to)
  return (
    <Fact label={t('exchange.form.cap')}>
      {t('exchange.form.capLeft', {
        left: formatAmount(remaining_today ?? '0'),
        cap: formatAmount(day_cap ?? '0'),
      })}
      <span className="block text-12 text-muted">
        {t('exchange.form.resets')} <Time value={centre.resets_at} />
      </span>
    </Fact>
  )
}

function Offer({ exchange }: { exchange: ReturnType<typeof useExchange> }) {
  const { t } = useTranslation()
  if (exchange.offer === null) return null
  const { quote, until } = exchange.offer
  return (
    <QuoteSheet
      title={t('exchange.confirm.title')}
      until={until}
      confirmText={t('exchange.confirm.submit')}
      isBusy={exchange.isTaking}
      isRenewing={exchange.isAsking}
      onConfirm={exchange.confirm}
      onRenew={exchange.getQuote}
      onClose={exchange.close}
    >
      <Facts>
        <Fact label={t('quote.pays')}>
          <Money amount={quote.pays} unit="RIF" exact />
        </Fact>
        <Fact label={t('quote.receives')}>
          <Money amount={quote.receives} unit={quote.to} exact className="text-20 font-semibold" />
        </Fact>
        <Fact label={t('exchange.form.rate')}>
          1 RIF = <Money amount={quote.rate!} unit={quote.to} exact />
        </Fact>
        <Fact label={t('quote.fee')}>{t('quote.noFee')}</Fact>
        <Fact label={t('quote.to')}>{t('quote.ownBalance')}</Fact>
      </Facts>
      <p className="text-14 text-muted">{t('exchange.confirm.final')}</p>
    </QuoteSheet>
  )
}
