import type { BankCallBody, RouteData } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { AddressFact, Button, Card, Countdown, Fact, Facts, MoneyFact } from '../../../ui/index.ts'
import { UtcTimeFact } from '../components/utc-time.tsx'

type BankState = NonNullable<RouteData<'emergency'>['chain']>
type Queued = BankState['queue'][number]

/** Returns the unique label of a part of a bank's switches. */
export type LabelOf = (text: string) => string

/** The call of the contract by which a change is executed or cancelled. */
const CALLS = {
  claim_signer: { execute: 'executeClaimSigner', cancel: 'cancelClaimSigner' },
  guardian_removal: { execute: 'executeGuardianRemoval', cancel: 'cancelGuardianRemoval' },
  cap_raise: { execute: 'executeCapRaise', cancel: 'cancelCapRaise' },
  destination: { execute: 'executeDestination', cancel: 'cancelDestination' },
  hand_over: { execute: 'executeHandOver', cancel: 'cancelHandOver' },
} as const

interface Props {
  state: BankState
  labelOf: LabelOf
  mayAsk: boolean
  onAsk: (what: BankCallBody) => void
}

/** The pending public changes, with the wallet's options for each. */
export function BankQueue({ state, labelOf, mayAsk, onAsk }: Props) {
  const { t } = useTranslation()
  return (
    <section aria-label={labelOf(t('admin.emergency.queue.title'))}>
      <Card className="flex flex-col gap-3">
        <h3 className="text-16 font-semibold">{t('admin.emergency.queue.title')}</h3>
        <p className="text-14 text-muted">{t('admin.emergency.queue.about')}</p>
        {state.queue.length === 0 && <p className="text-14">{t('admin.emergency.queue.none')}</p>}
        {state.queue.map((change) => (
          <QueuedChange
            key={`${change.kind}/${change.subject}`}
            change={change}
            state={state}
            mayAsk={mayAsk}
            onAsk={onAsk}
          />
        ))}
      </Card>
    </section>
  )
}

function QueuedChange({ change, state, mayAsk, onAsk }: Omit<Props, 'labelOf'> & { change: Queued }) {
  const { t } = useTranslation()
  const { kind, subject, asset, cap, executable_at, expires_at } = change
  const { pauser, guardian, admin } = state.you
  const isReady = Math.max(Date.now(), Date.parse(state.head_at)) >= Date.parse(executable_at)
  const mayCancel = admin || (kind !== 'guardian_removal' && (pauser || guardian))
  const ask = (what: 'execute' | 'cancel') => onAsk({ call: CALLS[kind][what], subject, bank: state.bank })
  return (
    <div className="flex flex-col gap-3 rounded-12 bg-sunken p-4">
      <h4 className="text-14 font-semibold">{t(`admin.emergency.queue.${kind}`)}</h4>
      {kind === 'hand_over' && <p className="text-14">{t('admin.emergency.queue.handOverAbout')}</p>}
      <Facts>
        <AddressFact label={t('admin.emergency.queue.subject')} value={subject} />
        {cap !== null && asset !== null && (
          <MoneyFact label={t('admin.emergency.queue.cap')} amount={cap} unit={asset} />
        )}
        <UtcTimeFact label={t('admin.emergency.queue.from')} value={executable_at} />
        <UtcTimeFact label={t('admin.emergency.queue.until')} value={expires_at} />
        {!isReady && (
          <Fact label={t('admin.emergency.queue.left')}>
            <Countdown until={executable_at} />
          </Fact>
        )}
      </Facts>
      {mayAsk && (
        <div className="flex flex-wrap gap-3">
          {admin && isReady && (
            <Button variant="secondary" onClick={() => ask('execute')}>
              {t('admin.emergency.call.execute')}
            </Button>
          )}
          {mayCancel && (
            <Button variant="danger" onClick={() => ask('cancel')}>
              {t('admin.emergency.call.cancel')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
