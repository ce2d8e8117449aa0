import type { SavingsInterest } from '@rif/api-schema'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import {
  apiList,
  apiQuery,
  formatDay,
  formatPpm,
  formatTime,
  PageLink,
  redirectTo,
  useTranslation,
} from '../../../lib/index.ts'
import {
  buttonClass,
  CardSection,
  Facts,
  ListColumns,
  Loaded,
  Money,
  MoneyFact,
  Notice,
  NoticeLink,
  Page,
  Row,
  Segmented,
  Skeleton,
  TableList,
  TokenMark,
} from '../../../ui/index.ts'
import { Arrival, NothingYet, SavingsTransferRow, TransferName } from '../components/savings-parts.tsx'

const PATH = '/pages/savings/list'
const SHOWN = ['transfers', 'leaving', 'interest'] as const

/** Transfers, pending ones, and interest day by day. The URL contains the chosen list. */
export default function SavingsListPage() {
  const { t } = useTranslation()
  const { show = 'transfers' } = useSearch({ from: PATH })
  return (
    <Page wide title={t('savings.list.title')}>
      <Segmented
        label={t('savings.list.show')}
        options={SHOWN.map((value) => ({ value, label: t(`savings.list.${value}`) }))}
        value={show}
        onChange={(value) => redirectTo(PATH, { show: value })}
      />
      <ListColumns side={<Aside />}>
        {show === 'interest' ? <InterestList /> : <TransferList key={show} isLeaving={show === 'leaving'} />}
      </ListColumns>
    </Page>
  )
}

/** Shows saved and earned amounts, both directions to move money, and the source of interest. */
function Aside() {
  const { t } = useTranslation()
  const account = useQuery(apiQuery('savings'))
  return (
    <>
      <Loaded query={account} skeleton={<Skeleton className="h-72 rounded-16" />}>
        {({ assets }) =>
          assets.map(({ asset, savings, total_earned, leaving }) => (
            <CardSection key={asset} title={t('savings.of', { asset })}>
              <Facts>
                <MoneyFact own label={t('savings.saved')} amount={savings} unit={asset} />
                <MoneyFact own label={t('savings.leaving')} amount={leaving} unit={asset} />
                <MoneyFact own label={t('savings.sum.total_earned')} amount={total_earned} unit={asset} />
              </Facts>
            </CardSection>
          ))
        }
      </Loaded>
      <div className="grid grid-cols-2 gap-3">
        <PageLink to="/pages/savings/in" className={buttonClass('primary', true)}>
          {t('savings.in.action')}
        </PageLink>
        <PageLink to="/pages/savings/out" className={buttonClass('secondary', true)}>
          {t('savings.out.action')}
        </PageLink>
      </div>
      <Notice
        tone="warn"
        title={t('savings.risk.title')}
        action={<NoticeLink to="/pages/rewardList/coverage">{t('savings.risk.attested')}</NoticeLink>}
      >
        {t('savings.risk.text')}
      </Notice>
    </>
  )
}

function TransferList({ isLeaving }: { isLeaving: boolean }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('savingsTransfers', { query: isLeaving ? { leaving: 'true' } : {} }))
  const onArrival = () => void query.refetch()
  return (
    <TableList
      query={query}
      label={t(`savings.list.${isLeaving ? 'leaving' : 'transfers'}`)}
      keyOf={(transfer) => transfer.transfer_id}
      columns={[
        {
          name: t('savings.list.transfers'),
          width: '1.3fr',
          cell: (transfer) => <TransferName transfer={transfer} />,
        },
        {
          name: t('savings.when'),
          cell: ({ created_at }) => <span className="text-muted">{formatTime(created_at)}</span>,
        },
        {
          name: t('savings.arrival'),
          cell: (transfer) => <Arrival transfer={transfer} onArrival={onArrival} />,
        },
        {
          name: t('savings.amount'),
          end: true,
          cell: ({ amount, asset }) => (
            <Money own amount={amount} unit={asset} exact className="font-medium" />
          ),
        },
      ]}
      render={(transfer) => <SavingsTransferRow transfer={transfer} onArrival={onArrival} />}
      empty={<NothingYet title={t(isLeaving ? 'savings.list.noneLeaving' : 'savings.list.none')} />}
    />
  )
}

function InterestList() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('savingsInterest', { query: {} }))
  return (
    <TableList
      query={query}
      label={t('savings.list.interest')}
      keyOf={({ day, asset }) => `${day} ${asset}`}
      columns={[
        {
          name: t('savings.interest.day'),
          width: '1.3fr',
          cell: ({ day, asset }) => (
            <span className="flex items-center gap-3 font-medium">
              <TokenMark token={asset} size={28} />
              {formatDay(day)}
            </span>
          ),
        },
        {
          name: t('savings.saved'),
          end: true,
          cell: ({ principal, asset }) => <Money own amount={principal} unit={asset} />,
        },
        {
          name: t('savings.interest.ceiling'),
          end: true,
          width: '0.6fr',
          cell: ({ rate_ppm }) => formatPpm(rate_ppm),
        },
        {
          name: t('savings.interest.due'),
          end: true,
          cell: ({ due, asset }) => <Money own amount={due} unit={asset} />,
        },
        {
          name: t('savings.interest.paid'),
          end: true,
          cell: ({ paid, asset, coverage_ppm }) => (
            <>
              <Money own amount={paid} unit={asset} signed className="font-medium" />
              <span className="block text-12 text-muted">{formatPpm(coverage_ppm)}</span>
            </>
          ),
        },
      ]}
      render={(interest) => <InterestRow interest={interest} />}
      empty={<NothingYet title={t('savings.list.noInterest')} />}
    />
  )
}

function InterestRow({ interest }: { interest: SavingsInterest }) {
  const { t } = useTranslation()
  const { day, asset, principal, rate_ppm, due, coverage_ppm, paid } = interest
  return (
    <Row
      wordy
      mark={<TokenMark token={asset} />}
      title={formatDay(day)}
      detail={
        <>
          <Money own amount={principal} unit={asset} /> ·{' '}
          {t('savings.interest.rate', { rate: formatPpm(rate_ppm) })}
        </>
      }
      end={
        <>
          <Money own amount={paid} unit={asset} signed className="text-16 font-medium" />
          <span className="block text-13 font-normal text-muted">
            {t('savings.interest.covered', { coverage: formatPpm(coverage_ppm) })}{' '}
            <Money own amount={due} unit={asset} />
          </span>
        </>
      }
    />
  )
}
