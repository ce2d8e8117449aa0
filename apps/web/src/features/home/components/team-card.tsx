import type { Me } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import {
  apiQuery,
  formatAmount,
  formatCount,
  isZero,
  PageLink,
  TWO_DECIMALS,
  useTranslation,
} from '../../../lib/index.ts'
import { Card, Parts, Section, Skeleton } from '../../../ui/index.ts'

const VolumeChart = lazy(() => import('./volume-chart.tsx'))

const SIDES = ['left', 'right'] as const

/** The two sides of the team: members, investment, and its development by month. */
export function TeamCard({ me }: { me: Me }) {
  const { t } = useTranslation()
  const months = useQuery(apiQuery('volumes', { query: { months: 12 } })).data?.items
  const hasVolume = months?.some(({ volumes }) => !isZero(volumes.left) || !isZero(volumes.right)) ?? false
  const invested = (side: (typeof SIDES)[number]) => formatAmount(me[`${side}_team_investment`], TWO_DECIMALS)
  return (
    <Section
      title={t('home.team')}
      aside={<PageLink to="/pages/index/team_user">{t('home.toTeam')}</PageLink>}
    >
      <Card className="flex flex-col gap-3">
        <div className="grid grid-cols-2 gap-4">
          {SIDES.map((side) => (
            <div key={side} className={side === 'right' ? 'text-right' : undefined}>
              <p className="text-16 font-semibold">{t(`side.${side}`)}</p>
              <p className="text-14 text-muted">
                {t('home.teamSize', {
                  all: formatCount(me[`${side}_team_size_all`]),
                  valid: formatCount(me[`${side}_team_size_valid`]),
                })}
              </p>
            </div>
          ))}
        </div>
        <Parts
          label={SIDES.map((side) => `${t(`side.${side}`)} ${invested(side)} USDT`).join(', ')}
          // A number only for the length of the bar.
          parts={SIDES.map((side) => ({
            colour: side === 'left' ? 'wallet' : 'platform',
            size: Number(me[`${side}_team_investment`]),
          }))}
        />
        <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-14 font-medium">
          <span>{invested('left')}</span>
          <span className="text-12 font-normal text-muted">{t('home.allTime')}</span>
          <span>{invested('right')}</span>
        </p>
        {hasVolume && months !== undefined && (
          <Suspense fallback={<Skeleton className="h-44 rounded-8" />}>
            <VolumeChart months={months} />
          </Suspense>
        )}
      </Card>
    </Section>
  )
}
