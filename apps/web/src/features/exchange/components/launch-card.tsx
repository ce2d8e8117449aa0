import type { Launch } from '@rif/api-schema'
import { useState } from 'react'
import { formatPpm, useTranslation } from '../../../lib/index.ts'
import { Button, Card, Fact, Facts, Money, Pill, Time, type Tone } from '../../../ui/index.ts'
import { subscribedPpm } from '../exchange-draft.ts'
import { SubscribeSheet } from './subscribe-sheet.tsx'

const TONES: Record<Launch['phase'], Tone> = {
  Upcoming: 'info',
  Open: 'good',
  Closed: 'warn',
  Allocated: 'neutral',
}

/** A VC launch: what it offers, how much is subscribed, the own part, and putting VC in while it is open. */
export function LaunchCard({ launch, vcAvailable }: { launch: Launch; vcAvailable: string | undefined }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const { name, introduction, phase, own } = launch
  const filled = subscribedPpm(launch)
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-start justify-between gap-3">
        <h3 className="text-16 font-semibold">{name}</h3>
        <Pill tone={TONES[phase]}>{t(`exchange.phase.${phase}`)}</Pill>
      </div>
      {introduction !== '' && <p className="whitespace-pre-line text-14 text-muted">{introduction}</p>}
      <Facts>
        <Fact label={t('exchange.launch.allocation')}>
          <Money amount={launch.allocation} unit={t('exchange.launch.units')} />
        </Fact>
        <Fact label={t('exchange.launch.price')}>
          <Money amount={launch.price} unit="VC" />
        </Fact>
        <Fact label={t('exchange.launch.subscribed')}>
          <Money amount={launch.subscribed} unit="VC" />
          <span className="block text-12 text-muted">
            {t('exchange.launch.filled', { percent: formatPpm(filled) })}
          </span>
        </Fact>
        <Fact label={phase === 'Upcoming' ? t('exchange.launch.starts') : t('exchange.launch.ends')}>
          <Time value={phase === 'Upcoming' ? launch.starts_at : launch.ends_at} />
        </Fact>
        {own !== null && <OwnPart own={own} />}
      </Facts>
      {phase === 'Open' && vcAvailable !== undefined && (
        <Button variant="secondary" block onClick={() => setOpen(true)}>
          {t('exchange.launch.putIn')}
        </Button>
      )}
      {open && vcAvailable !== undefined && (
        <SubscribeSheet launch={launch} vcAvailable={vcAvailable} onClose={() => setOpen(false)} />
      )}
    </Card>
  )
}

function OwnPart({ own }: { own: NonNullable<Launch['own']> }) {
  const { t } = useTranslation()
  return (
    <>
      <Fact label={t('exchange.launch.own')}>
        <Money amount={own.vc} unit="VC" className="font-semibold" />
      </Fact>
      {own.units !== null && (
        <Fact label={t('exchange.launch.position')}>
          <Money amount={own.units} unit={t('exchange.launch.units')} className="font-semibold" />
        </Fact>
      )}
      {own.spent !== null && (
        <Fact label={t('exchange.launch.spent')}>
          <Money amount={own.spent} unit="VC" />
        </Fact>
      )}
      {own.returned !== null && (
        <Fact label={t('exchange.launch.returned')}>
          <Money amount={own.returned} unit="VC" />
        </Fact>
      )}
    </>
  )
}
