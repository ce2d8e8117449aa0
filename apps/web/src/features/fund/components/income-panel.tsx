import type { FundIncome } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatPpm, isZero, PageLink, useTranslation } from '../../../lib/index.ts'
import {
  buttonClass,
  Card,
  ErrorState,
  Fact,
  Facts,
  ListSkeleton,
  Money,
  Section,
} from '../../../ui/index.ts'
import { useIsMember } from '../queries.ts'
import { IncomeRow } from './rows.tsx'
import { SignInInvitation } from './sign-in-invitation.tsx'
import { NoIncome } from './tab-lists.tsx'

/** What income did my line bring, and where is it. */
export function IncomePanel() {
  return useIsMember() ? <Income /> : <SignInInvitation />
}

function Income() {
  const query = useQuery(apiQuery('fundIncome'))
  if (query.isPending) return <ListSkeleton rows={3} />
  if (query.data === undefined) return <ErrorState onRetry={() => void query.refetch()} />
  return (
    <>
      <Sums income={query.data} />
      <Latest />
    </>
  )
}

function Sums({ income }: { income: FundIncome }) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <p className="text-14 text-muted">{t('fund.income.balance')}</p>
        <Money amount={income.balance} unit="USDT" className="text-28 font-semibold" />
      </div>
      <Facts>
        <Fact label={t('fund.income.thisMonth')}>
          <Money amount={income.this_month} unit="USDT" />
        </Fact>
        <Fact label={t('fund.income.lastMonth')}>
          <Money amount={income.last_month} unit="USDT" />
        </Fact>
        <Fact label={t('fund.income.total')}>
          <Money amount={income.total} unit="USDT" />
        </Fact>
        <Fact label={t('fund.income.moved')}>
          <Money amount={income.moved} unit="USDT" />
        </Fact>
      </Facts>
      {!isZero(income.balance) && (
        <PageLink to="/pages/found/foundIncome/withdrawal" className={buttonClass('primary', true)}>
          {t('fund.income.move')}
        </PageLink>
      )}
      <p className="text-12 text-muted">{t('fund.income.about', { share: formatPpm(income.share_ppm) })}</p>
    </Card>
  )
}

const LATEST = 5

function Latest() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('fundIncomeList', { query: { limit: LATEST } }))
  if (query.isPending) return <ListSkeleton rows={2} />
  if (query.data === undefined) return <ErrorState onRetry={() => void query.refetch()} />
  const { items } = query.data
  if (items.length === 0) return <NoIncome />
  return (
    <Section
      title={t('fund.income.latest')}
      aside={<PageLink to="/pages/found/foundIncome/incomeList">{t('fund.income.all')}</PageLink>}
    >
      {items.map((item) => (
        <IncomeRow key={item.income_id} item={item} />
      ))}
    </Section>
  )
}
