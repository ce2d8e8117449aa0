import type { HashRate } from '@rif/api-schema'
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
  Notice,
  PriceNote,
  QuoteSheet,
  Section,
  tooMuch,
  useDraftForm,
} from '../../../ui/index.ts'
import { useSignedQuote } from '../../../wallet/member-consent.ts'
import { judgeBuy } from '../hash-power-draft.ts'

/** The amount of AMC and its hash power; then the frozen quote with the single confirmation. */
export function HashPowerForm({ figures }: { figures: HashRate }) {
  const { t } = useTranslation()
  const buy = useBuy(figures)
  const { checked, field } = buy.form
  const { AMC, RIF } = figures.prices
  if (AMC === null || RIF === null) {
    return (
      <Section title={t('hashPower.buy.title')}>
        <Notice>{t('hashPower.buy.unpriced')}</Notice>
      </Section>
    )
  }
  return (
    <Section title={t('hashPower.buy.title')}>
      <Card>
        <Form aria-label={t('hashPower.buy.title')} onSubmit={buy.onSubmit}>
          <AmountField
            label={t('hashPower.buy.amount')}
            unit="AMC"
            {...field('amount')}
            max={figures.available_amc}
            aside={t('hashPower.buy.available', { amount: formatAmount(figures.available_amc) })}
          />
          <Facts>
            <Fact label={t('hashPower.buy.receives')}>
              {checked.ok ? (
                <Money amount={checked.receives} unit="RIF" exact className="text-16 font-semibold" />
              ) : (
                <span className="text-muted">–</span>
              )}
            </Fact>
            <Fact label={t('hashPower.buy.prices')}>
              <span className="block">
                1 AMC = <Money amount={AMC} unit="USDT" />
              </span>
              <span className="block">
                1 RIF = <Money amount={RIF} unit="USDT" />
              </span>
              <PriceNote asset="AMC" and="RIF" className="mt-2" />
            </Fact>
          </Facts>
          <Button type="submit" moves="exchange" block busy={buy.isAsking}>
            {t('quote.get')}
          </Button>
        </Form>
      </Card>
      <Offer buy={buy} />
    </Section>
  )
}

function Offer({ buy }: { buy: ReturnType<typeof useBuy> }) {
  const { t } = useTranslation()
  if (buy.offer === null) return null
  const { quote, until } = buy.offer
  return (
    <QuoteSheet
      title={t('hashPower.buy.confirmTitle')}
      until={until}
      confirmText={t('hashPower.buy.confirm')}
      isBusy={buy.isTaking}
      isRenewing={buy.isAsking}
      onConfirm={buy.confirm}
      onRenew={buy.onSubmit}
      onClose={buy.close}
    >
      <Facts>
        <Fact label={t('quote.pays')}>
          <Money amount={quote.pays} unit="AMC" exact />
        </Fact>
        <Fact label={t('quote.receives')}>
          <Money amount={quote.receives} unit="RIF" exact className="text-20 font-semibold" />
        </Fact>
        <Fact label={t('quote.fee')}>{t('quote.noFee')}</Fact>
        <Fact label={t('quote.to')}>{t('quote.ownBalance')}</Fact>
        <Fact label={t('hashPower.buy.prices')}>
          {t('hashPower.buy.pricesOf', {
            amc: formatAmount(quote.amc_price!, { min: 2, max: 6 }),
            rif: formatAmount(quote.rif_price!, { min: 2, max: 6 }),
          })}
          <span className="mt-2 block">
            <PriceNote asset="AMC" and="RIF" />
          </span>
        </Fact>
      </Facts>
    </QuoteSheet>
  )
}

/** The form of a purchase, its frozen quote, and the purchase itself. */
function useBuy(figures: HashRate) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: 'hash-power',
    initial: { amount: '' },
    check: ({ amount }) => checkOf('amount', judgeBuy(amount, figures)),
    text: (problem, { amount }) =>
      problem === 'insufficient'
        ? tooMuch(t, { typed: amount, most: figures.available_amc })
        : t(`hashPower.problem.${problem}`),
  })
  const quote = useFrozenQuote({
    ask: useApiMutation('hashRateQuote'),
    take: useSignedQuote('buyHashRate', { refresh: ['hashRate', 'hashRatePercent', 'exchange', 'me'] }),
    onTaken: () => {
      form.set({ amount: '' })
      showToast(t('hashPower.buy.done'), { durationMs: LONG_TOAST_MS, tone: 'good' })
    },
  })
  return { ...quote, form, onSubmit: form.submit(({ amount }) => quote.getQuote({ body: { amount } })) }
}
