import type { RevenueDeposit } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiWatchedList, formatCount, useTranslation } from '../../../lib/index.ts'
import { Card, EmptyState, ErrorState, ListSkeleton, Section } from '../../../ui/index.ts'
import { ShowMore } from '../components/show-more.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { useMay } from '../use-role.ts'
import { AttestSheet } from './attest-sheet.tsx'
import { DepositRow } from './deposit-row.tsx'

const SHOWN = 5

/** Revenue that came in on chain, and its way into the pools that pay: two people attest each deposit. */
export function RevenueSection() {
  const { t } = useTranslation()
  const may = useMay()
  const query = useInfiniteQuery(apiWatchedList('revenueDeposits', { query: { limit: SHOWN } }))
  const [attesting, setAttesting] = useState<RevenueDeposit | null>(null)
  const { want, show, sheets } = useProposals()
  const pages = query.data?.pages
  const items = pages?.flatMap((page) => page.items)
  return (
    <Section
      title={t('admin.deposits.title')}
      {...(pages && {
        aside: <span>{t('admin.deposits.waiting', { count: formatCount(pages[0]!.waiting) })}</span>,
      })}
    >
      <p className="px-1 text-14 text-muted">{t('admin.deposits.lead')}</p>
      {items === undefined ? (
        query.isError ? (
          <ErrorState onRetry={() => void query.refetch()} />
        ) : (
          <ListSkeleton rows={2} />
        )
      ) : items.length === 0 ? (
        <Card>
          <EmptyState icon="orders" title={t('admin.deposits.none')} hint={t('admin.deposits.noneHint')} />
        </Card>
      ) : (
        <ul aria-label={t('admin.deposits.title')} className="flex flex-col gap-3">
          {items.map((deposit) => (
            <li key={deposit.deposit_id}>
              <DepositRow
                deposit={deposit}
                mayAttest={may('operator')}
                onAttest={() => setAttesting(deposit)}
                onProposal={show}
              />
            </li>
          ))}
        </ul>
      )}
      <ShowMore query={query} />
      {attesting !== null && (
        <AttestSheet
          deposit={attesting}
          onSubmit={(wanted, onDone) => {
            setAttesting(null)
            want(wanted, onDone)
          }}
          onClose={() => setAttesting(null)}
        />
      )}
      {sheets}
    </Section>
  )
}
