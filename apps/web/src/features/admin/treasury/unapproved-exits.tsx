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
      {alarming.map((item) => (
        <Facts key={`${item.bank}/${item.onchain_id}`}>
          {item.amount !== null && item.asset !== null && (
            <MoneyFact label={t('admin.treasury.amount')} amount={item.amount} unit={item.asset} />
          )}
          <AddressFact label={t('admin.treasury.to')} value={item.destination} />
          {item.executable_at !== null && (
            <UtcTimeFact label={t('admin.treasury.canLeave')} value={item.executable_at} />
          )}
        </Facts>
      ))}
    </Notice>
  )
}
