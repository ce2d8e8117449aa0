import type { RevenueDeposit, RouteInput } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  apiWatchedList,
  formatAmount,
  shortAddress,
  shortestAddress,
  type Translate,
  useTranslation,
} from '../../../lib/index.ts'
import { Button, EmptyState, Pill } from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'
import { utcText } from '../components/utc-time.tsx'
import { FilterBar } from '../list/filter-bar.tsx'
import { type FilterField, useListFilters } from '../list/list-filters.ts'
import { type ListShape, useRows } from '../list/list-rows.ts'
import { WorkList } from '../list/work-list.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { AttestSheet } from './attest-sheet.tsx'
import { DepositDetails, DepositState } from './deposit-details.tsx'
import { DepositSheet } from './deposit-sheet.tsx'

const fieldsOf = (t: Translate): readonly FilterField<RouteInput<'revenueDeposits'>['query']>[] => [
  {
    name: 'state',
    label: t('desk.held.state'),
    as: 'tabs',
    options: [
      ['', t('desk.filter.all')],
      ['waiting', t('admin.deposits.waits')],
      ['attested', t('admin.deposits.attested')],
      ['divested', t('admin.deposits.divested')],
    ],
  },
  {
    name: 'asset',
    label: t('desk.filter.asset'),
    as: 'choice',
    options: [
      ['', t('desk.filter.all')],
      ['USDT', 'USDT'],
      ['AMC', 'AMC'],
    ],
  },
]

const sumOf = ({ amount, asset }: RevenueDeposit) => `${formatAmount(amount)} ${asset}`

function depositShape(t: Translate): ListShape<RevenueDeposit> {
  const nameOf = (deposit: RevenueDeposit) =>
    t('desk.orders.payment', { money: sumOf(deposit), payer: shortAddress(deposit.from) })
  const state = (deposit: RevenueDeposit) =>
    deposit.proposal_id === null ? (
      <DepositState deposit={deposit} />
    ) : (
      <Pill tone="info">{t('desk.held.withApprover', { id: deposit.proposal_id })}</Pill>
    )
  const into = ({ attested }: RevenueDeposit) =>
    attested === null ? '–' : t(`admin.deposits.pool.${attested.pool}`)
  const label = (deposit: RevenueDeposit) =>
    deposit.label.startsWith('0x') ? shortestAddress(deposit.label) : deposit.label
  return {
    keyOf: ({ deposit_id: id }) => id,
    nameOf,
    columns: [
      { key: 'sum', head: t('desk.held.amount'), cell: sumOf },
      { key: 'label', head: t('admin.deposits.label'), cell: label },
      {
        key: 'from',
        head: t('admin.deposits.from'),
        isRoomy: true,
        cell: (deposit) => shortestAddress(deposit.from),
      },
      { key: 'into', head: t('admin.deposits.into'), cell: into },
      { key: 'state', head: t('desk.held.state'), cell: state },
      {
        key: 'at',
        head: t('desk.orders.paid'),
        isFigure: true,
        cell: (deposit) => <span className="text-12 text-muted">{utcText(deposit.deposited_at)}</span>,
      },
    ],
    line: (deposit) => ({
      title: sumOf(deposit),
      aside: utcText(deposit.deposited_at),
      text: [label(deposit), shortAddress(deposit.from)].filter((part) => part !== '').join(' · '),
      tags: (
        <>
          {state(deposit)}
          {deposit.attested !== null && <Pill>{into(deposit)}</Pill>}
        </>
      ),
    }),
  }
}

/** Revenue that arrived on chain, and its way into the paying pools: two people attest each deposit. */
export function DepositList() {
  const { t } = useTranslation()
  const may = useMay()
  const filters = useListFilters('deposits', fieldsOf(t))
  const query = useInfiniteQuery({
    ...apiWatchedList('revenueDeposits', { query: filters.query }),
    placeholderData: (previous) => previous,
  })
  const [attesting, setAttesting] = useState<RevenueDeposit | null>(null)
  const [isPaying, setPaying] = useState(false)
  const { want, show, sheets } = useProposals()
  const waiting = query.data?.pages[0]?.waiting
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3 px-1">
        <p className="max-w-prose text-14 text-muted">{t('admin.deposits.lead')}</p>
        {may('operator') && (
          <Button variant="secondary" onClick={() => setPaying(true)}>
            {t('admin.deposits.pay.title')}
          </Button>
        )}
      </div>
      <FilterBar filters={filters} counts={waiting === undefined ? {} : { waiting }} />
      <WorkList
        label={t('admin.deposits.title')}
        rows={useRows(query)}
        shape={depositShape(t)}
        isNarrowed={filters.isNarrowed || filters.values.state !== ''}
        empty={
          <EmptyState icon="orders" title={t('admin.deposits.none')} hint={t('admin.deposits.noneHint')} />
        }
        details={(deposit, leave) => (
          <DepositDetails
            deposit={deposit}
            mayAttest={may('operator')}
            onAttest={() => {
              leave()
              setAttesting(deposit)
            }}
            onProposal={(id) => {
              leave()
              show(id)
            }}
          />
        )}
      />
      {isPaying && <DepositSheet onClose={() => setPaying(false)} />}
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
    </>
  )
}
