import type { Effect, Proposal, ProposalContent, ProposalState } from '@rif/api-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  ApiError,
  cx,
  formatPpm,
  readConfig,
  showModal,
  showToast,
  type Translate,
  TransportError,
  t,
  useTranslation,
} from '../../../lib/index.ts'
import { Address, Icon, Notice, type Tone } from '../../../ui/index.ts'
import type { StatementHashes } from '../../../wallet/admin-calls.ts'
import { FlowError, problemText, walletProblem } from '../../../wallet/provider.ts'
import { figureName, figureText } from '../plan/plan-fields.ts'

export const STATE_TONES: Readonly<Record<ProposalState, Tone>> = {
  Open: 'warn',
  Approved: 'info',
  Applied: 'good',
  Refused: 'bad',
  Withdrawn: 'neutral',
  Expired: 'neutral',
  Failed: 'bad',
}

const FIELDS = [
  'price',
  'role',
  'person',
  'state',
  'status',
  'grant',
  ...(['invested', 'divested', 'invest', 'destination', 'held_at', 'investment'] as const),
  'rate',
  'day_cap',
  'posting',
  'attested',
  'source',
  'document_hash',
  'deposit',
  'depositor',
  ...(['name', 'introduction', 'document', 'risk_level', 'minimum_usd', 'lock_days'] as const),
  ...(['opening_nav', 'max_member_units', 'max_units', 'sold_ppm'] as const),
  ...(['allocation', 'starts_at', 'ends_at'] as const),
  ...(['redeemable_weekdays', 'estimated_annual_return'] as const),
  ...(['subscription_ppm', 'redemption_ppm', 'management_ppm'] as const),
] as const

/** In parts per million. */
const RATES = [
  'estimated_annual_return',
  'subscription_ppm',
  'redemption_ppm',
  'management_ppm',
  'sold_ppm',
] as const satisfies readonly (typeof FIELDS)[number][]

/** The name of a changed figure; what is neither known here nor a figure of the plan is told as it is called there. */
function fieldName(t: Translate, field: string): string {
  const known = FIELDS.find((name) => name === field)
  return known === undefined ? (figureName(t, field) ?? field) : t(`admin.field.${known}`)
}

/** A value of a changed figure: those of the plan in the unit that they are typed in. */
function fieldValue(t: Translate, field: string, value: string | null): string {
  if (value === null) return '–'
  if (RATES.some((name) => name === field)) return formatPpm(Number(value))
  if (figureName(t, field) === null) return value
  return figureText(t, field, /^-?\d+$/.test(value) ? Number(value) : value)
}

const EFFECTS = [
  'may_be_claimed',
  'amount_returns',
  'arrives',
  'nav_change',
  ...(['nav_becomes', 'net_assets', 'fund_closes', 'fund_investable'] as const),
  'pool_holds',
  'plan_compared',
] as const

/** Returns the text of a consequence. */
function effectText(t: Translate, { name, values }: Effect): string {
  const known = EFFECTS.find((one) => one === name)
  return known === undefined ? Object.values(values).join(', ') : t(`admin.effect.${known}`, values)
}

/** The delays between approval and effect, in minutes. */
export const DELAYS = ['0', '60', '1440', '4320'] as const

/** Returns the text of a delay; one that no page offers is written in minutes. */
export function delayText(t: Translate, minutes: number): string {
  const known = DELAYS.find((delay) => delay === `${minutes}`)
  return known === undefined ? t('admin.minutes', { count: minutes }) : t(`admin.delayOf.${known}`)
}

/** The changes of a proposal line by line, and their consequences. */
export function DifferenceView({ content }: { content: ProposalContent }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-3 text-14">
      <section aria-label={t('admin.difference')} className="max-h-96 overflow-auto rounded-12 bg-sunken">
        <table className="w-full text-left">
          <thead className="text-12 text-muted">
            <tr>
              <th scope="col" className="px-3 pt-2 font-medium">
                {t('admin.what')}
              </th>
              <th scope="col" className="px-3 pt-2 font-medium">
                {t('admin.before')}
              </th>
              <th scope="col" className="px-3 pt-2 font-medium">
                {t('admin.after')}
              </th>
            </tr>
          </thead>
          <tbody>
            {content.difference.map(({ item, field, before, after }) => (
              <tr key={`${item} ${field}`} className="align-top">
                <th scope="row" className="wrap-anywhere px-3 py-2 font-medium">
                  {fieldName(t, field)}
                  {item !== null && <span className="block text-12 font-normal text-muted">{item}</span>}
                </th>
                <Value text={fieldValue(t, field, before)} className="text-muted" />
                <Value text={fieldValue(t, field, after)} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {content.effects.map((effect) => (
        <p key={effect.name} className="flex items-start gap-2">
          <Icon name="forward" size={16} className="mt-0.5 text-muted" />
          {effectText(t, effect)}
        </p>
      ))}
    </div>
  )
}

/** The hashes of the statement that the wallet shows, to be compared with the display of a hardware wallet. */
export function HashesView({ hashes }: { hashes: StatementHashes }) {
  const { t } = useTranslation()
  return (
    <Notice tone="info" title={t('admin.hashes.title')}>
      <p>{t('admin.hashes.text')}</p>
      <dl className="mt-2 flex flex-col gap-2">
        {(['domain', 'message', 'digest'] as const).map((name) => (
          <div key={name}>
            <dt className="text-12 text-muted">{t(`admin.hashes.${name}`)}</dt>
            <dd>
              <Address value={hashes[name]} form="full" copy={false} className="font-mono text-12" />
            </dd>
          </div>
        ))}
      </dl>
    </Notice>
  )
}

/** Breaks a hash anywhere, and a word nowhere. */
function Value({ text, className }: { text: string; className?: string }) {
  const isLong = /\S{24}/.test(text)
  return <td className={cx('px-3 py-2', isLong && 'wrap-anywhere', className)}>{text}</td>
}

/** Signs and sends a decision; returns the decided proposal, or null when it failed, which was shown. */
export function useDecision() {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [hashes, setHashes] = useState<StatementHashes | null>(null)
  const decide = async (proposal: Proposal, approve: boolean, reason: string): Promise<Proposal | null> => {
    setBusy(true)
    try {
      // viem comes along with it, and only now.
      const { signDecision } = await import('../../../wallet/admin-calls.ts')
      const decided = await signDecision(await readConfig(client), proposal, {
        approve,
        reason,
        onSign: setHashes,
      })
      showToast(t(decided.state === 'Open' ? 'admin.approvedByYou' : `admin.state.${decided.state}`), {
        tone: 'good',
      })
      return decided
    } catch (error) {
      // The API client has shown its own.
      if (error instanceof ApiError || error instanceof TransportError) return null
      const content = problemText(error instanceof FlowError ? error.problem : walletProblem(error))
      await showModal({ content, confirmText: t('common.ok'), showCancel: false })
      return null
    } finally {
      setBusy(false)
      setHashes(null)
      await client.invalidateQueries()
    }
  }
  return { decide, busy, hashes }
}
