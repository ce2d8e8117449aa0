import type { StuckEventItem, StuckOrder, SuspendedPaymentItem, WaitingRedemption } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiQuery, formatCount, isZero, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import { Address, Button, Card, Loaded, Money, Notice, Pill, Section } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { AdminPage, MemberLink, useMay } from '../components/admin-page.tsx'
import { NothingWaits } from '../components/panel.tsx'
import { UtcTime } from '../components/utc-time.tsx'
import { useProposals, type Wanted } from '../proposals/use-proposals.tsx'

/** Payments in suspense, redemptions to be decided on and orders that are stuck. */
export default function AuditOrderPage() {
  const { t } = useTranslation()
  const query = useQuery({ ...apiQuery('orderAudit'), refetchInterval: WATCH_MS })
  const { want, show, sheets } = useProposals()
  const decidable = { onWant: want, onProposal: show }
  return (
    <AdminPage title={t('admin.area.auditOrder')} about={t('admin.about.auditOrder')}>
      <Loaded query={query}>
        {(data) => (
          <>
            {data.stuck_event !== null && <StuckEventSection event={data.stuck_event} {...decidable} />}
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
      </Loaded>
      {sheets}
    </AdminPage>
  )
}

interface QueueSectionProps<T> {
  title: string
  about: string
  none: string
  queue: { items: readonly T[]; waiting: number }
  keyOf: (item: T) => string
  render: (item: T) => ReactNode
}

/** One of the queues: how many wait, what they are, and the oldest of them. */
function QueueSection<T>({ title, about, none, queue, keyOf, render }: QueueSectionProps<T>) {
  const { t } = useTranslation()
  const { items, waiting } = queue
  return (
    <Section title={title} aside={<span className="tabular-nums">{formatCount(waiting)}</span>}>
      <p className="px-1 text-14 text-muted">{about}</p>
      {items.length === 0 ? (
        <Card>
          <NothingWaits>{none}</NothingWaits>
        </Card>
      ) : (
        <ul aria-label={title} className="divide-y divide-line overflow-hidden rounded-16 bg-card">
          {items.map((item) => (
            <li
              key={keyOf(item)}
              className="flex flex-col gap-3 px-4 py-3 lg:flex-row lg:items-start lg:gap-6"
            >
              {render(item)}
            </li>
          ))}
        </ul>
      )}
      {waiting > items.length && (
        <p className="px-1 text-12 text-muted">
          {t('admin.orders.oldest', { count: items.length, waiting: formatCount(waiting) })}
        </p>
      )}
    </Section>
  )
}

/** The event of the chain that cannot be applied, and for which all later ones wait. */
function StuckEventSection({ event, onWant, onProposal }: DecidableProps & { event: StuckEventItem }) {
  const { t } = useTranslation()
  const { block_hash, log_index } = event
  const setAside = () => onWant({ kind: 'event_set_aside', payload: { block_hash, log_index } })
  return (
    <Section title={t('admin.orders.event.title')}>
      <Notice tone="bad">{t('admin.orders.event.about')}</Notice>
      <Card className="flex flex-col gap-3 lg:flex-row lg:items-start lg:gap-6">
        <Body head={event.name} pill={<Pill tone="bad">#{event.log_index}</Pill>} time={event.block_at}>
          <Line label={t('adminSearch.order.hash')}>
            <TxHash value={event.tx_hash} />
          </Line>
          <Line label={t('admin.orders.event.block')}>{event.block_number}</Line>
          <Line label={t('admin.orders.event.since')}>
            <UtcTime value={event.failed_at} />
          </Line>
          <Line label={t('admin.orders.event.waiting')}>{formatCount(event.waiting)}</Line>
          <Line label={t('admin.orders.event.failure')}>
            <span className="wrap-anywhere">{event.failure}</span>
          </Line>
          {!event.final_on_l1 && <p className="text-muted">{t('admin.orders.event.later')}</p>}
        </Body>
        <Steps
          proposalId={event.proposal_id}
          onProposal={onProposal}
          steps={
            event.final_on_l1
              ? [{ label: t('admin.orders.event.setAside'), onClick: setAside, isDanger: true }]
              : []
          }
        />
      </Card>
    </Section>
  )
}

/** An order that no worker could bring further. */
function OrderRow({ order }: { order: StuckOrder }) {
  const { t } = useTranslation()
  return (
    <Body
      head={`${order.name} #${order.order_id}`}
      pill={<Pill tone="warn">{t(`adminSearch.status.${order.status}`)}</Pill>}
      time={order.since}
    >
      <Line label={t('admin.audit.member')}>
        <MemberLink memberId={order.member_id} address={order.member_address} />
      </Line>
      {order.tx_hash !== null && (
        <Line label={t('adminSearch.order.hash')}>
          <Address value={order.tx_hash} />
        </Line>
      )}
    </Body>
  )
}

interface DecidableProps {
  onWant: (wanted: Wanted) => void
  onProposal: (proposalId: string) => void
}

/** A redemption to be decided on, or one that is approved and overdue. */
function RedemptionRow({
  redemption,
  onWant,
  onProposal,
}: DecidableProps & { redemption: WaitingRedemption }) {
  const { t } = useTranslation()
  const isOverdue = redemption.status === 'Approved'
  const want = (approve: boolean) =>
    onWant({
      kind: 'fund_redemption',
      payload: { member_id: redemption.member_id, redemption_id: redemption.redemption_id, approve },
    })
  return (
    <>
      <Body
        head={t('admin.orders.units', { units: redemption.units, product: redemption.product_name })}
        pill={
          <Pill tone={isOverdue ? 'bad' : 'warn'}>
            {t(isOverdue ? 'admin.orders.overdue' : 'admin.orders.pending')}
          </Pill>
        }
        time={redemption.due_at ?? redemption.submitted_at}
      >
        <Line label={t('admin.audit.member')}>
          <MemberLink memberId={redemption.member_id} address={redemption.member_address} />
        </Line>
        <Line label={t('admin.orders.cost')}>
          <Money amount={redemption.cost} unit="USDT" />
        </Line>
        {isOverdue && <p className="text-muted">{t('admin.orders.overdueHint')}</p>}
      </Body>
      {!isOverdue && (
        <Steps
          proposalId={redemption.proposal_id}
          onProposal={onProposal}
          steps={[
            { label: t('admin.audit.approve'), onClick: () => want(true) },
            { label: t('admin.audit.reject'), onClick: () => want(false), isDanger: true },
          ]}
        />
      )}
    </>
  )
}

/** A payment that fitted no order: back to its payer, or to the member whose order it names. */
function PaymentRow({ payment, onWant, onProposal }: DecidableProps & { payment: SuspendedPaymentItem }) {
  const { t } = useTranslation()
  const { member_id, tx_hash, log_index, payer_member_id: payerId, order_member_id: orderId } = payment
  const give = (to_member_id: string) =>
    onWant({ kind: 'suspense', payload: { member_id, tx_hash, log_index, to_member_id } })
  return (
    <>
      <Body
        head={
          <span className="flex flex-wrap gap-x-3">
            {!(isZero(payment.usdt) && !isZero(payment.amc)) && <Money amount={payment.usdt} unit="USDT" />}
            {!isZero(payment.amc) && <Money amount={payment.amc} unit="AMC" />}
          </span>
        }
        pill={<Pill tone="warn">{t(`admin.orders.reason.${payment.reason}`)}</Pill>}
        time={payment.paid_at}
      >
        <Line label={t('admin.orders.payer')}>
          {payerId === null ? (
            <Address value={payment.payer} />
          ) : (
            <MemberLink memberId={payerId} address={payment.payer} />
          )}
        </Line>
        {orderId !== null && (
          <Line label={t('admin.orders.orderOf')}>
            <MemberLink memberId={orderId} />
          </Line>
        )}
        <Line label={t('adminSearch.order.hash')}>
          <Address value={tx_hash} />
        </Line>
        {payerId === null && <p className="text-muted">{t('admin.orders.strangerHint')}</p>}
      </Body>
      <Steps
        proposalId={payment.proposal_id}
        onProposal={onProposal}
        steps={[
          ...(payerId === null ? [] : [{ label: t('admin.orders.refund'), onClick: () => give(payerId) }]),
          ...(orderId === null ? [] : [{ label: t('admin.orders.assign'), onClick: () => give(orderId) }]),
        ]}
      />
    </>
  )
}

function Body(props: { head: ReactNode; pill: ReactNode; time: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1 text-14">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="wrap-anywhere text-16 font-semibold">{props.head}</span>
        {props.pill}
        <span className="ml-auto text-12 text-muted">
          <UtcTime value={props.time} />
        </span>
      </div>
      {props.children}
    </div>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2">
      <span className="text-muted">{label}</span>
      {children}
    </p>
  )
}

interface StepsProps {
  proposalId: string | null
  onProposal: (proposalId: string) => void
  steps: readonly { label: string; onClick: () => void; isDanger?: boolean }[]
}

/** The possible proposals, or a link to the open one. */
function Steps({ proposalId, onProposal, steps }: StepsProps) {
  const { t } = useTranslation()
  const may = useMay()
  if (proposalId === null && (steps.length === 0 || !may('operator'))) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      {proposalId !== null ? (
        <Button variant="secondary" onClick={() => onProposal(proposalId)}>
          {t('admin.audit.proposed')}
        </Button>
      ) : (
        steps.map(({ label, onClick, isDanger }) => (
          <Button key={label} variant={isDanger ? 'danger' : 'secondary'} onClick={onClick}>
            {label}
          </Button>
        ))
      )}
    </div>
  )
}
