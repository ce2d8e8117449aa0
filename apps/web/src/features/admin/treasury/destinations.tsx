import type { BankCallBody, ExitDestination, RouteData } from '@rif/api-schema'
import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from '../../../lib/index.ts'
import { Address, Button, Countdown, ListSkeleton, Loaded, Pill, type Tone } from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'
import { Panel } from '../components/panel.tsx'
import { UtcTime } from '../components/utc-time.tsx'

type Bank = NonNullable<RouteData<'emergency'>['chain']>

interface Shared {
  /** The bank that takes orders; null while the chain does not answer. */
  bank: Bank | null
  onAsk: (what: BankCallBody) => void
}

interface Props extends Shared {
  query: UseQueryResult<RouteData<'exitDestinations'>>
  onAdd: () => void
}

/** Where exits may go: two admins name a wallet, then the default admin puts it on the contract's list in 48 hours. */
export function Destinations({ query, bank, onAdd, onAsk }: Props) {
  const { t } = useTranslation()
  const may = useMay()
  return (
    <Panel title={t('admin.treasury.destinations')}>
      <p className="text-14 text-muted">{t('admin.treasury.destinationsAbout')}</p>
      <Loaded query={query} skeleton={<ListSkeleton rows={3} />}>
        {({ items }) => {
          const current = items.filter(({ state }) => state !== 'cancelled' && state !== 'removed')
          if (current.length === 0)
            return <p className="text-14 font-medium">{t('admin.treasury.noDestination')}</p>
          return (
            <ul aria-label={t('admin.treasury.destinations')} className="flex flex-col gap-4">
              {current.map((one) => (
                <li key={one.address} className="border-t border-line pt-4 first:border-t-0 first:pt-0">
                  <Destination one={one} bank={bank} onAsk={onAsk} />
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
      {may('operator') && (
        <Button variant="secondary" onClick={onAdd}>
          {t('admin.treasury.addDestination')}
        </Button>
      )}
    </Panel>
  )
}

const TONES: Readonly<Record<ExitDestination['state'], Tone>> = {
  approved: 'info',
  queued: 'warn',
  listed: 'good',
  cancelled: 'neutral',
  removed: 'neutral',
}

function Destination({ one, bank, onAsk }: Shared & { one: ExitDestination }) {
  const { t } = useTranslation()
  const { approved, state, executable_at: executableAt } = one
  const isReady = executableAt !== null && Date.now() >= Date.parse(executableAt)
  return (
    <div className="flex flex-col gap-2 text-14">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className={approved === null ? 'font-semibold text-bad' : 'font-semibold'}>
          {approved?.name ?? t('admin.treasury.stranger')}
        </span>
        <Pill tone={approved === null ? 'bad' : TONES[state]}>{t(`admin.treasury.place.${state}`)}</Pill>
      </p>
      <p className="flex flex-wrap items-center gap-x-2 text-muted">
        <Address value={one.address} />
        <span className="wrap-anywhere">{approved?.purpose}</span>
      </p>
      {executableAt !== null && (
        <p className="flex flex-wrap gap-x-2 text-muted">
          <span>{t('admin.treasury.usableFrom')}</span>
          <UtcTime value={executableAt} />
          {!isReady && <Countdown until={executableAt} />}
        </p>
      )}
      {bank !== null && <Calls one={one} isReady={isReady} bank={bank} onAsk={onAsk} />}
    </div>
  )
}

/** Shows the actions of the caller's wallet on a destination in the contract. */
function Calls({
  one,
  isReady,
  bank: { bank, you },
  onAsk,
}: { one: ExitDestination; isReady: boolean; bank: Bank } & Pick<Shared, 'onAsk'>) {
  const { t } = useTranslation()
  const may = useMay()
  const ask = (call: BankCallBody['call']) => () => onAsk({ call, subject: one.address, bank })
  const { state } = one
  if (!may('approver')) return null
  return (
    <div className="flex flex-wrap gap-3">
      {state === 'approved' && you.admin && (
        <Button variant="secondary" onClick={ask('queueDestination')}>
          {t('admin.emergency.call.queueDestination')}
        </Button>
      )}
      {state === 'queued' && you.admin && isReady && (
        <Button variant="secondary" onClick={ask('executeDestination')}>
          {t('admin.treasury.list')}
        </Button>
      )}
      {state === 'queued' && (you.admin || you.pauser || you.guardian) && (
        <Button variant="danger" onClick={ask('cancelDestination')}>
          {t('admin.emergency.call.cancel')}
        </Button>
      )}
      {state === 'listed' && you.admin && (
        <Button variant="danger" onClick={ask('removeDestination')}>
          {t('admin.emergency.call.removeDestination')}
        </Button>
      )}
    </div>
  )
}
