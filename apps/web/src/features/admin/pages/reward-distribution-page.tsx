import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiList, useTranslation } from '../../../lib/index.ts'
import { Button, EmptyState, InfiniteList, Section } from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { RevenueSection } from '../deposits/revenue-section.tsx'
import { PriceSheet } from '../prices/price-sheet.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { DayRow } from '../settlement/day-row.tsx'
import { DryRunCard } from '../settlement/dry-run-card.tsx'

/** Each day and its settlement, what is wrong and what to do; and what the next settlement would pay. */
export default function RewardDistributionPage() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('settlementDays', { query: {} }))
  const may = useMay()
  const [open, setOpen] = useState<string | null>(null)
  const [isPricing, setPricing] = useState(false)
  const { want, sheets } = useProposals()
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
      <RevenueSection />
      <Section title={t('admin.settlement.days')}>
        <InfiniteList
          query={query}
          label={t('admin.settlement.days')}
          keyOf={(day) => day.day}
          empty={
            <EmptyState
              icon="clock"
              title={t('admin.settlement.none')}
              hint={t('admin.settlement.noneHint')}
            />
          }
          render={(day) => (
            <DayRow
              day={day}
              open={open === day.day}
              onToggle={() => setOpen(open === day.day ? null : day.day)}
            />
          )}
        />
      </Section>
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
