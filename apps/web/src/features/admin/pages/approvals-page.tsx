import { useTranslation } from 'react-i18next'
import { redirectTo, usePageSearch } from '../../../lib/navigation.ts'
import { Segmented } from '../../../ui/segmented.tsx'
import { AdminPage } from '../components/admin-page.tsx'
import { ProposalList, type Show } from '../proposals/proposal-list.tsx'
import { ProposalSheet } from '../proposals/proposal-sheet.tsx'

const SHOWS: readonly Show[] = ['mine', 'open', 'ended']
const PATH = '/pages/admin/approvals'

/** The inbox of decisions: what waits for me, what waits for others, what was decided. */
export default function ApprovalsPage() {
  const { t } = useTranslation()
  const search = usePageSearch(PATH)
  const show = search.show ?? 'mine'
  const open = (proposal_id?: string) =>
    redirectTo(PATH, { show, ...(proposal_id !== undefined && { proposal_id }) })
  return (
    <AdminPage title={t('admin.area.approvals')}>
      <Segmented
        label={t('admin.area.approvals')}
        options={SHOWS.map((value) => ({ value, label: t(`admin.show.${value}`) }))}
        value={show}
        onChange={(value) => redirectTo(PATH, { show: value })}
      />
      <ProposalList show={show} onOpen={open} />
      {search.proposal_id !== undefined && (
        <ProposalSheet proposalId={search.proposal_id} onClose={() => open()} />
      )}
    </AdminPage>
  )
}
