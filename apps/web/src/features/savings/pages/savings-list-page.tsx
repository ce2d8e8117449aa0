import type { SavingsInterest } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiList, formatPpm, redirectTo, useTranslation } from '../../../lib/index.ts'
import { Card, InfiniteList, Money, Page, Segmented } from '../../../ui/index.ts'
import { NothingYet, TransferRow } from '../components/savings-parts.tsx'

const PATH = '/pages/savings/list'
const SHOWN = ['transfers', 'leaving', 'interest'] as const

/** Transfers, those still on their way, and interest day by day. What is shown stands in the address. */
export default function SavingsListPage() {
  const { t } = useTranslation()
  const { show = 'transfers' } = useSearch({ from: PATH })
  return (
    <Page title={t('savings.list.title')}>
      <Segmented
        label={t('savings.list.show')}
        options={SHOWN.map((value) => ({ value, label: t(`savings.list.${value}`) }))}
        value={show}
        onChange={(value) => redirectTo(PATH, { show: value })}
      />
      {show === 'interest' ? <InterestList /> : <TransferList key={show} isLeaving={show === 'leaving'} />}
    </Page>
  )
}

function TransferList({ isLeaving }: { isLeaving: boolean }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('savingsTransfers', { query: isLeaving ? { leaving: 'true' } : {} }))
  return (
    <InfiniteList
      query={query}
      label={t(`savings.list.${isLeaving ? 'leaving' : 'transfers'}`)}
      keyOf={(transfer) => transfer.transfer_id}
      render={(transfer) => <TransferRow transfer={transfer} onArrival={() => void query.refetch()} />}
      empty={<NothingYet title={t(isLeaving ? 'savings.list.noneLeaving' : 'savings.list.none')} />}
    />
  )
}

function InterestList() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('savingsInterest', { query: {} }))
  return (
    <InfiniteList
      query={query}
      label={t('savings.list.interest')}
      groupOf={({ day }) => day}
      keyOf={({ day, asset }) => `${day} ${asset}`}
      render={(interest) => <InterestRow interest={interest} />}
      empty={<NothingYet title={t('savings.list.noInterest')} />}
    />
  )
}

function InterestRow({ interest }: { interest: SavingsInterest }) {
  const { t } = useTranslation()
  const { asset, principal, rate_ppm, due, coverage_ppm, paid } = interest
  return (
    <Card className="flex items-start justify-between gap-4 text-14">
      <div>
        <p className="text-16">{t('savings.interest.of', { asset })}</p>
        <p className="text-muted">
          <Money amount={principal} unit={asset} /> ·{' '}
          {t('savings.interest.rate', { rate: formatPpm(rate_ppm) })}
        </p>
      </div>
      <div className="text-right">
        <Money amount={paid} unit={asset} signed exact className="text-16 font-medium" />
        <p className="text-muted">
          {t('savings.interest.covered', { coverage: formatPpm(coverage_ppm) })}{' '}
          <Money amount={due} unit={asset} exact />
        </p>
      </div>
    </Card>
  )
}
