import type { Me } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatPpm, isZero, useTranslation } from '../../../lib/index.ts'
import {
  CardSection,
  Fact,
  Facts,
  Loaded,
  MoneyFact,
  Notice,
  NoticeLink,
  Page,
  Skeleton,
} from '../../../ui/index.ts'

/** All figures of the account in one place: investments, profit, award, fund, fees and rates. */
export default function FiguresPage() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('me'))
  return (
    <Page title={t('figures.title')} wide>
      <Loaded query={query} skeleton={<FiguresSkeleton />}>
        {(me) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2 lg:items-start lg:gap-4">
            <div className="flex min-w-0 flex-col gap-6 lg:gap-4">
              <Invested me={me} />
              <Fund me={me} />
              <Notice action={<NoticeLink to="/pages/shop/packages">{t('packages.title')}</NoticeLink>}>
                {t('figures.about')}
              </Notice>
            </div>
            <div className="flex min-w-0 flex-col gap-6 lg:gap-4">
              <Profit me={me} />
              <Rates me={me} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function FiguresSkeleton() {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2 lg:gap-4">
      <Skeleton className="h-44 rounded-16" />
      <Skeleton className="h-72 rounded-16" />
      <Skeleton className="h-36 rounded-16" />
      <Skeleton className="h-56 rounded-16" />
    </div>
  )
}

function Invested({ me }: { me: Me }) {
  const { t } = useTranslation()
  return (
    <CardSection title={t('figures.invested')}>
      <Facts>
        <MoneyFact own label={t('figures.fixedUsdt')} amount={me.fixed_invest_amount_usdt} unit="USDT" />
        <MoneyFact own label={t('figures.fixedAmc')} amount={me.fixed_invest_amount_amc} unit="AMC" />
        <MoneyFact own label={t('my.invested')} amount={me.investment_sum} unit="USDT" />
        <MoneyFact own label={t('my.remaining')} amount={me.remaining_dividends} unit="USDT" />
      </Facts>
    </CardSection>
  )
}

function Profit({ me }: { me: Me }) {
  const { t } = useTranslation()
  return (
    <CardSection title={t('figures.profit')}>
      <Facts>
        <MoneyFact own label={t('figures.sum')} amount={me.profit_sum} unit="USDT" />
        <MoneyFact own label={t('figures.realizedUsdt')} amount={me.realized_profit_usdt} unit="USDT" />
        <MoneyFact own label={t('figures.realizedAmc')} amount={me.realized_profit_amc} unit="AMC" />
        <MoneyFact own label={t('figures.availableProfit')} amount={me.available_profit} unit="USDT" />
        <MoneyFact own label={t('figures.lockedProfit')} amount={me.locked_profit} unit="AMC" />
        <MoneyFact own label={t('my.pairingCap')} amount={me.day_top_profit} unit="USDT" />
        <Fact label={t('figures.award')}>
          {me.manage_leve === 0 ? t('figures.noAward') : `M${me.manage_leve}`}
        </Fact>
        {!isZero(me.manage_award_base) && (
          <MoneyFact own label={t('figures.awardBase')} amount={me.manage_award_base} unit="USDT" />
        )}
      </Facts>
    </CardSection>
  )
}

function Fund({ me }: { me: Me }) {
  const { t } = useTranslation()
  return (
    <CardSection title={t('figures.fund')}>
      <Facts>
        <Fact label={t('figures.fundLevel')}>{me.fund_level}</Fact>
        <MoneyFact own label={t('figures.fundProfit')} amount={me.fund_available_profit} unit="USDT" />
        <Fact label={t('figures.redemptionFee')}>{formatPpm(me.redemption_fee)}</Fact>
      </Facts>
    </CardSection>
  )
}

function Rates({ me }: { me: Me }) {
  const { t } = useTranslation()
  return (
    <CardSection title={t('figures.rates')}>
      <Facts>
        <MoneyFact own label={t('figures.withdrawable')} amount={me.withdrawable_usdt} unit="USDT" />
        <Fact label={t('figures.serviceFee')}>{formatPpm(me.service_fee)}</Fact>
        <MoneyFact own label={t('figures.vc')} amount={me.withdrawable_vc} unit="VC" />
        <MoneyFact own label={t('figures.vcRate')} amount={me.vc_rate} unit="VC" />
        <MoneyFact own label={t('figures.dividendRate')} amount={me.dividend_rate} unit="DIV" />
        <Fact label={t('my.discount')}>{t('my.upTo', { rate: formatPpm(me.use_hash_rate_percent) })}</Fact>
      </Facts>
    </CardSection>
  )
}
