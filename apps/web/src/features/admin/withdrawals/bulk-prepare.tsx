import type { AuditedDeparture, RouteInput } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { useState } from 'react'
import {
  call,
  formatAmount,
  sumAmounts,
  TWO_DECIMALS,
  t as text,
  useTranslation,
} from '../../../lib/index.ts'
import { BulkBar } from '../components/bulk-bar.tsx'
import { BulkSheet } from '../components/bulk-sheet.tsx'
import { type PrepareStep, prepareSteps } from './prepare-steps.ts'

const money = (amount: string) => formatAmount(amount, TWO_DECIMALS)
/** The shortest reason of a proposal. */
const REASON_LETTERS = 3

/** Prepares the release or rejection of several withdrawals and transfers after one confirmation. */
export function BulkPrepare({
  selection,
  onDone,
}: {
  selection: readonly AuditedDeparture[]
  onDone: () => void
}) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<{ approve: boolean; items: readonly AuditedDeparture[] } | null>(null)
  const ask = (approve: boolean) => setAsked({ approve, items: selection })
  return (
    <>
      <BulkBar
        count={selection.length}
        totals={totalsText(selection)}
        steps={[
          { label: t('admin.audit.reject'), onClick: () => ask(false) },
          { label: t('admin.audit.approve'), onClick: () => ask(true) },
        ]}
        onClear={onDone}
      />
      {asked !== null && (
        <PrepareSeveral
          {...asked}
          onClose={(hasRun) => {
            setAsked(null)
            if (hasRun) onDone()
          }}
        />
      )}
    </>
  )
}

interface PrepareSeveralProps {
  approve: boolean
  items: readonly AuditedDeparture[]
  onClose: (hasRun: boolean) => void
}

function PrepareSeveral({ approve, items, onClose }: PrepareSeveralProps) {
  const { t } = useTranslation()
  const steps = prepareSteps(items, approve)
  return (
    <BulkSheet
      title={t(approve ? 'desk.bulk.prepareApprove' : 'desk.bulk.prepareReject', { count: items.length })}
      summary={
        <>
          <p className="text-20 font-semibold tabular-nums">{totalsText(items)}</p>
          <p className="text-muted">{t('desk.bulk.proposals', { count: steps.length })}</p>
        </>
      }
      reasonLabel={t('admin.reason')}
      reasonLetters={REASON_LETTERS}
      confirmText={t('admin.prepare')}
      isDanger={!approve}
      steps={steps.map((step) => ({
        key: step.items.map(({ is, id }) => `${is}${id}`).join(),
        label: labelOf(step),
        run: async (reason) => {
          const body = { ...step.wanted, reason } as RouteInput<'prepareProposal'>['body']
          const { proposal_id: id } = await call('prepareProposal', { body }, { quiet: true })
          return text('admin.proposal', { id })
        },
      }))}
      onClose={onClose}
    />
  )
}

/** Names what a proposal decides on: "W-12, W-15 · 830.00 USDT". */
function labelOf({ items }: PrepareStep): string {
  const names = items.map(({ is, id }) => `${is === 'transfer' ? 'T' : 'W'}-${id}`)
  return `${names.join(', ')} · ${totalsText(items)}`
}

/** Returns the sums of a selection by asset, and what arrives of them. */
function totalsText(items: readonly AuditedDeparture[]): string {
  const parts = (['USDT', 'AMC'] as const).flatMap((asset) => {
    const alike = items.filter((one) => one.asset === asset)
    if (alike.length === 0) return []
    const sum = sumAmounts(alike.map(({ amount }) => amount))
    const fees = sumAmounts(alike.map(({ fee }) => fee))
    const left = formatMicros(parseMicros(sum) - parseMicros(fees))
    return [text('desk.bulk.total', { amount: money(sum), asset, left: money(left) })]
  })
  return parts.join(' + ')
}
