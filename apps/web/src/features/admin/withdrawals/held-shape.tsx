import { type AuditedDeparture, type RiskReason, type RouteInput, riskReason } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import {
  formatAmount,
  levelName,
  shortAddress,
  shortestAddress,
  sumAmounts,
  type Translate,
  useTranslation,
} from '../../../lib/index.ts'
import { Avatar, Pill, type Tone } from '../../../ui/index.ts'
import { utcText } from '../components/utc-time.tsx'
import type { FilterField } from '../list/list-filters.ts'
import type { ListShape } from '../list/list-rows.ts'

type Query = RouteInput<'auditQueue'>['query']

/** The filters of the list of withdrawals and transfers. */
export function heldFields(t: Translate): readonly FilterField<Query>[] {
  const all = ['', t('desk.filter.all')] as const
  return [
    {
      name: 'state',
      label: t('desk.held.state'),
      as: 'tabs',
      initial: 'open',
      options: [
        ['open', t('desk.filter.open')],
        ['held', t('admin.status.Auditing')],
        ['proposed', t('desk.held.withApprovers')],
        ['ready', t('admin.status.Withdrawable')],
        ['done', t('admin.status.Success')],
        ['rejected', t('admin.status.Rejected')],
        ['cancelled', t('admin.status.Cancelled')],
      ],
    },
    { name: 'q', label: t('desk.filter.search'), as: 'search' },
    {
      name: 'is',
      label: t('desk.filter.sort'),
      as: 'choice',
      options: [all, ['withdrawal', t('desk.filter.withdrawals')], ['transfer', t('desk.filter.transfers')]],
    },
    {
      name: 'asset',
      label: t('desk.filter.asset'),
      as: 'choice',
      options: [all, ['USDT', 'USDT'], ['AMC', 'AMC']],
    },
    {
      name: 'risk',
      label: t('desk.held.why'),
      as: 'choice',
      options: [all, ...riskReason.options.map((reason) => [reason, t(`admin.risk.${reason}`)] as const)],
    },
    {
      name: 'order',
      label: t('desk.filter.order'),
      as: 'choice',
      options: [
        ['', t('desk.filter.usual')],
        ['oldest', t('desk.filter.oldest')],
        ['newest', t('desk.filter.newest')],
        ['largest', t('desk.filter.largest')],
      ],
    },
    { name: 'least', label: t('desk.filter.least'), as: 'amount' },
    { name: 'from', label: t('desk.filter.from'), as: 'day' },
    { name: 'to', label: t('desk.filter.to'), as: 'day' },
  ]
}

/**
 * Returns the whole query of the list: the longest waiting first if action is needed, otherwise the newest.
 */
export const heldQuery = (query: Partial<Query>): Query => ({
  order: query.state === 'held' || query.state === 'proposed' ? 'oldest' : 'newest',
  ...query,
})

export const RISK_TONES: Readonly<Record<RiskReason, Tone>> = {
  large_amount: 'warn',
  new_address: 'warn',
  risk_flag: 'bad',
  sudden_amount: 'warn',
  fresh_account: 'neutral',
  look_alike: 'bad',
  frozen: 'bad',
}

export const arrives = ({ amount, fee }: AuditedDeparture) =>
  formatMicros(parseMicros(amount) - parseMicros(fee))

/** Returns the number of a departure with its letter: "W-12". */
export const shortName = ({ is, id }: Pick<AuditedDeparture, 'is' | 'id'>) =>
  `${is === 'transfer' ? 'T' : 'W'}-${id}`

/** Returns the list form of withdrawals and transfers: amount and receiver, risks, and progress. */
export function heldShape(t: Translate): ListShape<AuditedDeparture> {
  const nameOf = ({ is, id }: AuditedDeparture) => t('admin.brief.departure', { is, id })
  return {
    keyOf: ({ is, id }) => `${is} ${id}`,
    nameOf,
    columns: [
      { key: 'number', head: t('desk.held.number'), cell: shortName },
      { key: 'member', head: t('admin.audit.member'), cell: (departure) => <Asker departure={departure} /> },
      {
        key: 'amount',
        head: t('desk.held.amount'),
        isFigure: true,
        cell: (departure) => <Sum amount={departure.amount} asset={departure.asset} />,
      },
      {
        key: 'arrives',
        head: t('desk.held.arrives'),
        isFigure: true,
        isRoomy: true,
        cell: (departure) => (
          <>
            <span className="block">{formatAmount(arrives(departure))}</span>
            <span className="block text-12 text-muted">
              {t('desk.held.fee', { fee: formatAmount(departure.fee) })}
            </span>
          </>
        ),
      },
      {
        key: 'to',
        head: t('admin.audit.to'),
        isRoomy: true,
        cell: ({ to, member_address: own }) =>
          to.toLowerCase() === own.toLowerCase() ? (
            <span className="whitespace-nowrap text-12 text-muted">{t('desk.held.own')}</span>
          ) : (
            <span className="whitespace-nowrap text-12">{shortestAddress(to)}</span>
          ),
      },
      { key: 'why', head: t('desk.held.why'), cell: (departure) => <RiskPills departure={departure} /> },
      {
        key: 'state',
        head: t('desk.held.state'),
        cell: (departure) => (
          <>
            <StatePill departure={departure} />
            <StateDetail departure={departure} />
          </>
        ),
      },
      {
        key: 'asked',
        head: t('desk.held.asked'),
        isFigure: true,
        isRoomy: true,
        cell: (departure) => <span className="text-12 text-muted">{utcText(departure.created_at)}</span>,
      },
    ],
    line: (departure) => ({
      title: <Sum amount={departure.amount} asset={departure.asset} />,
      aside: utcText(departure.created_at),
      text: `${nameOf(departure)} · ${shortAddress(departure.member_address)}`,
      tags: (
        <>
          <StatePill departure={departure} />
          <RiskPills departure={departure} />
        </>
      ),
    }),
    sums: (items) => {
      const assets = (['USDT', 'AMC'] as const).filter((asset) => items.some((item) => item.asset === asset))
      return assets.map((asset) => {
        const alike = items.filter((item) => item.asset === asset)
        return {
          key: asset,
          label: t('desk.held.sum', { count: alike.length }),
          cells: {
            amount: <Sum amount={sumAmounts(alike.map(({ amount }) => amount))} asset={asset} />,
            arrives: formatAmount(sumAmounts(alike.map(arrives))),
          },
        }
      })
    },
  }
}

function Sum({ amount, asset }: { amount: string; asset: string }) {
  return (
    <>
      <span className="font-semibold">{formatAmount(amount)}</span>{' '}
      <span className="text-12 font-normal text-muted">{asset}</span>
    </>
  )
}

function Asker({ departure }: { departure: AuditedDeparture }) {
  const { t } = useTranslation()
  return (
    <span className="flex items-center gap-2">
      <Avatar address={departure.member_address} size={24} />
      <span>
        <span className="block whitespace-nowrap text-12">{shortestAddress(departure.member_address)}</span>
        <span className="block text-12 text-muted">{levelName(t, departure.level)}</span>
      </span>
    </span>
  )
}

function RiskPills({ departure }: { departure: AuditedDeparture }) {
  const { t } = useTranslation()
  return (
    <span className="flex flex-wrap gap-1">
      {departure.reasons.map((reason) => (
        <Pill key={reason} tone={RISK_TONES[reason]}>
          {t(`admin.risk.${reason}`)}
        </Pill>
      ))}
    </span>
  )
}

const STATE_TONES: Readonly<Record<AuditedDeparture['status'], Tone>> = {
  Auditing: 'warn',
  Withdrawable: 'info',
  Success: 'good',
  Rejected: 'bad',
  Cancelled: 'neutral',
}

export function StatePill({ departure }: { departure: AuditedDeparture }) {
  const { t } = useTranslation()
  const { status, proposal_id: id } = departure
  if (status === 'Auditing' && id !== null)
    return <Pill tone="info">{t('desk.held.withApprover', { id })}</Pill>
  return <Pill tone={STATE_TONES[status]}>{t(`admin.status.${status}`)}</Pill>
}

/** The time until which it can be claimed, or the time of its end. */
function StateDetail({ departure }: { departure: AuditedDeparture }) {
  const { t } = useTranslation()
  const end = departure.ended_at ?? departure.expires_at
  if (end === null) return null
  return (
    <span className="block whitespace-nowrap pt-0.5 text-12 text-muted">
      {departure.ended_at === null ? t('desk.held.until', { time: utcText(end) ?? '' }) : utcText(end)}
    </span>
  )
}
