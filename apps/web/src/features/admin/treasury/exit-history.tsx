import type { ExitState, RouteInput, TreasuryExit } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { apiWatchedList, formatAmount, type Translate, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  AddressFact,
  EmptyState,
  Fact,
  Facts,
  Money,
  Pill,
  Section,
  type Tone,
} from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { AdminName } from '../components/admin-page.tsx'
import { UtcTimeFact, utcText } from '../components/utc-time.tsx'
import { FilterBar } from '../list/filter-bar.tsx'
import { type FilterField, useListFilters } from '../list/list-filters.ts'
import { type ListShape, useRows } from '../list/list-rows.ts'
import { WorkList } from '../list/work-list.tsx'

const TONES: Readonly<Record<ExitState, Tone>> = {
  Approved: 'info',
  Announced: 'warn',
  Executed: 'good',
  Cancelled: 'bad',
  Lapsed: 'neutral',
  HandedOver: 'neutral',
  Withdrawn: 'neutral',
}

const fieldsOf = (t: Translate): readonly FilterField<RouteInput<'exits'>['query']>[] => [
  {
    name: 'kind',
    label: t('desk.filter.sort'),
    as: 'tabs',
    options: [
      ['', t('desk.filter.all')],
      ['treasury_payout', t('admin.kind.treasury_payout')],
      ['fund_invest', t('admin.kind.fund_invest')],
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

const sumOf = ({ amount, asset }: TreasuryExit) => `${formatAmount(amount)} ${asset}`

function exitShape(t: Translate): ListShape<TreasuryExit> {
  const state = (exit: TreasuryExit) => (
    <Pill tone={TONES[exit.state]}>{t(`admin.treasury.state.${exit.state}`)}</Pill>
  )
  const ended = (exit: TreasuryExit) => (exit.ended_at === null ? null : utcText(exit.ended_at))
  return {
    keyOf: ({ exit_id: id }) => id,
    nameOf: ({ kind, exit_id: id }) => `${t(`admin.kind.${kind}`)} #${id}`,
    columns: [
      { key: 'number', head: t('admin.treasury.number'), cell: ({ exit_id: id }) => `#${id}` },
      { key: 'what', head: t('admin.treasury.what'), cell: ({ kind }) => t(`admin.kind.${kind}`) },
      { key: 'to', head: t('admin.treasury.to'), cell: ({ destination_name: name }) => name },
      { key: 'amount', head: t('admin.treasury.amount'), isFigure: true, cell: sumOf },
      { key: 'state', head: t('desk.held.state'), cell: state },
      {
        key: 'ended',
        head: t('admin.treasury.ended'),
        isFigure: true,
        cell: (exit) => <span className="text-12 text-muted">{ended(exit)}</span>,
      },
    ],
    line: (exit) => ({
      title: sumOf(exit),
      aside: ended(exit),
      text: `${t(`admin.kind.${exit.kind}`)} · ${exit.destination_name}`,
      tags: state(exit),
    }),
  }
}

/** The exits that ended, newest first. */
export function ExitHistory() {
  const { t } = useTranslation()
  const filters = useListFilters('exits', fieldsOf(t))
  const query = useInfiniteQuery({
    ...apiWatchedList('exits', { query: { ...filters.query, show: 'ended' } }),
    placeholderData: (previous) => previous,
  })
  const title = t('admin.treasury.history')
  return (
    <Section title={title}>
      <div className="flex flex-col gap-4">
        <FilterBar filters={filters} />
        <WorkList
          label={title}
          rows={useRows(query)}
          shape={exitShape(t)}
          isNarrowed={filters.isNarrowed || filters.values.kind !== ''}
          empty={<EmptyState icon="out" title={t('admin.treasury.noHistory')} />}
          details={(exit) => <ExitDetails exit={exit} />}
        />
      </div>
    </Section>
  )
}

function ExitDetails({ exit }: { exit: TreasuryExit }) {
  const { t } = useTranslation()
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <p className="flex items-center justify-between gap-2 text-14 text-muted">
          {t(`admin.kind.${exit.kind}`)} #{exit.exit_id}
          <Pill tone={TONES[exit.state]}>{t(`admin.treasury.state.${exit.state}`)}</Pill>
        </p>
        <h2 className="text-20 font-semibold">
          <Money amount={exit.amount} unit={exit.asset} exact />
        </h2>
      </div>
      <Facts>
        <Fact label={t('admin.treasury.to')}>{exit.destination_name}</Fact>
        <AddressFact label={t('admin.audit.to')} value={exit.destination} form="full" />
        <Fact label={t('admin.reason')}>
          <span className="wrap-anywhere">{exit.purpose}</span>
        </Fact>
        <Fact label={t('desk.held.decidedBy')}>
          <AdminName actor={exit.approved_by} />
        </Fact>
        {exit.ended_at !== null && <UtcTimeFact label={t('admin.treasury.ended')} value={exit.ended_at} />}
        {exit.cancelled_by !== null && (
          <Fact label={t('admin.treasury.by')}>
            <AdminName actor={exit.cancelled_by} />
          </Fact>
        )}
        {exit.announced_tx !== null && (
          <Fact label={t('desk.held.transaction')}>
            <TxHash value={exit.announced_tx} />
          </Fact>
        )}
        <Fact label={t('admin.deposits.paper')}>
          <Address value={exit.document_hash} />
        </Fact>
      </Facts>
    </div>
  )
}
