import type { Me } from '@rif/api-schema'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { PageLink } from '../../../lib/page-link.tsx'
import { Card, Section } from '../../../ui/card.tsx'
import { Money } from '../../../ui/money.tsx'

/** The two sides of the team: members and investment. */
export function TeamCard({ me }: { me: Me }) {
  const { t } = useTranslation()
  const sides = [
    {
      side: 'left',
      investment: me.left_team_investment,
      all: me.left_team_size_all,
      valid: me.left_team_size_valid,
    },
    {
      side: 'right',
      investment: me.right_team_investment,
      all: me.right_team_size_all,
      valid: me.right_team_size_valid,
    },
  ] as const
  return (
    <Section
      title={t('home.team')}
      aside={<PageLink to="/pages/index/team_user">{t('home.toTeam')}</PageLink>}
    >
      <div className="grid grid-cols-2 gap-3">
        {sides.map(({ side, investment, all, valid }) => (
          <Card key={side}>
            <p className="text-14 text-muted">{t(`side.${side}`)}</p>
            <p className="text-16 font-semibold">
              <Money amount={investment} unit="USDT" />
            </p>
            <p className="text-12 text-muted">
              {t('home.teamSize', { all: formatCount(all), valid: formatCount(valid) })}
            </p>
          </Card>
        ))}
      </div>
    </Section>
  )
}
