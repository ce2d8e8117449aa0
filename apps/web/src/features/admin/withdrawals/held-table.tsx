import type { AuditedDeparture, RiskReason } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import {
  cx,
  formatAmount,
  shortAddress,
  shortestAddress,
  sumAmounts,
  useTranslation,
} from '../../../lib/index.ts'
import { Avatar, Pill, type Tone } from '../../../ui/index.ts'
import { utcText } from '../components/utc-time.tsx'
import { isFree } from './prepare-steps.ts'

export const RISK_TONES: Readonly<Record<RiskReason, Tone>> = {
  large_amount: 'warn',
  new_address: 'warn',
  risk_flag: 'bad',
  sudden_amount: 'warn',
  fresh_account: 'neutral',
  look_alike: 'bad',
  frozen: 'bad',
}

export const keyOf = ({ is, id }: AuditedDeparture) => `${is} ${id}`
export const rowId = (one: AuditedDeparture) => `held-${one.is}-${one.id}`

const arrives = ({ amount, fee }: AuditedDeparture) => formatMicros(parseMicros(amount) - parseMicros(fee))

interface HeldTableProps {
  items: readonly AuditedDeparture[]
  /** The row whose details are open. */
  active: string | null
  chosen: ReadonlySet<string>
  /** Less columns, beside the details. */
  isNarrow: boolean
  mayPrepare: boolean
  onOpen: (one: AuditedDeparture) => void
  onToggle: (one: AuditedDeparture) => void
  onToggleAll: () => void
}

/** Withdrawals and transfers, a row each: how much to whom, why to look, and how far it is. The head stays in sight. */
export function HeldTable(props: HeldTableProps) {
  const { t } = useTranslation()
  const { items, isNarrow, mayPrepare } = props
  const free = items.filter(isFree)
  const isAll = free.length > 0 && free.every((one) => props.chosen.has(keyOf(one)))
  const th = 'sticky top-0 z-20 bg-card px-2 py-1 text-left font-medium'
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label={t('admin.area.audit')}
      className="max-h-[calc(100dvh-9rem)] overflow-auto rounded-12 bg-card"
    >
      <table data-dense className="w-full text-14">
        <caption className="sr-only">{t('admin.area.audit')}</caption>
        <thead className="text-12 text-muted">
          <tr>
            {mayPrepare && (
              <th scope="col" className={cx(th, 'w-9')}>
                <Check isDense label={t('desk.bulk.all')} checked={isAll} onChange={props.onToggleAll} />
              </th>
            )}
            <th scope="col" className={th}>
              {t('desk.held.number')}
            </th>
            <th scope="col" className={th}>
              {t('admin.audit.member')}
            </th>
            <th scope="col" className={cx(th, 'text-right')}>
              {t('desk.held.amount')}
            </th>
            {!isNarrow && (
              <>
                <th scope="col" className={cx(th, 'text-right')}>
                  {t('desk.held.arrives')}
                </th>
                <th scope="col" className={th}>
                  {t('admin.audit.to')}
                </th>
              </>
            )}
            <th scope="col" className={th}>
              {t('desk.held.why')}
            </th>
            <th scope="col" className={th}>
              {t('desk.held.state')}
            </th>
            {!isNarrow && (
              <th scope="col" className={cx(th, 'pr-4 text-right')}>
                {t('desk.held.asked')}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {items.map((one) => (
            <HeldRow key={keyOf(one)} one={one} {...props} />
          ))}
        </tbody>
        <Totals {...props} />
      </table>
    </section>
  )
}

function HeldRow({
  one,
  active,
  chosen,
  isNarrow,
  mayPrepare,
  onOpen,
  onToggle,
}: HeldTableProps & { one: AuditedDeparture }) {
  const { t } = useTranslation()
  const isActive = active === keyOf(one)
  const isChosen = chosen.has(keyOf(one))
  const name = t('admin.brief.departure', { is: one.is, id: one.id })
  const isOwn = one.to.toLowerCase() === one.member_address.toLowerCase()
  const td = 'px-2 py-1 align-middle'
  return (
    <tr
      className={cx(
        'relative border-t border-line',
        isActive || isChosen ? 'bg-accent-soft' : 'hover:bg-sunken',
      )}
      {...(isActive && { 'aria-current': true })}
    >
      {mayPrepare && (
        <td className="relative z-10 pl-1 align-middle">
          {isFree(one) && (
            <Check
              isDense
              label={t('desk.bulk.choose', { what: name })}
              checked={isChosen}
              onChange={() => onToggle(one)}
            />
          )}
        </td>
      )}
      <th scope="row" className={cx(td, 'text-left font-medium')}>
        {/* Reaches over all of the row; the checkbox stands above it. */}
        <button
          id={rowId(one)}
          data-row
          type="button"
          onClick={() => onOpen(one)}
          className="min-h-8 text-left after:absolute after:inset-0"
        >
          <span className="sr-only">{name}</span>
          <span aria-hidden="true">
            {one.is === 'transfer' ? 'T' : 'W'}-{one.id}
          </span>
        </button>
      </th>
      <td className={td}>
        <span className="flex items-center gap-2">
          <Avatar address={one.member_address} size={24} />
          <span>
            <span className="block whitespace-nowrap text-12">{shortestAddress(one.member_address)}</span>
            <span className="block text-12 text-muted">{t('my.level', { level: one.level })}</span>
          </span>
        </span>
      </td>
      <td className={cx(td, 'whitespace-nowrap text-right tabular-nums')}>
        <span className="font-semibold">{formatAmount(one.amount)}</span>{' '}
        <span className="text-12 text-muted">{one.asset}</span>
      </td>
      {!isNarrow && (
        <>
          <td className={cx(td, 'whitespace-nowrap text-right tabular-nums')}>
            <span className="block">{formatAmount(arrives(one))}</span>
            <span className="block text-12 text-muted">
              {t('desk.held.fee', { fee: formatAmount(one.fee) })}
            </span>
          </td>
          <td className={cx(td, 'whitespace-nowrap text-12')}>
            {isOwn ? <span className="text-muted">{t('desk.held.own')}</span> : shortestAddress(one.to)}
          </td>
        </>
      )}
      <td className={td}>
        <RiskPills one={one} />
      </td>
      <td className={td}>
        <StatePill one={one} />
        <StateDetail one={one} />
      </td>
      {!isNarrow && (
        <td className={cx(td, 'whitespace-nowrap pr-4 text-right text-12 text-muted tabular-nums')}>
          {utcText(one.created_at)}
        </td>
      )}
    </tr>
  )
}

export function RiskPills({ one }: { one: AuditedDeparture }) {
  const { t } = useTranslation()
  return (
    <span className="flex flex-wrap gap-1">
      {one.reasons.map((reason) => (
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

export function StatePill({ one }: { one: AuditedDeparture }) {
  const { t } = useTranslation()
  const { status, proposal_id: id } = one
  if (status === 'Auditing' && id !== null)
    return <Pill tone="info">{t('desk.held.withApprover', { id })}</Pill>
  return <Pill tone={STATE_TONES[status]}>{t(`admin.status.${status}`)}</Pill>
}

/** The time until which it can be claimed, or the time of its end. */
function StateDetail({ one }: { one: AuditedDeparture }) {
  const { t } = useTranslation()
  const end = one.ended_at ?? one.expires_at
  if (end === null) return null
  return (
    <span className="block whitespace-nowrap pt-0.5 text-12 text-muted">
      {one.ended_at === null ? t('desk.held.until', { time: utcText(end) ?? '' }) : utcText(end)}
    </span>
  )
}

/** The sums of what is shown, by asset. */
function Totals({ items, isNarrow, mayPrepare }: HeldTableProps) {
  const { t } = useTranslation()
  const assets = (['USDT', 'AMC'] as const).filter((asset) => items.some((one) => one.asset === asset))
  return (
    <tfoot className="font-semibold">
      {assets.map((asset) => {
        const alike = items.filter((one) => one.asset === asset)
        return (
          <tr key={asset} className="border-t-2 border-line">
            {mayPrepare && <td />}
            <th scope="row" colSpan={2} className="px-2 py-2 text-left">
              {t('desk.held.sum', { count: alike.length })}
            </th>
            <td className="whitespace-nowrap px-2 py-2 text-right tabular-nums">
              {formatAmount(sumAmounts(alike.map(({ amount }) => amount)))}{' '}
              <span className="text-12 font-normal text-muted">{asset}</span>
            </td>
            {!isNarrow && (
              <td className="whitespace-nowrap px-2 py-2 text-right tabular-nums">
                {formatAmount(sumAmounts(alike.map(arrives)))}
              </td>
            )}
            <td colSpan={isNarrow ? 2 : 4} />
          </tr>
        )
      })}
    </tfoot>
  )
}

interface CheckProps {
  label: string
  checked: boolean
  /** As small as a row of the table. */
  isDense?: boolean
  onChange: () => void
}

function Check({ label, checked, isDense, onChange }: CheckProps) {
  return (
    <label className={cx('grid cursor-pointer place-items-center', isDense ? 'size-8' : 'size-11')}>
      <input type="checkbox" className="size-5" aria-label={label} checked={checked} onChange={onChange} />
    </label>
  )
}

/** The same as rows of a phone. */
export function HeldList({ items, chosen, mayPrepare, onOpen, onToggle }: Omit<HeldTableProps, 'isNarrow'>) {
  const { t } = useTranslation()
  return (
    <ul
      aria-label={t('admin.area.audit')}
      className="divide-y divide-line overflow-hidden rounded-12 bg-card"
    >
      {items.map((one) => {
        const name = t('admin.brief.departure', { is: one.is, id: one.id })
        return (
          <li
            key={keyOf(one)}
            className={cx(
              'relative flex items-start gap-2 px-4 py-3',
              chosen.has(keyOf(one)) && 'bg-accent-soft',
            )}
          >
            {mayPrepare && isFree(one) && (
              <span className="relative z-10 -ml-3 -mt-3">
                <Check
                  label={t('desk.bulk.choose', { what: name })}
                  checked={chosen.has(keyOf(one))}
                  onChange={() => onToggle(one)}
                />
              </span>
            )}
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <button
                id={rowId(one)}
                type="button"
                onClick={() => onOpen(one)}
                className="flex min-h-11 flex-wrap content-center items-baseline justify-between gap-x-3 text-left after:absolute after:inset-0"
              >
                <span className="text-16 font-semibold tabular-nums">
                  {formatAmount(one.amount)}{' '}
                  <span className="text-12 font-normal text-muted">{one.asset}</span>
                </span>
                <span className="text-12 text-muted">{utcText(one.created_at)}</span>
                <span className="w-full text-12 text-muted">
                  {name} · {shortAddress(one.member_address)}
                </span>
              </button>
              <span className="flex flex-wrap gap-1">
                <StatePill one={one} />
                <RiskPills one={one} />
              </span>
            </div>
          </li>
        )
      })}
    </ul>
  )
}
