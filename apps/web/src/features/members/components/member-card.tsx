import type { TeamMember } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { formatCount, useTranslation } from '../../../lib/index.ts'
import { Address, Card, Money, Pill, Time } from '../../../ui/index.ts'

/** A member's level, state, and side of the viewer. */
export function MemberPills({ member }: { member: Pick<TeamMember, 'level' | 'state' | 'section'> }) {
  const { t } = useTranslation()
  const { level, state, section } = member
  return (
    <div className="flex flex-wrap gap-2">
      <Pill tone={level > 0 ? 'info' : 'neutral'}>
        {level > 0 ? t('my.level', { level }) : t('my.noLevel')}
      </Pill>
      <Pill tone={state === 'active' ? 'good' : 'neutral'}>{t(`team.${state}`)}</Pill>
      {section !== null && <Pill>{t(`side.${section}`)}</Pill>}
    </div>
  )
}

export interface MemberCardProps {
  member: TeamMember
  /** The viewer's own name for the member. */
  label: string | undefined
}

/** A member of the team in the list. */
export function MemberCard({ member, label }: MemberCardProps) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-2">
      <div className="min-w-0">
        {label && <p className="truncate text-16 font-semibold">{label}</p>}
        <Address value={member.address} className={label ? 'text-14 text-muted' : 'text-16 font-medium'} />
      </div>
      <MemberPills member={member} />
      <dl className="flex flex-wrap gap-x-4 gap-y-1 text-12">
        <Detail label={t('team.investment')}>
          <Money amount={member.investment} unit="USDT" />
        </Detail>
        <Detail label={t('team.below')}>
          {t('my.counts', {
            all: formatCount(member.team_size_all),
            valid: formatCount(member.team_size_valid),
          })}
        </Detail>
        <Detail label={t('team.joined')}>
          <Time value={member.join_time} />
        </Detail>
        {member.inviter_address !== null && (
          <Detail label={t('team.inviter')}>
            <Address value={member.inviter_address} copy={false} />
          </Detail>
        )}
      </dl>
    </Card>
  )
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
