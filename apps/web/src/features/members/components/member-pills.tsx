import type { TeamMember } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { Pill } from '../../../ui/index.ts'

/** What a member is: level, state, and on which side of the viewer. */
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
