import type { TeamMember } from '@rif/api-schema'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { PageLink } from '../../../lib/page-link.tsx'
import { apiList, apiQuery, useListRefresh } from '../../../lib/queries.ts'
import { Address } from '../../../ui/address.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Card, Fact, Facts } from '../../../ui/card.tsx'
import { InfiniteList } from '../../../ui/infinite-list.tsx'
import { Money } from '../../../ui/money.tsx'
import { Page } from '../../../ui/page.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { Time } from '../../../ui/time.tsx'

const SCOPES = ['all', 'left', 'right', 'direct'] as const
type Scope = (typeof SCOPES)[number]

/** Who is in my team: both sides, or those I invited myself. */
export default function TeamPage() {
  const { t } = useTranslation()
  const [scope, setScope] = useState<Scope>('all')
  const me = useQuery(apiQuery('me')).data
  const query = useInfiniteQuery(apiList('relation', { query: { scope } }))
  const refresh = useListRefresh('relation')
  return (
    <Page title={t('team.title')}>
      {me !== undefined && (
        <Card>
          <Facts>
            <Fact label={t('my.teamSize')}>
              {t('my.counts', { all: formatCount(me.team_size_all), valid: formatCount(me.team_size_valid) })}
            </Fact>
            <Fact label={t('team.month')}>
              <Money amount={me.month_team_invest} unit="USDT" />
            </Fact>
          </Facts>
        </Card>
      )}
      <Segmented
        label={t('team.scope')}
        options={SCOPES.map((value) => ({ value, label: t(`team.scope_${value}`) }))}
        value={scope}
        onChange={setScope}
      />
      <InfiniteList
        key={scope}
        query={query}
        onRefresh={refresh}
        label={t('team.title')}
        keyOf={(member) => member.member_id}
        render={(member) => <MemberCard member={member} />}
        estimatePx={190}
        empty={
          <EmptyState
            icon="team"
            title={t('team.empty')}
            hint={t('team.emptyHint')}
            action={
              <PageLink to="/pages/my/invite/index" className={buttonClass('secondary')}>
                {t('my.invite')}
              </PageLink>
            }
          />
        }
      />
    </Page>
  )
}

function MemberCard({ member }: { member: TeamMember }) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <Address value={member.address} className="text-16 font-medium" />
        <Pill tone={member.state === 'active' ? 'good' : 'neutral'}>{t(`team.${member.state}`)}</Pill>
      </div>
      <Facts>
        <Fact label={t('team.level')}>
          {member.level > 0 ? t('my.level', { level: member.level }) : t('my.noLevel')}
        </Fact>
        {member.section !== null && <Fact label={t('team.section')}>{t(`side.${member.section}`)}</Fact>}
        <Fact label={t('team.investment')}>
          <Money amount={member.investment} unit="USDT" />
        </Fact>
        <Fact label={t('team.joined')}>
          <Time value={member.join_time} />
        </Fact>
        {member.inviter_address !== null && (
          <Fact label={t('team.inviter')}>
            <Address value={member.inviter_address} copy={false} />
          </Fact>
        )}
      </Facts>
    </Card>
  )
}
