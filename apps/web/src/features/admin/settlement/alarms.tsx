import type { SettlementAlarm } from '@rif/api-schema'
import { useTranslation } from 'react-i18next'
import { copyText } from '../../../lib/clipboard.ts'
import { Button } from '../../../ui/button.tsx'
import { Pill, type Tone } from '../../../ui/pill.tsx'
import { Notice } from '../../../ui/states.tsx'

const TONES: Readonly<Record<SettlementAlarm, Tone>> = {
  late: 'bad',
  stopped: 'bad',
  price_missing: 'bad',
  uncovered: 'bad',
  low_coverage: 'warn',
}

/** Alarms after which the day is settled again; the others are about what the pools held, and the day is done. */
const RERUN: ReadonlySet<SettlementAlarm> = new Set(['late', 'stopped', 'price_missing'])

/** What is wrong with a day, in a word each. */
export function AlarmPills({ alarms }: { alarms: readonly SettlementAlarm[] }) {
  const { t } = useTranslation()
  return alarms.map((alarm) => (
    <Pill key={alarm} tone={TONES[alarm]}>
      {t(`admin.settlement.alarm.${alarm}`)}
    </Pill>
  ))
}

export interface AlarmHelpProps {
  day: string
  alarms: readonly SettlementAlarm[]
  /** Of a dry run: nothing has gone wrong yet, so there is nothing to settle again. */
  isForeseen?: boolean
}

/** What each alarm of a day means and what to do; a day that is not settled comes with the command that settles it. */
export function AlarmHelp({ day, alarms, isForeseen = false }: AlarmHelpProps) {
  const { t } = useTranslation()
  const command = `rif settle --day ${day}`
  return (
    <>
      {alarms.map((alarm) => (
        <Notice
          key={alarm}
          tone={TONES[alarm] === 'bad' ? 'bad' : 'warn'}
          title={t(`admin.settlement.alarm.${alarm}`)}
        >
          {t(`admin.settlement.help.${alarm}`)}
        </Notice>
      ))}
      {!isForeseen && alarms.some((alarm) => RERUN.has(alarm)) && (
        <div className="flex flex-wrap items-center gap-3 text-14">
          <span className="text-muted">{t('admin.settlement.rerun')}</span>
          <code className="wrap-anywhere rounded-8 bg-sunken px-2 py-1 font-mono">{command}</code>
          <Button variant="secondary" icon="copy" onClick={() => void copyText(command)}>
            {t('admin.settlement.copyCommand')}
          </Button>
        </div>
      )}
    </>
  )
}
