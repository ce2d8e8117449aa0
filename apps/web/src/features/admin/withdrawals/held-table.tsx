import type { AuditedDeparture, RiskReason } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import {
  cx,
  formatAmount,
  shortAddress,
  sumAmounts,
  TWO_DECIMALS,
  useTranslation,
} from '../../../lib/index.ts'
import { Pill, type Tone } from '../../../ui/index.ts'
import { utcText } from '../components/utc-time.tsx'

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

const money = (amount: string) => formatAmount(amount, TWO_DECIMALS)
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

/** Withdrawals and transfers under audit, a row each: how much to whom, why to look, and how far it is. */
export function HeldTable(props: HeldTableProps) {
  const { t } = useTranslation()
  const { items, isNarrow, mayPrepare } = props
  const free = items.filter((one) => one.proposal_id === null)
  const isAll = free.length > 0 && free.every((one) => props.chosen.has(keyOf(one)))
  const th = 'px-2 py-2 text-left font-medium'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section tabIndex={0} aria-label={t('admin.area.audit')} className="overflow-x-auto rounded-12 bg-card">
      <table className="w-full text-14">
        <caption className="sr-only">{t('admin.area.audit')}</caption>
        <thead className="text-12 text-muted">
          <tr>
            {mayPrepare && (
              <th scope="col" className="w-11">
                <Check label={t('desk.bulk.all')} checked={isAll} onChange={props.onToggleAll} />
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
            <th scope="col" className={cx(th, 'pr-4 text-right')}>
              {t('desk.held.asked')}
            </th>
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
  const td = 'px-2 py-2 align-middle'
  return (
    <tr
      className={cx(
        'relative border-t border-line',
        isActive || isChosen ? 'bg-accent-soft' : 'hover:bg-sunken',
      )}
      {...(isActive && { 'aria-current': true })}
    >
      {mayPrepare && (
        <td className="relative z-10 align-middle">
          {one.proposal_id === null && (
            <Check
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
          type="button"
          onClick={() => onOpen(one)}
          className="min-h-11 text-left after:absolute after:inset-0"
        >
          <span className="sr-only">{name}</span>
          <span aria-hidden="true" className="tabular-nums">
            {one.is === 'transfer' ? 'T' : 'W'}-{one.id}
          </span>
        </button>
      </th>
      <td className={td}>
        <span className="block whitespace-nowrap text-12">{shortAddress(one.member_address)}</span>
        <span className="block text-12 text-muted">{t('my.level', { level: one.level })}</span>
      </td>
      <td className={cx(td, 'whitespace-nowrap text-right tabular-nums')}>
        <span className="font-semibold">{money(one.amount)}</span>{' '}
        <span className="text-12 text-muted">{one.asset}</span>
      </td>
      {!isNarrow && (
        <>
          <td className={cx(td, 'whitespace-nowrap text-right tabular-nums')}>
            <span className="block">{money(arrives(one))}</span>
            <span className="block text-12 text-muted">{t('desk.held.fee', { fee: money(one.fee) })}</span>
          </td>
          <td className={cx(td, 'whitespace-nowrap text-12')}>
            {isOwn ? <span className="text-muted">{t('desk.held.own')}</span> : shortAddress(one.to)}
          </td>
        </>
      )}
      <td className={td}>
        <RiskPills one={one} />
      </td>
      <td className={cx(td, 'pr-4 text-right')}>
        <StatePill one={one} />
        <span className="block whitespace-nowrap pt-1 text-12 text-muted tabular-nums">
          {utcText(one.created_at)}
        </span>
      </td>
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

export function StatePill({ one }: { one: AuditedDeparture }) {
  const { t } = useTranslation()
  return one.proposal_id === null ? (
    <Pill tone="warn">{t('admin.status.Auditing')}</Pill>
  ) : (
    <Pill tone="info">{t('desk.held.withApprover', { id: one.proposal_id })}</Pill>
  )
}

/** The sums of what is shown, by asset. */
function Totals({ items, isNarrow, mayPrepare }: HeldTableProps) {
  const { t } = useTranslation()
  const assets = (['USDT', 'AMC'] as const).filter((asset) => items.some((one) => one.asset === asset))
  return (
    <tfoot className="border-t-2 border-line font-semibold">
      {assets.map((asset) => {
        const alike = items.filter((one) => one.asset === asset)
        return (
          <tr key={asset}>
            {mayPrepare && <td />}
            <th scope="row" colSpan={2} className="px-2 py-2 text-left">
              {t('desk.held.sum', { count: alike.length })}
            </th>
            <td className="whitespace-nowrap px-2 py-2 text-right tabular-nums">
              {money(sumAmounts(alike.map(({ amount }) => amount)))}{' '}
              <span className="text-12 font-normal text-muted">{asset}</span>
            </td>
            {!isNarrow && (
              <td className="whitespace-nowrap px-2 py-2 text-right tabular-nums">
                {money(sumAmounts(alike.map(arrives)))}
              </td>
            )}
            <td colSpan={isNarrow ? 2 : 3} />
          </tr>
        )
      })}
    </tfoot>
  )
}

function Check({ label, checked, onChange }: { label: string; checked: boolean; onChange: () => void }) {
  return (
    <label className="grid size-11 cursor-pointer place-items-center">
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
            {mayPrepare && one.proposal_id === null && (
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
                  {money(one.amount)} <span className="text-12 font-normal text-muted">{one.asset}</span>
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
