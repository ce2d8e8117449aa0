import type { RouteData } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { AddressFact, Facts, MoneyFact, Notice } from '../../../ui/index.ts'
import { UtcTimeFact } from '../components/utc-time.tsx'

type Unapproved = RouteData<'treasury'>['unapproved'][number]

/** Exits in the contract for which the books have set nothing aside: a guardian cancels them at once. */
export function UnapprovedExits({ exits }: { exits: readonly Unapproved[] }) {
  const { t } = useTranslation()
  const alarming = exits.filter(({ state }) => state !== 'Cancelled')
  if (alarming.length === 0) return null
  return (
    <Notice tone="bad" title={t('admin.emergency.watch.alarm.exit_unapproved')}>
      <p className="mb-3">{t('admin.emergency.watch.action.exit_unapproved')}</p>
      {alarming.map((one) => (
        <Facts key={`${one.bank}/${one.onchain_id}`}>
          {one.amount !== null && one.asset !== null && (
            <MoneyFact label={t('admin.treasury.amount')} amount={one.amount} unit={one.asset} />
          )}
          <AddressFact label={t('admin.treasury.to')} value={one.destination} />
          {one.executable_at !== null && (
            <UtcTimeFact label={t('admin.treasury.canLeave')} value={one.executable_at} />
          )}
        </Facts>
      ))}
    </Notice>
  )
}
