import type { Proposal } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, Notice, StopWaiting, TextField, useSheetValues } from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'
import { HashesView, useDecision } from './proposal-parts.tsx'

/** The decision on a proposal, always visible below it. */
export function Decision({ proposal, onDone }: { proposal: Proposal; onDone: () => void }) {
  const { t } = useTranslation()
  const may = useMay()
  const me = useQuery(apiQuery('adminMe')).data
  const takeBack = useApiMutation('withdrawProposal', { refresh: ['proposals', 'proposal', 'auditQueue'] })
  const isOpen = proposal.state === 'Open'
  if (!isOpen && proposal.state !== 'Approved') return null
  const isMine = me !== undefined && me.address === proposal.prepared_by
  return (
    <div className="sticky bottom-(--dock,-1.25rem) z-10 -mx-5 -mb-5 mt-4 flex flex-col gap-3 rounded-b-12 border-t border-line bg-card px-5 py-3">
      {!isOpen && <Notice tone="info">{t('admin.untilThen')}</Notice>}
      {proposal.may_decide ? (
        <DecisionForm proposal={proposal} onDone={onDone} />
      ) : (
        proposal.hindrance !== null && (
          <Notice tone="info">{t(`admin.hindrance.${proposal.hindrance}`)}</Notice>
        )
      )}
      {isOpen && isMine && may('operator') && (
        <Button
          variant="secondary"
          busy={takeBack.isPending}
          onClick={() =>
            void takeBack
              .mutateAsync({ params: { proposal_id: proposal.proposal_id } })
              .then(onDone, () => undefined)
          }
        >
          {t('admin.takeBack')}
        </Button>
      )}
    </div>
  )
}

function DecisionForm({ proposal, onDone }: { proposal: Proposal; onDone: () => void }) {
  const { t } = useTranslation()
  const { values, set } = useSheetValues(`decision ${proposal.proposal_id}`, { remark: '' })
  const { remark } = values
  const [isMissing, setMissing] = useState(false)
  const { decide, busy, hashes } = useDecision()
  const settle = async (approve: boolean) => {
    setMissing(!approve && remark.trim() === '')
    if (!approve && remark.trim() === '') return
    if ((await decide(proposal, approve, remark.trim())) !== null) onDone()
  }
  return (
    <>
      {hashes !== null && <HashesView hashes={hashes} />}
      <div className="flex flex-col gap-3 @2xl:flex-row @2xl:items-start">
        <div className="min-w-0 flex-1">
          <TextField
            label={t('admin.brief.remarkNeeded')}
            error={isMissing ? t('admin.brief.remarkMissing') : undefined}
            value={remark}
            maxLength={400}
            onChange={(event) => {
              set({ remark: event.target.value })
              setMissing(false)
            }}
          />
        </div>
        <div className="flex gap-3 @2xl:pt-7">
          <Button className="flex-1" variant="danger" busy={busy} onClick={() => void settle(false)}>
            {t('admin.refuse')}
          </Button>
          {proposal.state === 'Open' && (
            <Button className="flex-[2]" busy={busy} onClick={() => void settle(true)}>
              {t('admin.approve')}
            </Button>
          )}
        </div>
      </div>
      <StopWaiting />
    </>
  )
}
