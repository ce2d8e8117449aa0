import type { Exchange, RouteInput } from '@rif/api-schema'
import {
  formatAmount,
  LONG_TOAST_MS,
  showToast,
  useApiMutation,
  useFrozenQuote,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  Card,
  checkOf,
  Fact,
  Facts,
  Form,
  Money,
  QuoteSheet,
  Section,
  Segmented,
  Time,
  useDraftForm,
} from '../../../ui/index.ts'
import { judgeExchange, maxExchange, termsOf } from '../exchange-draft.ts'

const TARGETS = ['DIV', 'VC'] as const
const EMPTY: RouteInput<'exchangeQuote'>['body'] = { to: 'DIV', amount: '' }

/** RIF into dividend rights or VC: amount, rate, cap; then the frozen quote with the one confirmation. */
export function ExchangeForm({ centre }: { centre: Exchange }) {
  const { t } = useTranslation()
  const exchange = useExchange(centre)
  const { form } = exchange
  const { to } = form.values
  const { rate, day_cap } = termsOf(centre, to)
  return (
    <Section title={t('exchange.form.title')}>
      <Card>
        <Form aria-label={t('exchange.form.title')} onSubmit={exchange.onSubmit}>
          <Segmented
            label={t('exchange.form.to')}
            options={TARGETS.map((value) => ({ value, label: t(`exchange.target.${value}`) }))}
            {...form.field('to')}
          />
          <p className="text-14 text-muted">{t(`exchange.about.${to}`)}</p>
          <AmountField
            label={t('exchange.form.amount')}
            unit="RIF"
            {...form.field('amount')}
            max={maxExchange(centre, to)}
            aside={t('exchange.form.available', { amount: formatAmount(centre.rif) })}
          />
          <Facts>
            <Fact label={t('exchange.form.receives')}>
              {form.checked.ok ? (
                <Money amount={form.checked.receives} unit={to} exact className="text-16 font-semibold" />
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
        </Form>
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
      onRenew={exchange.onSubmit}
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

/** The form of an exchange, its frozen quote, and the exchange itself. */
function useExchange(centre: Exchange) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: 'exchange',
    initial: EMPTY,
    check: ({ to, amount }) => checkOf('amount', judgeExchange(amount, to, centre)),
    text: (problem) => t(`exchange.problem.${problem}`),
  })
  const { to } = form.values
  const quote = useFrozenQuote({
    ask: useApiMutation('exchangeQuote'),
    take: useApiMutation('makeExchange', {
      refresh: ['exchange', 'exchanges', 'hashRate', 'hashRatePercent', 'me'],
    }),
    onTaken: () => {
      form.set({ amount: '' })
      showToast(t('exchange.done'), { durationMs: LONG_TOAST_MS, tone: 'good' })
    },
  })
  return { ...quote, form, onSubmit: form.submit(({ amount }) => quote.getQuote({ body: { to, amount } })) }
}
