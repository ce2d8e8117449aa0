import type { SettlementAlarm } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { Notice, Pill, type Tone } from '../../../ui/index.ts'

const TONES: Readonly<Record<SettlementAlarm, Tone>> = {
  late: 'bad',
  stopped: 'bad',
  price_missing: 'bad',
  uncovered: 'bad',
  low_coverage: 'warn',
}

const RERUN: ReadonlySet<SettlementAlarm> = new Set(['late', 'stopped', 'price_missing'])
/** Whether one of them stands on a day that is then settled again; the others are about what the pools held, and the day is done. */
export const asksForRerun = (alarms: readonly SettlementAlarm[]) => alarms.some((alarm) => RERUN.has(alarm))

/** What is wrong with a day, in a word each. */
export function AlarmPills({ alarms }: { alarms: readonly SettlementAlarm[] }) {
  const { t } = useTranslation()
  return alarms.map((alarm) => (
    <Pill key={alarm} tone={TONES[alarm]}>
      {t(`admin.settlement.alarm.${alarm}`)}
    </Pill>
  ))
}

/** What each alarm of a day means and what to do. */
export function AlarmHelp({ alarms }: { alarms: readonly SettlementAlarm[] }) {
  const { t } = useTranslation()
  return alarms.map((alarm) => (
    <Notice
      key={alarm}
      tone={TONES[alarm] === 'bad' ? 'bad' : 'warn'}
      title={t(`admin.settlement.alarm.${alarm}`)}
    >
      {t(`admin.settlement.help.${alarm}`)}
    </Notice>
  ))
}
