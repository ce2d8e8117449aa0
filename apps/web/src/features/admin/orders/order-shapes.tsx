import {
  type OrderAudit,
  type RouteInput,
  type StuckOrder,
  type SuspendedPaymentItem,
  suspendedPayment,
  type WaitingRedemption,
} from '@rif/api-schema'
import { formatAmount, isZero, shortAddress, shortestAddress, type Translate } from '../../../lib/index.ts'
import { Pill } from '../../../ui/index.ts'
import { utcText } from '../components/utc-time.tsx'
import type { FilterField } from '../list/list-filters.ts'
import type { ListShape } from '../list/list-rows.ts'

type Query = RouteInput<'orderAudit'>['query']

/** The queues of the page, the most urgent first. */
export const QUEUES = ['payments', 'redemptions', 'orders'] as const satisfies readonly (keyof OrderAudit)[]
export type QueueName = (typeof QUEUES)[number]

/** The filters of a queue. */
export function queueFields(t: Translate, queue: QueueName): readonly FilterField<Query>[] {
  const all = ['', t('desk.filter.all')] as const
  const search: FilterField<Query> = { name: 'q', label: t('desk.orders.search'), as: 'search' }
  switch (queue) {
    case 'payments':
      return [
        search,
        {
          name: 'reason',
          label: t('desk.orders.why'),
          as: 'choice',
          options: [
            all,
            ...suspendedPayment.shape.reason.options.map(
              (reason) => [reason, t(`admin.orders.reason.${reason}`)] as const,
            ),
          ],
        },
      ]
    case 'redemptions':
      return [
        search,
        {
          name: 'redemption',
          label: t('desk.held.state'),
          as: 'choice',
          options: [all, ['Pending', t('admin.orders.pending')], ['Approved', t('admin.orders.overdue')]],
        },
      ]
    case 'orders':
      return [
        search,
        {
          name: 'type',
          label: t('desk.filter.sort'),
          as: 'choice',
          options: [all, ['package', t('desk.orders.package')], ['fund', t('desk.orders.fund')]],
        },
      ]
  }
}

const muted = (text: string | null) => <span className="text-12 text-muted">{text}</span>

/** Returns the amounts of a payment: "70.00 USDT + 60.00 AMC". */
export function moneyOf({ usdt, amc }: Pick<SuspendedPaymentItem, 'usdt' | 'amc'>): string {
  const sums = [
    ...(isZero(usdt) && !isZero(amc) ? [] : [`${formatAmount(usdt)} USDT`]),
    ...(isZero(amc) ? [] : [`${formatAmount(amc)} AMC`]),
  ]
  return sums.join(' + ')
}

/** Returns the list form of payments without an order. */
export function paymentShape(t: Translate): ListShape<SuspendedPaymentItem> {
  const state = (payment: SuspendedPaymentItem) => <ProposalPill t={t} id={payment.proposal_id} />
  const reason = (payment: SuspendedPaymentItem) => (
    <Pill tone="warn">{t(`admin.orders.reason.${payment.reason}`)}</Pill>
  )
  return {
    keyOf: (payment) => `${payment.tx_hash}/${payment.log_index}`,
    nameOf: (payment) =>
      t('desk.orders.payment', { money: moneyOf(payment), payer: shortAddress(payment.payer) }),
    columns: [
      { key: 'money', head: t('desk.held.amount'), cell: moneyOf },
      { key: 'payer', head: t('admin.orders.payer'), cell: (payment) => shortestAddress(payment.payer) },
      { key: 'why', head: t('desk.orders.why'), cell: reason },
      {
        key: 'order',
        head: t('admin.orders.orderOf'),
        isRoomy: true,
        cell: (payment) => muted(payment.order_member_id === null ? '–' : `#${payment.order_member_id}`),
      },
      { key: 'state', head: t('desk.held.state'), cell: state },
      {
        key: 'at',
        head: t('desk.orders.paid'),
        isFigure: true,
        cell: (payment) => muted(utcText(payment.paid_at)),
      },
    ],
    line: (payment) => ({
      title: moneyOf(payment),
      aside: utcText(payment.paid_at),
      text: shortAddress(payment.payer),
      tags: (
        <>
          {reason(payment)}
          {state(payment)}
        </>
      ),
    }),
  }
}

/** Returns the list form of pending redemptions. */
export function redemptionShape(t: Translate): ListShape<WaitingRedemption> {
  const unitsOf = ({ units, product_name: product }: WaitingRedemption) =>
    t('admin.orders.units', { units, product })
  const state = (redemption: WaitingRedemption) =>
    redemption.status === 'Approved' ? (
      <Pill tone="bad">{t('admin.orders.overdue')}</Pill>
    ) : redemption.proposal_id === null ? (
      <Pill tone="warn">{t('admin.orders.pending')}</Pill>
    ) : (
      <ProposalPill t={t} id={redemption.proposal_id} />
    )
  return {
    keyOf: (redemption) => redemption.redemption_id,
    nameOf: unitsOf,
    columns: [
      { key: 'number', head: t('desk.held.number'), cell: (redemption) => `#${redemption.redemption_id}` },
      { key: 'product', head: t('adminSearch.order.product'), cell: (redemption) => redemption.product_name },
      {
        key: 'member',
        head: t('admin.audit.member'),
        cell: (redemption) => shortestAddress(redemption.member_address),
      },
      { key: 'units', head: t('adminSearch.order.units'), isFigure: true, cell: ({ units }) => units },
      {
        key: 'cost',
        head: t('admin.orders.cost'),
        isFigure: true,
        isRoomy: true,
        cell: ({ cost }) => `${formatAmount(cost)} USDT`,
      },
      { key: 'state', head: t('desk.held.state'), cell: state },
      {
        key: 'at',
        head: t('desk.held.asked'),
        isFigure: true,
        cell: (redemption) => muted(utcText(redemption.submitted_at)),
      },
    ],
    line: (redemption) => ({
      title: unitsOf(redemption),
      aside: utcText(redemption.due_at ?? redemption.submitted_at),
      text: shortAddress(redemption.member_address),
      tags: state(redemption),
    }),
  }
}

/** Returns the list form of stuck orders. */
export function stuckShape(t: Translate): ListShape<StuckOrder> {
  const state = (order: StuckOrder) => <Pill tone="warn">{t(`adminSearch.status.${order.status}`)}</Pill>
  const nameOf = ({ name, order_id: id }: StuckOrder) => `${name} #${id}`
  return {
    keyOf: (order) => `${order.type} ${order.order_id}`,
    nameOf,
    columns: [
      { key: 'number', head: t('desk.held.number'), cell: (order) => `#${order.order_id}` },
      { key: 'what', head: t('desk.orders.what'), cell: ({ name }) => name },
      {
        key: 'member',
        head: t('admin.audit.member'),
        cell: (order) => shortestAddress(order.member_address),
      },
      { key: 'state', head: t('desk.held.state'), cell: state },
      {
        key: 'hash',
        head: t('adminSearch.order.hash'),
        isRoomy: true,
        cell: (order) => muted(order.tx_hash === null ? '–' : shortestAddress(order.tx_hash)),
      },
      {
        key: 'since',
        head: t('admin.orders.event.since'),
        isFigure: true,
        cell: (order) => muted(utcText(order.since)),
      },
    ],
    line: (order) => ({
      title: nameOf(order),
      aside: utcText(order.since),
      text: shortAddress(order.member_address),
      tags: state(order),
    }),
  }
}

/** Shows that a proposal about it waits for an approver; nothing without one. */
function ProposalPill({ t, id }: { t: Translate; id: string | null }) {
  return id === null ? null : <Pill tone="info">{t('desk.held.withApprover', { id })}</Pill>
}
