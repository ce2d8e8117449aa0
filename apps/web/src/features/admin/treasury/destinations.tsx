import type { BankCallBody, ExitDestination, RouteData } from '@rif/api-schema'
import type { UseQueryResult } from '@tanstack/react-query'
import { cx, useTranslation } from '../../../lib/index.ts'
import { Address, Avatar, Button, ListSkeleton, Loaded, Meter, Pill, type Tone } from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'
import { Panel } from '../components/panel.tsx'
import { useSpans } from '../components/span.ts'
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

/**
 * The exit destinations: two admins approve a wallet, then the default admin lists it in the contract within
 * 48 hours.
 */
export function Destinations({ query, bank, onAdd, onAsk }: Props) {
  const { t } = useTranslation()
  const may = useMay()
  return (
    <Panel
      title={t('admin.treasury.destinations')}
      aside={
        may('operator') && (
          <button
            type="button"
            onClick={onAdd}
            className="touch-line min-h-8 min-w-11 text-14 font-medium text-accent"
          >
            {t('admin.treasury.addDestination')}
          </button>
        )
      }
    >
      <p className="text-14 text-muted">{t('admin.treasury.destinationsAbout')}</p>
      <Loaded query={query} skeleton={<ListSkeleton rows={3} />}>
        {({ items }) => {
          const current = items.filter(({ state }) => state !== 'cancelled' && state !== 'removed')
          if (current.length === 0)
            return <p className="text-14 font-medium">{t('admin.treasury.noDestination')}</p>
          return (
            <ul aria-label={t('admin.treasury.destinations')} className="flex flex-col gap-3">
              {current.map((item) => (
                <li key={item.address} className="border-t border-line pt-3 first:border-t-0 first:pt-0">
                  <Destination destination={item} bank={bank} onAsk={onAsk} />
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
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

/** The time between the announcement of a destination and its entry in the contract's list. */
const WAIT_MS = 48 * 60 * 60_000

function Destination({ destination, bank, onAsk }: Shared & { destination: ExitDestination }) {
  const { t } = useTranslation()
  const { approved, state, executable_at: executableAt } = destination
  const isReady = executableAt !== null && Date.now() >= Date.parse(executableAt)
  return (
    <div className="flex flex-col gap-2 text-14">
      <div className="flex items-start gap-3">
        <Avatar address={destination.address} size={36} />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center justify-between gap-x-2">
            <span className={cx('wrap-anywhere font-medium', approved === null && 'text-bad')}>
              {approved?.name ?? t('admin.treasury.stranger')}
            </span>
            <Pill tone={approved === null ? 'bad' : TONES[state]}>{t(`admin.treasury.place.${state}`)}</Pill>
          </p>
          <p className="wrap-anywhere text-12 text-muted">{approved?.purpose}</p>
          <Address value={destination.address} />
        </div>
      </div>
      {executableAt !== null && <Waited name={approved?.name ?? destination.address} until={executableAt} />}
      {bank !== null && <Calls destination={destination} isReady={isReady} bank={bank} onAsk={onAsk} />}
    </div>
  )
}

/** Shows the elapsed part of a destination's 48 public hours. */
function Waited({ name, until }: { name: string; until: string }) {
  const { t } = useTranslation()
  const { since } = useSpans()
  const from = Date.parse(until) - WAIT_MS
  const share = Math.min(1, Math.max(0, (Date.now() - from) / WAIT_MS))
  const text = t('admin.treasury.waitedOf', {
    span: since(new Date(Math.max(from, Date.now() - WAIT_MS)).toISOString()),
  })
  return (
    <div className="flex flex-col gap-1">
      <Meter label={name} share={share} text={text} />
      <p className="flex flex-wrap justify-between gap-x-3 text-12 text-muted">
        <span>{text}</span>
        <span>
          {t('admin.treasury.usableFrom')} <UtcTime value={until} />
        </span>
      </p>
    </div>
  )
}

/** Shows the actions of the caller's wallet on a destination in the contract. */
function Calls({
  destination,
  isReady,
  bank: { bank, you },
  onAsk,
}: { destination: ExitDestination; isReady: boolean; bank: Bank } & Pick<Shared, 'onAsk'>) {
  const { t } = useTranslation()
  const may = useMay()
  const ask = (call: BankCallBody['call']) => () => onAsk({ call, subject: destination.address, bank })
  const { state } = destination
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
