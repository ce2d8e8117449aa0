import type { Exchange, RouteInput } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  apiQuery,
  formatAmount,
  formatPpm,
  isZero,
  LONG_TOAST_MS,
  PageLink,
  showToast,
  useApiMutation,
  useFrozenQuote,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  Card,
  Columns,
  checkOf,
  DesktopOnly,
  EmptyState,
  ErrorState,
  Fact,
  Facts,
  Form,
  Money,
  MoneyFact,
  NavLink,
  Notice,
  Page,
  PriceChart,
  QuoteSheet,
  Section,
  Segmented,
  Skeleton,
  Term,
  Time,
  tooMuch,
  useDraftForm,
} from '../../../ui/index.ts'
import { useSignedQuote } from '../../../wallet/member-consent.ts'
import { LaunchSection } from '../components/launch-card.tsx'
import { RecentExchanges } from '../components/recent-exchanges.tsx'
import { exchangeTermsOf, judgeExchange, maxExchange } from '../exchange-draft.ts'

/** The exchange centre: the member's shares, the exchange, the paid dividends, and the launches. */
export default function ExchangePage() {
  const { t } = useTranslation()
  const { data, isPending, isError, refetch } = useQuery(apiQuery('exchange'))
  return (
    <Page
      wide
      title={t('exchange.title')}
      actions={<NavLink to="/pages/exchange/list">{t('exchange.history')}</NavLink>}
    >
      {isPending && (
        <Columns side={<Skeleton className="h-48 rounded-16" />}>
          <Skeleton className="h-40 rounded-16" />
          <Skeleton className="h-112 rounded-16" />
        </Columns>
      )}
      {data === undefined && isError && <ErrorState onRetry={() => void refetch()} />}
      {data !== undefined && (
        <Columns
          side={
            <>
              <DesktopOnly>
                <RecentExchanges />
              </DesktopOnly>
              <DividendCard centre={data} />
              <PriceChart asset="RIF" />
              <PriceChart asset="AMC" />
            </>
          }
        >
          <SharesCard centre={data} />
          {isZero(data.rif) ? <NothingToExchange /> : <ExchangeForm centre={data} />}
          <LaunchSection vcAvailable={data.vc.available} />
        </Columns>
      )}
    </Page>
  )
}

function SharesCard({ centre }: { centre: Exchange }) {
  const { t } = useTranslation()
  const { rif, div, vc } = centre
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-4">
        <Figure
          label={<Term name="dividend">{t('exchange.share.DIV')}</Term>}
          value={formatPpm(div.share_ppm)}
        >
          <Money amount={div.available} unit="DIV" />
        </Figure>
        <Figure label={<Term name="vc">{t('exchange.share.VC')}</Term>} value={formatPpm(vc.share_ppm)}>
          <Money amount={vc.available} unit="VC" />
          {!isZero(vc.locked) && (
            <span className="block">
              <Money amount={vc.locked} unit="VC" /> {t('exchange.inLaunches')}
            </span>
          )}
        </Figure>
        <div className="col-span-2 mt-4 flex items-baseline justify-between gap-4 border-line border-t pt-4 text-14">
          <dt className="text-muted">
            <Term name="rif">{t('exchange.rifPower')}</Term>
          </dt>
          <dd>
            <Money amount={rif} unit="RIF" className="text-16 font-semibold" />
          </dd>
        </div>
      </dl>
    </Card>
  )
}

function Figure({ label, value, children }: { label: ReactNode; value: string; children: ReactNode }) {
  return (
    // Both figures share their rows, so that the numbers are aligned whatever the labels' lengths.
    <div className="row-span-2 grid grid-rows-subgrid">
      <dt className="text-14 text-muted">{label}</dt>
      <dd>
        <span className="block font-display text-28 font-semibold">{value}</span>
        <span className="text-12 text-muted">{children}</span>
      </dd>
    </div>
  )
}

function NothingToExchange() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="bolt"
      title={t('exchange.nothing')}
      hint={t('exchange.nothingHint')}
      next={{ to: '/pages/index/hashRate', label: t('exchange.getRif') }}
    />
  )
}

const TARGETS = ['DIV', 'VC'] as const
const EMPTY: RouteInput<'exchangeQuote'>['body'] = { to: 'DIV', amount: '' }

/** RIF into dividend rights or VC: amount, rate, cap; then the frozen quote with the one confirmation. */
function ExchangeForm({ centre }: { centre: Exchange }) {
  const { t } = useTranslation()
  const exchange = useExchange(centre)
  const { form } = exchange
  const { to } = form.values
  const { rate, day_cap } = exchangeTermsOf(centre, to)
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
              <RateSource />
            </Fact>
            {day_cap !== null && <CapFact centre={centre} to={to} />}
          </Facts>
          <Button type="submit" moves="exchange" block busy={exchange.isAsking}>
            {t('quote.get')}
          </Button>
        </Form>
      </Card>
      <Offer exchange={exchange} />
    </Section>
  )
}

/** Explains the rate: no price of AMC or RIF is part of it. */
function RateSource() {
  const { t } = useTranslation()
  return <span className="block text-12 font-normal text-muted">{t('exchange.form.rateBy')}</span>
}

function CapFact({ centre, to }: { centre: Exchange; to: 'DIV' | 'VC' }) {
  const { t } = useTranslation()
  const { day_cap, remaining_today } = exchangeTermsOf(centre, to)
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
        <MoneyFact label={t('quote.pays')} amount={quote.pays} unit="RIF" exact />
        <MoneyFact
          label={t('quote.receives')}
          amount={quote.receives}
          unit={quote.to}
          exact
          className="text-20 font-semibold"
        />
        <Fact label={t('exchange.form.rate')}>
          1 RIF = <Money amount={quote.rate!} unit={quote.to} exact />
          <RateSource />
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
    text: (problem, { amount, to: target }) => {
      const use = maxExchange(centre, target)
      if (problem === 'insufficient') return tooMuch(t, { typed: amount, most: centre.rif, use })
      if (problem === 'dailyLimit') return tooMuch(t, { typed: amount, most: use, limit: 'cap' })
      return t(`exchange.problem.${problem}`)
    },
  })
  const { to } = form.values
  const quote = useFrozenQuote({
    ask: useApiMutation('exchangeQuote'),
    take: useSignedQuote('makeExchange', {
      refresh: ['exchange', 'exchanges', 'hashRate', 'hashRatePercent', 'me'],
    }),
    onTaken: () => {
      form.set({ amount: '' })
      showToast(t('exchange.done'), { durationMs: LONG_TOAST_MS, tone: 'good' })
    },
  })
  return { ...quote, form, onSubmit: form.submit(({ amount }) => quote.getQuote({ body: { to, amount } })) }
}

/** The paid dividends: to this member in all, and to everybody over 30 days. */
function DividendCard({ centre }: { centre: Exchange }) {
  const { t } = useTranslation()
  const { received, paid_30d } = centre
  return (
    <Section
      title={t('exchange.dividends.title')}
      aside={
        <PageLink to="/pages/exchange/list" search={{ show: 'dividends' }}>
          {t('exchange.list.all')}
        </PageLink>
      }
    >
      <Card>
        <Facts>
          <Fact label={t('exchange.dividends.received')}>
            <Both usdt={received.usdt} amc={received.amc} />
            <span className="block text-12 text-muted">
              {t('exchange.dividends.days', { count: received.days })}
            </span>
          </Fact>
          <Fact label={t('exchange.dividends.everybody')}>
            <Both usdt={paid_30d.usdt} amc={paid_30d.amc} />
            <span className="block text-12 text-muted">
              {t('exchange.dividends.days', { count: paid_30d.days })}
            </span>
          </Fact>
        </Facts>
      </Card>
      <Notice>{t('exchange.dividends.note')}</Notice>
    </Section>
  )
}

function Both({ usdt, amc }: { usdt: string; amc: string }) {
  return (
    <>
      <Money amount={usdt} unit="USDT" className="block font-semibold" />
      <Money amount={amc} unit="AMC" className="block font-semibold" />
    </>
  )
}
