import type { ProposalKind, ProposalListItem } from '@rif/api-schema'
import { cx, useTranslation } from '../../../lib/index.ts'
import { Icon, type IconName, Pill } from '../../../ui/index.ts'
import { utcText } from '../components/utc-time.tsx'
import { STATE_TONES } from './proposal-parts.tsx'
import { sentenceOf } from './proposal-words.ts'

interface ProposalRowProps {
  id: string
  proposal: ProposalListItem
  isOpen: boolean
  isChosen: boolean
  /** Undefined if it cannot be decided together with others. */
  onToggle?: () => void
  onOpen: () => void
}

const ICONS: Partial<Record<ProposalKind, IconName>> = {
  withdrawals: 'withdraw',
  transfers: 'transfer',
  attestation: 'doc',
  treasury_payout: 'out',
  exit_destination: 'out',
  fund_invest: 'fund',
  fund_divest: 'fund',
  fund_valuation: 'fund',
  fund_product: 'fund',
  fund_product_state: 'fund',
  fund_redemption: 'fund',
  hash_power: 'bolt',
  plan: 'filter',
  announcement: 'bell',
  role: 'team',
  pause: 'warn',
  resume: 'check',
}

/** A proposal in a list: the sentence, its kind and risks, and who prepared it when. */
export function ProposalRow({ id, proposal, isOpen, isChosen, onToggle, onOpen }: ProposalRowProps) {
  const { t } = useTranslation()
  const { kind, risks, approvals, approvals_needed: needed, state } = proposal
  const details = [
    t(`admin.kind.${kind}`),
    ...(risks.length > 0 ? [t('admin.brief.reasons', { count: risks.length })] : []),
    ...(needed > 1 ? [t('admin.approvals.count', { count: approvals.length, needed })] : []),
  ]
  return (
    <div
      className={cx(
        'relative flex items-start gap-3 px-4 py-3',
        isOpen ? 'bg-accent-soft' : 'hover:bg-sunken',
      )}
    >
      {onToggle === undefined ? (
        <span className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken">
          <Icon name={ICONS[kind] ?? 'edit'} size={20} />
        </span>
      ) : (
        <label className="relative z-10 -m-1.5 grid size-11 shrink-0 cursor-pointer place-items-center">
          <input
            type="checkbox"
            className="size-5"
            aria-label={t('desk.bulk.choose', { what: sentenceOf(t, proposal.headline) })}
            checked={isChosen}
            onChange={onToggle}
          />
        </label>
      )}
      {/* Covers the whole row; the checkbox is above it. */}
      <button
        id={id}
        type="button"
        aria-current={isOpen || undefined}
        onClick={onOpen}
        className="min-w-0 flex-1 text-left outline-offset-4 after:absolute after:inset-0"
      >
        <span className="wrap-anywhere block text-14 font-semibold">{sentenceOf(t, proposal.headline)}</span>
        <span className="block text-12 text-muted">{details.join(' · ')}</span>
        <span className="wrap-anywhere line-clamp-1 text-12 text-muted">{proposal.reason}</span>
      </button>
      <span className="flex shrink-0 flex-col items-end gap-1 text-right text-12 text-muted">
        <span>{proposal.prepared_person}</span>
        <span className="tabular-nums">{utcText(proposal.prepared_at)}</span>
        {state !== 'Open' && <Pill tone={STATE_TONES[state]}>{t(`admin.state.${state}`)}</Pill>}
      </span>
    </div>
  )
}
