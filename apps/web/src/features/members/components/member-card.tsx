import type { TeamMember } from '@rif/api-schema'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { Address } from '../../../ui/address.tsx'
import { Card, Fact, Facts } from '../../../ui/card.tsx'
import { Money } from '../../../ui/money.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { JoinFacts } from './join-facts.tsx'

export interface MemberCardProps {
  member: TeamMember
  /** The viewer's own name for the member. */
  label: string | undefined
}

/** A member of the team in the list. */
export function MemberCard({ member, label }: MemberCardProps) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <div className="min-w-0">
          {label && <p className="truncate text-16 font-semibold">{label}</p>}
          <Address value={member.address} className={label ? 'text-14 text-muted' : 'text-16 font-medium'} />
        </div>
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
        <Fact label={t('team.below')}>
          {t('my.counts', {
            all: formatCount(member.team_size_all),
            valid: formatCount(member.team_size_valid),
          })}
        </Fact>
        <JoinFacts member={member} />
      </Facts>
    </Card>
  )
}
