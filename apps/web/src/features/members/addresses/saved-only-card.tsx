import type { RouteData } from '@rif/api-schema'
import { formatTime, useTranslation } from '../../../lib/index.ts'
import { Card, HelpLink, Icon, Notice, StopWaiting, Switch } from '../../../ui/index.ts'
import { useSignedMutation } from '../../../wallet/member-consent.ts'

const RULES = [
  ['new', 'clock'],
  ['off', 'lock'],
  ['signature', 'key'],
] as const

/** Switches "saved addresses only" on at once, or off after the delay. The wallet signs both. */
export function SavedOnlyCard({ book }: { book: RouteData<'contacts'> }) {
  const { t } = useTranslation()
  const { on, off_from: offFrom } = book.saved_only
  const change = useSignedMutation('setSavedOnly', { refresh: ['contacts'] })
  const set = (next: boolean) =>
    change.send({ body: { on: next }, wish: { kind: 'saved_only', on: next }, needed: true }, () => undefined)
  return (
    <Card className="flex flex-col gap-3">
      <Switch
        label={t('addresses.only')}
        checked={on && offFrom === null}
        disabled={change.isPending || !change.isReady}
        onChange={set}
      />
      <StopWaiting />
      <p className="-mt-2 text-14 text-muted">{t('addresses.onlyHint')}</p>
      {on && offFrom !== null && (
        <Notice
          tone="warn"
          title={t('addresses.goingOff', { at: formatTime(offFrom) ?? '' })}
          action={<HelpLink about="addresses.waits" />}
        >
          {t('addresses.goingOffText')}
        </Notice>
      )}
      <ul className="flex flex-col gap-3 border-t border-line pt-3 text-14">
        {RULES.map(([name, icon]) => (
          <li key={name} className="flex gap-3">
            <Icon name={icon} size={20} className="text-muted" />
            {t(`addresses.rule.${name}`, { hours: book.delay_hours })}
          </li>
        ))}
      </ul>
    </Card>
  )
}
