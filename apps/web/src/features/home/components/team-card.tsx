import type { Me } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { apiQuery, formatCount, isZero, PageLink, useTranslation } from '../../../lib/index.ts'
import { Card, Money, Section, Skeleton } from '../../../ui/index.ts'
import { leftShare } from '../overview.ts'

const VolumeChart = lazy(() =>
  import('./home-charts.tsx').then(({ VolumeChart }) => ({ default: VolumeChart })),
)

/** The two sides of the team: members, investment, and how that went by month. */
export function TeamCard({ me }: { me: Me }) {
  const { t } = useTranslation()
  const months = useQuery(apiQuery('volumes', { query: { months: 12 } })).data?.items
  const hasVolume = months?.some(({ volumes }) => !isZero(volumes.left) || !isZero(volumes.right)) ?? false
  return (
    <Section
      title={t('home.team')}
      aside={<PageLink to="/pages/index/team_user">{t('home.toTeam')}</PageLink>}
    >
      <Card className="flex flex-col gap-4">
        <div className="grid grid-cols-2 gap-4">
          <Side side="left" me={me} />
          <Side side="right" me={me} />
        </div>
        <Balance left={me.left_team_investment} right={me.right_team_investment} />
        {hasVolume && months !== undefined && (
          <Suspense fallback={<Skeleton className="h-44 rounded-8" />}>
            <VolumeChart months={months} />
          </Suspense>
        )}
      </Card>
    </Section>
  )
}

function Side({ side, me }: { side: 'left' | 'right'; me: Me }) {
  const { t } = useTranslation()
  return (
    <div className={side === 'right' ? 'text-right' : undefined}>
      <p className="text-14 text-muted">{t(`side.${side}`)}</p>
      <p className="text-16 font-semibold max-[359px]:text-14">
        <Money amount={me[`${side}_team_investment`]} unit="USDT" />
      </p>
      <p className="text-12 text-muted">
        {t('home.teamSize', {
          all: formatCount(me[`${side}_team_size_all`]),
          valid: formatCount(me[`${side}_team_size_valid`]),
        })}
      </p>
    </div>
  )
}

/** The two sides beside each other, as long as what they hold. */
function Balance({ left, right }: { left: string; right: string }) {
  const share = leftShare(left, right)
  const isEmpty = isZero(left) && isZero(right)
  return (
    <div aria-hidden="true" className="flex h-2 gap-0.5 overflow-hidden rounded-full bg-sunken">
      <span className={isEmpty ? undefined : 'bg-accent'} style={{ width: `${share * 100}%` }} />
      <span className={isEmpty ? undefined : 'flex-1 bg-good'} />
    </div>
  )
}
