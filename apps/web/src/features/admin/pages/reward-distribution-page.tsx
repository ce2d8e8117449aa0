import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { apiList } from '../../../lib/queries.ts'
import { Section } from '../../../ui/card.tsx'
import { InfiniteList } from '../../../ui/infinite-list.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { AdminPage } from '../components/admin-page.tsx'
import { DayRow } from '../settlement/day-row.tsx'
import { DryRunCard } from '../settlement/dry-run-card.tsx'

/** Each day and its settlement, what is wrong and what to do; and what the next settlement would pay. */
export default function RewardDistributionPage() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('settlementDays', { query: {} }))
  const [open, setOpen] = useState<string | null>(null)
  return (
    <AdminPage title={t('admin.area.rewardDistribution')}>
      <DryRunCard />
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
    </AdminPage>
  )
}
