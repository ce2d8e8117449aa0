import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { redirectTo, useTranslation } from '../../../lib/index.ts'
import { Button, Segmented } from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { NewProposalSheet } from '../exchange/new-proposal-sheet.tsx'
import { ProposalList, ProposalSheet, type Show } from '../proposals/proposal-sheet.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'

const SHOWS: readonly Show[] = ['mine', 'open', 'ended']
const PATH = '/pages/admin/approvals'

/** The proposals: those that wait for this admin, for others, and the decided ones; kinds without a page of their own are prepared here. */
export default function ApprovalsPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: PATH })
  const show = search.show ?? 'mine'
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const { want, sheets } = useProposals()
  const open = (proposal_id?: string) =>
    redirectTo(PATH, { show, ...(proposal_id !== undefined && { proposal_id }) })
  return (
    <AdminPage
      title={t('admin.area.approvals')}
      actions={
        may('operator') && (
          <Button variant="secondary" onClick={() => setAsking(true)}>
            {t('adminForms.new')}
          </Button>
        )
      }
    >
      <Segmented
        label={t('admin.area.approvals')}
        options={SHOWS.map((value) => ({ value, label: t(`admin.show.${value}`) }))}
        value={show}
        onChange={(value) => redirectTo(PATH, { show: value })}
      />
      <ProposalList show={show} onOpen={open} />
      {isAsking && (
        <NewProposalSheet
          onSubmit={(wanted, onDone) => {
            setAsking(false)
            want(wanted, () => {
              onDone()
              // Nobody decides on the own proposal: it stands among the open ones.
              redirectTo(PATH, { show: 'open' })
            })
          }}
          onClose={() => setAsking(false)}
        />
      )}
      {sheets}
      {search.proposal_id !== undefined && (
        <ProposalSheet proposalId={search.proposal_id} onClose={() => open()} />
      )}
    </AdminPage>
  )
}
