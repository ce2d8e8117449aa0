import type { ProposalListItem } from '@rif/api-schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, formatExact, readConfig, sumAmounts, t as text, useTranslation } from '../../../lib/index.ts'
import { BulkBar } from '../list/bulk-bar.tsx'
import { BulkSheet } from '../list/bulk-sheet.tsx'
import { sentenceOf } from './proposal-words.ts'

/** The decision on several proposals: one confirmation with the totals, and a signature for each. */
export function BulkDecision({
  selection,
  onDone,
}: {
  selection: readonly ProposalListItem[]
  onDone: () => void
}) {
  const { t } = useTranslation()
  const client = useQueryClient()
  // Fixed at confirmation, because decided proposals leave the list in the meantime.
  const [decision, setDecision] = useState<{ approve: boolean; items: readonly ProposalListItem[] } | null>(
    null,
  )
  const decide = async (id: string, approve: boolean, reason: string) => {
    const [{ signDecision }, config, proposal] = await Promise.all([
      import('../../../wallet/admin-calls.ts'),
      readConfig(client),
      call('proposal', { params: { proposal_id: id } }, { quiet: true }),
    ])
    const decided = await signDecision(config, proposal, { approve, reason, quiet: true })
    return text(decided.state === 'Open' ? 'admin.approvedByYou' : `admin.state.${decided.state}`)
  }
  return (
    <>
      {selection.length > 0 && (
        <BulkBar
          count={selection.length}
          totals={totalsOf(selection)}
          steps={[
            { label: t('admin.refuse'), onClick: () => setDecision({ approve: false, items: selection }) },
            { label: t('admin.approve'), onClick: () => setDecision({ approve: true, items: selection }) },
          ]}
          onClear={onDone}
        />
      )}
      {decision !== null && (
        <BulkSheet
          title={t(decision.approve ? 'desk.bulk.approve' : 'desk.bulk.reject', {
            count: decision.items.length,
          })}
          summary={
            <>
              <p className="text-20 font-semibold tabular-nums">{totalsOf(decision.items)}</p>
              <p className="text-muted">{t('desk.bulk.eachSigned', { count: decision.items.length })}</p>
            </>
          }
          reasonLabel={t(decision.approve ? 'admin.remark' : 'admin.brief.remarkNeeded')}
          reasonLetters={decision.approve ? 0 : 1}
          confirmText={t(decision.approve ? 'admin.approve' : 'admin.refuse')}
          isDanger={!decision.approve}
          steps={decision.items.map((item) => ({
            key: item.proposal_id,
            label: sentenceOf(t, item.headline),
            run: (reason) => decide(item.proposal_id, decision.approve, reason),
          }))}
          onClose={(hasRun) => {
            setDecision(null)
            if (hasRun) onDone()
          }}
        />
      )}
    </>
  )
}

/** Returns the sums moved by proposals, by asset: "1,690.00 USDT + 20.00 AMC". */
export function totalsOf(items: readonly Pick<ProposalListItem, 'headline'>[]): string {
  const sums = new Map<string, string>()
  const add = (amount: string | undefined, asset: string | undefined) => {
    if (amount === undefined || asset === undefined) return
    sums.set(asset, sumAmounts([sums.get(asset) ?? '0', amount]))
  }
  for (const { headline } of items) {
    const { amount, asset, amount2, asset2, worth } = headline.values
    add(amount, asset)
    add(amount2, asset2)
    add(worth, worth && 'USDT')
  }
  return [...sums].map(([asset, amount]) => `${formatExact(amount)} ${asset}`).join(' + ')
}
