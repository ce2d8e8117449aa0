import type { OrderAudit, RouteInput } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, formatCount, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import { Chip, Chips, EmptyState } from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { FilterBar } from '../list/filter-bar.tsx'
import { useListFilters } from '../list/list-filters.ts'
import { allRows } from '../list/list-rows.ts'
import { WorkList, type WorkListProps } from '../list/work-list.tsx'
import { BulkRefund, canRefund } from '../orders/bulk-refund.tsx'
import {
  type DecidableProps,
  PaymentDetails,
  RedemptionDetails,
  StuckDetails,
  StuckEventSection,
} from '../orders/order-details.tsx'
import {
  paymentShape,
  QUEUES,
  type QueueName,
  queueFields,
  redemptionShape,
  stuckShape,
} from '../orders/order-shapes.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'

/** Payments in suspense, undecided redemptions and stuck orders. */
export default function AuditOrderPage() {
  const { t } = useTranslation()
  const { data } = useQuery({ ...apiQuery('orderAudit', { query: {} }), refetchInterval: WATCH_MS })
  const [chosen, setChosen] = useState<QueueName | null>(null)
  const name = chosen ?? QUEUES.find((item) => data !== undefined && data[item].waiting > 0) ?? QUEUES[0]
  const { want, show, sheets } = useProposals({ place: 'orders' })
  return (
    <AdminPage title={t('admin.area.auditOrder')} about={t('admin.about.auditOrder')}>
      {data !== undefined && data.stuck_event !== null && (
        <StuckEventSection event={data.stuck_event} onWant={want} onProposal={show} />
      )}
      <Chips label={t('admin.area.auditOrder')}>
        {QUEUES.map((item) => (
          <Chip key={item} pressed={item === name} onClick={() => setChosen(item)}>
            {t(`admin.orders.${TITLES[item]}`)}
            {data !== undefined && <span className="tabular-nums">{formatCount(data[item].waiting)}</span>}
          </Chip>
        ))}
      </Chips>
      <p className="text-14 text-muted">{t(`admin.orders.${TITLES[name]}About`)}</p>
      <Queue key={name} name={name} onWant={want} onProposal={show} />
      {sheets}
    </AdminPage>
  )
}

const TITLES = { payments: 'payments', redemptions: 'redemptions', orders: 'stuck' } as const

/** One of the queues with its filters, oldest first. */
function Queue({ name, onWant, onProposal }: DecidableProps & { name: QueueName }) {
  const { t } = useTranslation()
  const mayPrepare = useMay()('operator')
  const filters = useListFilters<RouteInput<'orderAudit'>['query']>(
    `auditOrder ${name}`,
    queueFields(t, name),
  )
  const query = useQuery({
    ...apiQuery('orderAudit', { query: filters.query }),
    refetchInterval: WATCH_MS,
    placeholderData: (previous: OrderAudit | undefined) => previous,
  })
  const shared = {
    label: t(`admin.orders.${TITLES[name]}`),
    isNarrowed: filters.isNarrowed,
    empty: (
      <EmptyState icon="check" title={t(`admin.orders.${TITLES[name]}None`)} hint={t('admin.noneHint')} />
    ),
  } satisfies Partial<WorkListProps<never>>
  const decidable = (leave: () => void): DecidableProps => ({
    onWant: (wanted) => {
      leave()
      onWant(wanted)
    },
    onProposal: (id) => {
      leave()
      onProposal(id)
    },
  })
  const { items = [], waiting = 0 } = query.data?.[name] ?? {}
  return (
    <>
      <FilterBar filters={filters} />
      {name === 'payments' ? (
        <WorkList
          {...shared}
          rows={allRows(query, ({ payments }) => payments.items)}
          shape={paymentShape(t)}
          details={(payment, leave) => <PaymentDetails payment={payment} {...decidable(leave)} />}
          bulk={
            mayPrepare
              ? {
                  can: canRefund,
                  bar: (selection, clear) => <BulkRefund selection={selection} onDone={clear} />,
                }
              : undefined
          }
        />
      ) : name === 'redemptions' ? (
        <WorkList
          {...shared}
          rows={allRows(query, ({ redemptions }) => redemptions.items)}
          shape={redemptionShape(t)}
          details={(redemption, leave) => <RedemptionDetails redemption={redemption} {...decidable(leave)} />}
        />
      ) : (
        <WorkList
          {...shared}
          rows={allRows(query, ({ orders }) => orders.items)}
          shape={stuckShape(t)}
          details={(order) => <StuckDetails order={order} />}
        />
      )}
      {waiting > items.length && (
        <p className="px-1 text-12 text-muted">
          {t('admin.orders.oldest', { count: items.length, waiting: formatCount(waiting) })}
        </p>
      )}
    </>
  )
}
