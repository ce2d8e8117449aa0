import type { ActivityDetail } from '@rif/api-schema'
import { formatPpm, useSession, useTranslation } from '../../../lib/index.ts'
import { AddressFact, Card, Fact, Facts, MoneyFact, Section } from '../../../ui/index.ts'
import { percentOf } from '../overview.ts'

/**
 * Shows the source of a transaction, its base and rate, the due and the paid amount, and the reason for a
 * lower payment.
 */
export function ActivityReason({ detail }: { detail: ActivityDetail }) {
  const { t } = useTranslation()
  const own = useSession().tokenAddress
  const { source, due } = detail
  const { address, label, name, base, ratio_ppm: ratio } = source
  const isDeparture = detail.kind.startsWith('withdrawal') || detail.amounts.some(isOut)
  const isReward = source.rewards > 0
  if (address === null && name === null && due.length === 0) return null
  return (
    <Section title={t('entry.reason.sum')}>
      <Card className="flex flex-col gap-3">
        <Facts>
          {label !== null && label !== '' && (
            <Fact label={t(isDeparture ? 'entry.reason.to' : 'entry.reason.who')}>{label}</Fact>
          )}
          {address !== null && address.toLowerCase() !== own.toLowerCase() && (
            <AddressFact label={t(isDeparture ? 'entry.reason.to' : 'entry.reason.who')} value={address} />
          )}
          {name !== null && (
            <Fact label={t(isReward ? 'entry.reason.package' : 'entry.reason.product')}>{name}</Fact>
          )}
          {base !== null && <MoneyFact label={t('entry.reason.base')} amount={base} unit="USDT" />}
          {ratio !== null && <Fact label={t('entry.reason.rate')}>{formatPpm(ratio)}</Fact>}
          {due.map((row) => (
            <Dues key={row.asset} row={row} isReward={isReward} />
          ))}
        </Facts>
        {due.map((row) => (
          <p key={row.asset} className="text-12 text-muted">
            {row.due === row.paid
              ? t('entry.reason.full')
              : t(isReward ? 'entry.reason.lessReward' : 'entry.reason.lessInterest', {
                  percent: percentOf(row) ?? '',
                })}
          </p>
        ))}
      </Card>
    </Section>
  )
}

const isOut = ({ amount }: ActivityDetail['amounts'][number]) => amount.startsWith('-')

function Dues({
  row: { asset, due, paid },
  isReward,
}: {
  row: ActivityDetail['due'][number]
  isReward: boolean
}) {
  const { t } = useTranslation()
  return (
    <>
      <MoneyFact label={t('entry.reason.dueIn', { asset })} amount={due} unit={asset} />
      <MoneyFact
        label={isReward ? t('entry.reason.paid') : t('entry.reason.paidIn', { asset })}
        amount={paid}
        unit={asset}
      />
    </>
  )
}
