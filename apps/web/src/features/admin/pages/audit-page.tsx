import type { RouteData } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { apiWatchedList, useTranslation } from '../../../lib/index.ts'
import { CsvButton, EmptyState } from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { FilterBar } from '../list/filter-bar.tsx'
import { useListFilters } from '../list/list-filters.ts'
import { useRows } from '../list/list-rows.ts'
import { WorkList } from '../list/work-list.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { BulkPrepare } from '../withdrawals/bulk-prepare.tsx'
import { EndedToday } from '../withdrawals/ended-today.tsx'
import { HeldDetails } from '../withdrawals/held-details.tsx'
import { heldFields, heldQuery, heldShape } from '../withdrawals/held-shape.tsx'
import { HeldTotals } from '../withdrawals/held-totals.tsx'
import { clearOnes, isFree, wantedOf } from '../withdrawals/prepare-steps.ts'

/** The maximum of one page of the list. */
const PAGE_ROWS = 100

/**
 * Withdrawals and transfers in all states, with their risks; several pending ones can be decided together.
 */
export default function AuditPage() {
  const { t } = useTranslation()
  const mayPrepare = useMay()('operator')
  const filters = useListFilters('audit', heldFields(t))
  const query = useInfiniteQuery({
    ...apiWatchedList('auditQueue', { query: { ...heldQuery(filters.query), limit: PAGE_ROWS } }),
    placeholderData: (previous) => previous,
  })
  const { want, show, sheets } = useProposals({
    place: 'departures',
    title: t('admin.audit.prepare'),
    reasonHint: t('admin.audit.reasonHint'),
  })
  const [first] = query.data?.pages ?? []
  return (
    <AdminPage
      title={t('admin.area.audit')}
      about={t('admin.about.audit')}
      actions={<CsvButton name="auditQueue" query={heldQuery(filters.query)} />}
    >
      <HeldTotals ready={first?.ready} />
      <FilterBar filters={filters} counts={countsOf(first)} />
      <WorkList
        label={t('admin.area.audit')}
        rows={useRows(query)}
        shape={heldShape(t)}
        isNarrowed={filters.isNarrowed}
        empty={<EmptyState icon="check" title={t('admin.audit.none')} hint={t('admin.noneHint')} />}
        details={(departure, leave) => (
          <HeldDetails
            departure={departure}
            mayPrepare={mayPrepare}
            onReview={(approve) => {
              leave()
              want(wantedOf([departure], approve))
            }}
            onProposal={(id) => {
              leave()
              show(id)
            }}
          />
        )}
        bulk={
          mayPrepare
            ? {
                can: isFree,
                bar: (selection, clear) => <BulkPrepare selection={selection} onDone={clear} />,
                quick: {
                  of: clearOnes,
                  label: (count) => t('desk.bulk.selectClear', { count }),
                  about: t('desk.bulk.clearAbout'),
                },
              }
            : undefined
        }
      />
      <EndedToday />
      {sheets}
    </AdminPage>
  )
}

const countsOf = (data: RouteData<'auditQueue'> | undefined) =>
  data === undefined
    ? {}
    : { open: data.waiting + data.ready.count, held: data.waiting, ready: data.ready.count }
