import { useQuery } from '@tanstack/react-query'
import { apiQuery, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import { ErrorState, ListSkeleton } from '../../../ui/index.ts'
import { AdminPage } from '../components/admin-page.tsx'
import { OrderRow, PaymentRow, RedemptionRow } from '../orders/queue-rows.tsx'
import { QueueSection } from '../orders/queue-section.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'

/** Payments in suspense, redemptions to be decided on and orders that are stuck. */
export default function AuditOrderPage() {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery({ ...apiQuery('orderAudit'), refetchInterval: WATCH_MS })
  const { want, show, sheets } = useProposals()
  const decidable = { onWant: want, onProposal: show }
  return (
    <AdminPage title={t('admin.area.auditOrder')}>
      {data === undefined && isError && <ErrorState onRetry={() => void refetch()} />}
      {data === undefined && !isError && <ListSkeleton />}
      {data !== undefined && (
        <>
          <QueueSection
            title={t('admin.orders.payments')}
            about={t('admin.orders.paymentsAbout')}
            none={t('admin.orders.paymentsNone')}
            queue={data.payments}
            keyOf={(payment) => `${payment.tx_hash}/${payment.log_index}`}
            render={(payment) => <PaymentRow payment={payment} {...decidable} />}
          />
          <QueueSection
            title={t('admin.orders.redemptions')}
            about={t('admin.orders.redemptionsAbout')}
            none={t('admin.orders.redemptionsNone')}
            queue={data.redemptions}
            keyOf={(redemption) => redemption.redemption_id}
            render={(redemption) => <RedemptionRow redemption={redemption} {...decidable} />}
          />
          <QueueSection
            title={t('admin.orders.stuck')}
            about={t('admin.orders.stuckAbout')}
            none={t('admin.orders.stuckNone')}
            queue={data.orders}
            keyOf={(order) => `${order.type} ${order.order_id}`}
            render={(order) => <OrderRow order={order} />}
          />
        </>
      )}
      {sheets}
    </AdminPage>
  )
}
