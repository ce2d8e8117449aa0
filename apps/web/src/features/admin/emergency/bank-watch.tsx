import type { RouteData } from '@rif/api-schema'
import { formatAmount, useTranslation } from '../../../lib/index.ts'
import { AddressFact, Card, Fact, Facts, MoneyFact, Pill, Section } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { AdminName } from '../components/admin-page.tsx'
import { UtcTimeFact } from '../components/utc-time.tsx'

type Report = RouteData<'emergency'>['watch']

/**
 * The active alarms, each with its meaning and the required action, and the latest changes of the bank
 * contract.
 */
export function BankWatch({ report }: { report: Report }) {
  const { t } = useTranslation()
  return (
    <>
      <Section title={t('admin.emergency.watch.title')}>
        <Card className="flex flex-col gap-3">
          {report.alarms.length === 0 && <p className="text-14">{t('admin.emergency.watch.none')}</p>}
          {report.alarms.map(({ kind, detail, since }) => (
            <section key={kind} aria-label={t(`admin.emergency.watch.alarm.${kind}`)}>
              <p className="text-14 font-semibold text-bad">{t(`admin.emergency.watch.alarm.${kind}`)}</p>
              <p className="text-12 wrap-anywhere text-muted">{detail}</p>
              <Facts>
                <Fact label={t('admin.emergency.watch.todo')}>
                  {t(`admin.emergency.watch.action.${kind}`)}
                </Fact>
                <UtcTimeFact label={t('admin.emergency.watch.since')} value={since} />
              </Facts>
            </section>
          ))}
          {report.caps.map(({ asset, cap, remaining }) => (
            <p key={asset} className="text-14 text-muted">
              {t('admin.emergency.watch.left', {
                asset,
                amount: formatAmount(remaining),
                cap: formatAmount(cap),
              })}
            </p>
          ))}
        </Card>
      </Section>
      <Section title={t('admin.emergency.watch.changes')}>
        <Card className="flex flex-col gap-3">
          {report.changes.length === 0 && <p className="text-14">{t('admin.emergency.watch.noChanges')}</p>}
          {report.changes.map((change) => (
            <Change key={`${change.tx_hash}/${change.log_index}`} change={change} />
          ))}
        </Card>
      </Section>
    </>
  )
}

function Change({ change }: { change: Report['changes'][number] }) {
  const { t } = useTranslation()
  const { kind, role, account, asset, cap, proposed_by, changed_at, tx_hash } = change
  return (
    <div className="flex flex-col gap-2 rounded-12 bg-sunken p-4">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-14 font-semibold">
          {t(`admin.emergency.watch.change.${kind}`)}
          {role !== null && `: ${t(`admin.emergency.watch.role.${role}`)}`}
        </span>
        {proposed_by === null && <Pill tone="bad">{t('admin.emergency.watch.unannounced')}</Pill>}
      </p>
      <Facts>
        {account !== null && <AddressFact label={t('admin.emergency.queue.subject')} value={account} />}
        {cap !== null && asset !== null && (
          <MoneyFact label={t('admin.emergency.queue.cap')} amount={cap} unit={asset} />
        )}
        {proposed_by !== null && (
          <Fact label={t('admin.emergency.watch.announcedBy')}>
            <AdminName actor={proposed_by} />
          </Fact>
        )}
        <UtcTimeFact label={t('admin.emergency.watch.since')} value={changed_at} />
        <Fact label={t('adminSearch.order.hash')}>
          <TxHash value={tx_hash} />
        </Fact>
      </Facts>
    </div>
  )
}
