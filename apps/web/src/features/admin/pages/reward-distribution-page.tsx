import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiWatchedList, formatCount, useTranslation } from '../../../lib/index.ts'
import { Button, Chip, Chips } from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { DepositList } from '../deposits/deposit-list.tsx'
import { PriceSheet } from '../prices/price-sheet.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { DayList } from '../settlement/day-list.tsx'
import { DryRunCard } from '../settlement/dry-run-card.tsx'

/**
 * Each day and its settlement, the revenue that funds it, and the prospective payments of the next
 * settlement.
 */
export default function RewardDistributionPage() {
  const { t } = useTranslation()
  const may = useMay()
  const [list, setList] = useState<'days' | 'revenue'>('days')
  const [isPricing, setPricing] = useState(false)
  const { want, sheets } = useProposals()
  const waiting = useInfiniteQuery(apiWatchedList('revenueDeposits', { query: { limit: 1 } })).data?.pages[0]
    ?.waiting
  return (
    <AdminPage
      title={t('admin.area.rewardDistribution')}
      about={t('admin.about.rewardDistribution')}
      actions={
        may('operator') && (
          <Button variant="secondary" onClick={() => setPricing(true)}>
            {t('admin.prices.propose')}
          </Button>
        )
      }
    >
      <DryRunCard />
      <Chips label={t('adminSearch.lists')}>
        <Chip pressed={list === 'days'} onClick={() => setList('days')}>
          {t('admin.settlement.days')}
        </Chip>
        <Chip pressed={list === 'revenue'} onClick={() => setList('revenue')}>
          {t('admin.deposits.title')}
          {waiting !== undefined && <span className="tabular-nums">{formatCount(waiting)}</span>}
        </Chip>
      </Chips>
      {list === 'days' ? <DayList /> : <DepositList />}
      {isPricing && (
        <PriceSheet
          asset="AMC"
          onSubmit={(wanted, onDone) => {
            setPricing(false)
            want(wanted, onDone)
          }}
          onClose={() => setPricing(false)}
        />
      )}
      {sheets}
    </AdminPage>
  )
}
