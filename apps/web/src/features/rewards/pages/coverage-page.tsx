import type { ProfitCoverage, RewardClassName } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, formatAmount, formatDay, formatPpm, useTranslation } from '../../../lib/index.ts'
import {
  BarChart,
  Card,
  Columns,
  EmptyState,
  ErrorState,
  Fact,
  Facts,
  HelpLink,
  Legend,
  ListSkeleton,
  Money,
  Notice,
  Page,
  Section,
  Segmented,
  Term,
} from '../../../ui/index.ts'
import { AttestationList } from '../../../wallet/rewards/attestation-list.tsx'
import { coverageDays, REWARD_CLASSES } from '../components/coverage-parts.tsx'

/** Shows what was due and paid of each class over 30 days, and the attested revenue. */
export default function CoveragePage() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('profitCoverage'))
  return (
    <Page title={t('rewards.coverage.title')} wide>
      {query.isPending && <ListSkeleton />}
      {query.isError && query.data === undefined && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data !== undefined && <Coverage coverage={query.data} />}
    </Page>
  )
}

function Coverage({ coverage }: { coverage: ProfitCoverage }) {
  const { t } = useTranslation()
  const [name, setName] = useState<RewardClassName>('commission')
  return (
    <Columns
      side={
        <Section title={<Term name="attested">{t('rewards.coverage.attested')}</Term>}>
          {coverage.attestations.length === 0 ? (
            <Card>
              <EmptyState
                icon="orders"
                title={t('rewards.coverage.none')}
                hint={t('rewards.coverage.noneHint')}
                next={{ to: '/pages/money-policy', label: t('money.title') }}
              />
            </Card>
          ) : (
            <AttestationList attestations={coverage.attestations} />
          )}
        </Section>
      }
    >
      <Segmented
        label={t('rewards.coverage.class')}
        options={REWARD_CLASSES.map((value) => ({ value, label: t(`coverage.${value}`) }))}
        value={name}
        onChange={setName}
      />
      <ClassCard key={name} coverage={coverage} name={name} />
      <Notice action={<HelpLink about="coverage.none" />}>{t('rewards.coverage.hint')}</Notice>
    </Columns>
  )
}

function ClassCard({ coverage, name }: { coverage: ProfitCoverage; name: RewardClassName }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const total = coverage.totals.find((row) => row.class === name)
  const days = coverageDays(coverage, name)
  const shown = days.find((day) => day.day === chosen) ?? total
  return (
    <Card className="flex flex-col gap-3">
      <div>
        <p className="text-14 text-muted">
          <Term name="coverage">{t('rewards.coverage.share')}</Term>
        </p>
        <p className="text-28 font-semibold">
          {total === undefined ? t('rewards.coverage.nothingDue') : formatPpm(total.coverage_ppm)}
        </p>
      </div>
      {shown !== undefined && (
        <>
          <BarChart
            label={t('rewards.coverage.chart', { name: t(`coverage.${name}`) })}
            unit="USDT"
            bars={days.map((day) => ({
              key: day.day,
              text: t('rewards.coverage.day', {
                day: formatDay(day.day),
                value: formatAmount(day.value),
                paid: formatAmount(day.paid),
              }),
              parts: [
                { value: Number(day.paid), tone: 'good' },
                { value: Number(day.unpaid), tone: 'warn' },
              ],
            }))}
            selected={chosen}
            onSelect={setChosen}
            from={formatDay(coverage.from)}
            to={formatDay(coverage.to)}
          />
          <Legend
            items={[
              { tone: 'good', label: t('rewards.coverage.paid') },
              { tone: 'warn', label: t('rewards.coverage.unpaid') },
            ]}
          />
          <Facts>
            <Fact label={t('rewards.detail.day')}>
              {chosen === null ? t('rewards.coverage.all') : formatDay(chosen)}
            </Fact>
            <Fact label={t('rewards.detail.value')}>
              <Money amount={shown.value} unit="USDT" />
            </Fact>
            <Fact label={t('rewards.coverage.paid')}>
              <Money amount={shown.paid} unit="USDT" />
            </Fact>
          </Facts>
        </>
      )}
    </Card>
  )
}
