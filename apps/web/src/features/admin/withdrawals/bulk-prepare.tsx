import { type AuditedDeparture, type RouteInput, riskReason } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { useState } from 'react'
import { call, formatAmount, formatCount, sumAmounts, t as text, useTranslation } from '../../../lib/index.ts'
import { Pill } from '../../../ui/index.ts'
import { BulkBar } from '../list/bulk-bar.tsx'
import { BulkSheet } from '../list/bulk-sheet.tsx'
import { RISK_TONES, shortName } from './held-shape.tsx'
import { clearOnes, type PrepareStep, prepareSteps } from './prepare-steps.ts'

/** The minimum length of a proposal's reason. */
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
  const [batch, setBatch] = useState<{ approve: boolean; items: readonly AuditedDeparture[] } | null>(null)
  const ask = (approve: boolean) => setBatch({ approve, items: selection })
  return (
    <>
      {selection.length > 0 && (
        <BulkBar
          count={selection.length}
          totals={totalsText(selection)}
          steps={[
            { label: t('admin.audit.reject'), onClick: () => ask(false) },
            { label: t('admin.audit.approve'), onClick: () => ask(true) },
          ]}
          onClear={onDone}
        />
      )}
      {batch !== null && (
        <PrepareSeveral
          {...batch}
          onClose={(hasRun) => {
            setBatch(null)
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
  const isClear = approve && clearOnes(items).length === items.length
  return (
    <BulkSheet
      title={t(approve ? 'desk.bulk.prepareApprove' : 'desk.bulk.prepareReject', { count: items.length })}
      summary={
        <>
          <p className="text-20 font-semibold tabular-nums">{totalsText(items)}</p>
          <p className="text-muted">{t('desk.bulk.proposals', { count: steps.length })}</p>
          <Risks items={items} />
        </>
      }
      reasonLabel={t('admin.reason')}
      reasonLetters={REASON_LETTERS}
      {...(isClear && { reasonOffered: t('desk.bulk.clearReason') })}
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

/** The risks of a selection, each with the number of affected items. */
function Risks({ items }: { items: readonly AuditedDeparture[] }) {
  const { t } = useTranslation()
  const risks = riskReason.options
    .map((reason) => ({ reason, count: items.filter(({ reasons }) => reasons.includes(reason)).length }))
    .filter(({ count }) => count > 0)
  return (
    <p className="flex flex-wrap gap-1 pt-2">
      {risks.length === 0 && <Pill tone="good">{t('desk.bulk.noRisk')}</Pill>}
      {risks.map(({ reason, count }) => (
        <Pill key={reason} tone={RISK_TONES[reason]}>
          {t(`admin.risk.${reason}`)} {formatCount(count)}
        </Pill>
      ))}
    </p>
  )
}

/** Names the subjects of a proposal: "W-12, W-15 · 830.00 USDT". */
function labelOf({ items }: PrepareStep): string {
  return `${items.map(shortName).join(', ')} · ${totalsText(items)}`
}

/** Returns the sums of a selection by asset, and the net amounts. */
function totalsText(items: readonly AuditedDeparture[]): string {
  const parts = (['USDT', 'AMC'] as const).flatMap((asset) => {
    const alike = items.filter((item) => item.asset === asset)
    if (alike.length === 0) return []
    const sum = sumAmounts(alike.map(({ amount }) => amount))
    const fees = sumAmounts(alike.map(({ fee }) => fee))
    const left = formatMicros(parseMicros(sum) - parseMicros(fees))
    return [text('desk.bulk.total', { amount: formatAmount(sum), asset, left: formatAmount(left) })]
  })
  return parts.join(' + ')
}
