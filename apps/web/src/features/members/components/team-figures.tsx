import type { Me } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatAmount, formatCount, sumAmounts, useTranslation } from '../../../lib/index.ts'
import { Card, Stat, Term } from '../../../ui/index.ts'
import { balanceOf, SidesBars } from './sides-card.tsx'

const UNKNOWN = '…'

/** This month's purchases by side, and the pairing rewards of the last 30 days; texts are `…` until they load. */
function useRecent() {
  const { t } = useTranslation()
  const month = useQuery(apiQuery('volumes', { query: { months: 1 } })).data?.items.at(-1)?.volumes
  const rewards = useQuery(apiQuery('profitType', { query: {} })).data?.items
  const pairing = rewards?.filter(({ type }) => type === 'PairingReward')
  const sum = (amounts: string[] | undefined) =>
    amounts === undefined ? UNKNOWN : formatAmount(sumAmounts(amounts))
  return {
    sides:
      month === undefined
        ? UNKNOWN
        : t('team.leftRight', { left: formatAmount(month.left), right: formatAmount(month.right) }),
    paid: sum(pairing?.map(({ paid }) => paid)),
    due: sum(pairing?.map(({ value }) => value)),
  }
}

/** Shows the size of the team, this month's purchases, and the balance of the sides, in one card for a phone. */
export function TeamSummary({ me }: { me: Me }) {
  const { t } = useTranslation()
  const { sides, paid, due } = useRecent()
  return (
    <Card className="flex flex-col gap-4">
      <div className="grid grid-cols-2 gap-3">
        <Stat
          label={t('my.teamSize')}
          value={formatCount(me.team_size_all)}
          hint={t('my.valid', { count: formatCount(me.team_size_valid) })}
        />
        <Stat label={t('team.month')} value={formatAmount(me.month_team_invest)} hint={sides} />
      </div>
      <hr className="border-line" />
      <SidesBars me={me} />
      <p className="text-12 text-muted">
        {t('team.matching')} {t('team.pairing', { due, paid })}
      </p>
    </Card>
  )
}

/** The same figures in one strip across a desktop. */
export function TeamStrip({ me }: { me: Me }) {
  const { t } = useTranslation()
  const { sides, paid, due } = useRecent()
  const { both, more, side } = balanceOf(me)
  const valid = (count: number) => t('my.valid', { count: formatCount(count) })
  return (
    <div className="grid grid-cols-5 divide-x divide-line rounded-16 bg-card py-3 *:px-4">
      <Stat label={t('my.teamSize')} value={formatCount(me.team_size_all)} hint={valid(me.team_size_valid)} />
      <Stat
        label={t('my.invited')}
        value={formatCount(me.invited_count_all)}
        hint={valid(me.invited_count_valid)}
      />
      <Stat label={t('team.month')} value={formatAmount(me.month_team_invest)} hint={sides} />
      <Stat
        label={<Term name="binary">{t('team.bothAllTime')}</Term>}
        value={formatAmount(formatMicros(both))}
        {...(side !== null && {
          hint: t(`team.oneSide_${side}`, { amount: formatAmount(formatMicros(more)) }),
        })}
      />
      <Stat
        label={<Term name="pairing">{t('team.pairing30')}</Term>}
        value={paid}
        hint={t('team.ofDue', { due })}
      />
    </div>
  )
}
