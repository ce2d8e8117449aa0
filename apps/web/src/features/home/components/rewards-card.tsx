import type { Me, ProfitType } from '@rif/api-schema'
import { dayOf } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatOwn, PageLink, TWO_DECIMALS, useTranslation } from '../../../lib/index.ts'
import { Card, Disclosure, ErrorState, Meter, Section, Skeleton, Term } from '../../../ui/index.ts'
import { type Coverage, coverageOf, kindSums, percentOf, shareOf, totalOf } from '../overview.ts'

const SOURCES = ['sales', 'revenue'] as const
const TERM_OF_SOURCE = { sales: 'pool', revenue: 'attested' } as const

/** Shows the paid and the due amounts: today, over 30 days, and by the pool that pays; by kind on a tap. */
export function RewardsCard({ me }: { me: Me }) {
  const { t } = useTranslation()
  const today = dayOf(Date.now())
  const ofToday = useQuery(apiQuery('profitType', { query: { from: today, to: today } }))
  const ofMonth = useQuery(apiQuery('profitType', { query: {} }))
  return (
    <Section
      title={t('home.rewards')}
      aside={<PageLink to="/pages/rewardList/index">{t('home.allRewards')}</PageLink>}
    >
      <Card className="flex flex-col gap-4">
        {ofMonth.data === undefined || ofToday.data === undefined ? (
          ofMonth.isError || ofToday.isError ? (
            <ErrorState
              onRetry={() => {
                void ofMonth.refetch()
                void ofToday.refetch()
              }}
            />
          ) : (
            <Skeleton className="h-44" />
          )
        ) : (
          <PaidOfDue today={ofToday.data.items} month={ofMonth.data.items} />
        )}
        <Disclosure title={t('home.byKind')}>
          <KindTable me={me} />
        </Disclosure>
      </Card>
    </Section>
  )
}

interface PaidOfDueProps {
  today: ProfitType['items']
  month: ProfitType['items']
}

function PaidOfDue({ today, month }: PaidOfDueProps) {
  const { t } = useTranslation()
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <Paid label={t('home.today')} coverage={coverageOf(today)} />
        <Paid label={t('home.days30')} coverage={coverageOf(month)} />
      </div>
      <hr className="border-line" />
      {SOURCES.map((source) => (
        <Source
          key={source}
          source={source}
          label={t(`home.paidFrom.${source}`)}
          coverage={coverageOf(month, source)}
        />
      ))}
      <p className="text-12 text-muted">
        {t('home.notOwedLater')}{' '}
        <PageLink to="/pages/rewardList/coverage" className="touch-line font-medium text-accent">
          <span>{t('home.ofAllMembers')}</span>
        </PageLink>
      </p>
    </>
  )
}

function Paid({ label, coverage }: { label: string; coverage: Coverage }) {
  const { t } = useTranslation()
  const percent = percentOf(coverage)
  return (
    <div>
      <p className="text-14 text-muted">{label}</p>
      <p className="text-20 font-semibold">{formatOwn(coverage.paid, TWO_DECIMALS)}</p>
      <p className="text-12 text-muted">
        {percent === null
          ? t('home.nothingDue')
          : t('home.ofDue', { due: formatOwn(coverage.due, TWO_DECIMALS), percent })}
      </p>
    </div>
  )
}

function Source(props: { source: (typeof SOURCES)[number]; label: string; coverage: Coverage }) {
  const { source, label, coverage } = props
  const { t } = useTranslation()
  const share = shareOf(coverage)
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap justify-between gap-x-3 text-14">
        <Term name={TERM_OF_SOURCE[source]}>{label}</Term>
        {share === null ? (
          <span className="text-muted">{t('home.nothingDue')}</span>
        ) : (
          <span className="whitespace-nowrap">
            <span className="font-medium">{formatOwn(coverage.paid, TWO_DECIMALS)}</span>{' '}
            <span className="text-muted">{t('home.of', { due: formatOwn(coverage.due, TWO_DECIMALS) })}</span>
          </span>
        )}
      </p>
      <Meter label={label} share={share ?? 0} text={percentOf(coverage) ?? t('home.nothingDue')} />
    </div>
  )
}

/** The rewards by kind with their sources: today, yesterday, in total. */
function KindTable({ me }: { me: Me }) {
  const { t } = useTranslation()
  // Today and yesterday only with amounts.
  const days = useQuery(apiQuery('profitDay', { query: { limit: 2 } })).data?.items
  const rows = kindSums(me, days)
  const all = (which: 'today' | 'yesterday' | 'total') => totalOf(rows.map((row) => row[which]))
  return (
    <table className="w-full text-14 max-[359px]:text-12">
      <caption className="sr-only">{t('home.rewardsCaption')}</caption>
      <thead>
        <tr className="text-right text-12 text-muted">
          <th scope="col" className="pb-2 text-left font-normal">
            USDT
          </th>
          {(['today', 'yesterday', 'total'] as const).map((which) => (
            <th key={which} scope="col" className="pb-2 pl-2 font-normal">
              {t(`home.${which}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.sum} className="border-t border-line text-right align-top">
            <th scope="row" className="py-2 text-left font-normal">
              {t(`home.kind.${row.sum}`)}
              <span className="block text-12 text-muted">{t(`home.source.${row.source}`)}</span>
            </th>
            <Cell amount={row.today} />
            <Cell amount={row.yesterday} />
            <Cell amount={row.total} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t border-line text-right align-top font-semibold">
          <th scope="row" className="py-2 text-left font-semibold">
            {t('home.sum')}
          </th>
          <Cell amount={all('today')} />
          <Cell amount={all('yesterday')} />
          <Cell amount={all('total')} />
        </tr>
      </tfoot>
    </table>
  )
}

function Cell({ amount }: { amount: string | null }) {
  return <td className="py-2 pl-2">{amount === null ? '…' : formatOwn(amount, TWO_DECIMALS)}</td>
}
