import { useQuery } from '@tanstack/react-query'
import { apiQuery, PageLink, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import { ListSkeleton, Loaded, Section } from '../../../ui/index.ts'
import { AdminPage } from '../components/admin-page.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { AuditButton } from '../solvency/audit-button.tsx'
import { AuditRuns } from '../solvency/audit-runs.tsx'
import { BooksTable } from '../solvency/books-table.tsx'
import { GateCard } from '../solvency/gate-card.tsx'
import { KeyFigures } from '../solvency/key-figures.tsx'
import { Publications } from '../solvency/publications.tsx'
import { Snapshots } from '../solvency/snapshots.tsx'

/**
 * Shows liabilities and holdings, the reports and their publication, and the conditions that would close the
 * gate.
 */
export default function SolvencyPage() {
  const { t } = useTranslation()
  const emergency = useQuery({ ...apiQuery('emergency'), refetchInterval: WATCH_MS })
  const books = useQuery({ ...apiQuery('solvencyBooks'), refetchInterval: WATCH_MS })
  const reports = useQuery({ ...apiQuery('solvency'), refetchInterval: WATCH_MS })
  const sends = useQuery({ ...apiQuery('solvencySends'), refetchInterval: WATCH_MS })
  const { want, sheets } = useProposals({ place: 'solvency', onClose: () => void emergency.refetch() })
  return (
    <AdminPage
      title={t('admin.area.solvency')}
      about={t('adminSolvency.about')}
      actions={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <PageLink
            to="/pages/solvency"
            className="inline-flex min-h-11 items-center text-14 font-medium text-accent"
          >
            {t('adminSolvency.public')}
          </PageLink>
          <AuditButton />
        </div>
      }
    >
      <Loaded query={emergency} skeleton={<ListSkeleton rows={2} />}>
        {({ guard }) => (
          <>
            <KeyFigures guard={guard} books={books.data} latest={reports.data?.latest ?? null} />
            <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]">
              <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
                <Loaded query={reports} skeleton={<ListSkeleton rows={3} />}>
                  {({ days }) => <Snapshots days={days} />}
                </Loaded>
                <Loaded query={books} skeleton={<ListSkeleton rows={6} />}>
                  {(data) => <BooksTable data={data} />}
                </Loaded>
                <Section title={t('adminSolvency.sends')}>
                  <Loaded query={sends} skeleton={<ListSkeleton rows={2} />}>
                    {(data) => <Publications data={data} />}
                  </Loaded>
                </Section>
              </div>
              <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
                <GateCard guard={guard} books={books.data} onWant={want} />
                <AuditRuns guard={guard} />
              </div>
            </div>
          </>
        )}
      </Loaded>
      {sheets}
    </AdminPage>
  )
}
