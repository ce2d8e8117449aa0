import type { StuckEventItem, StuckOrder, SuspendedPaymentItem, WaitingRedemption } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { formatCount, useTranslation } from '../../../lib/index.ts'
import { Address, Button, Card, Fact, Facts, Money, Notice, Pill, Section } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { MemberLink, useMay } from '../components/admin-page.tsx'
import { UtcTime, UtcTimeFact } from '../components/utc-time.tsx'
import type { Wanted } from '../proposals/use-proposals.tsx'
import { moneyOf } from './order-shapes.tsx'

export interface DecidableProps {
  onWant: (wanted: Wanted) => void
  onProposal: (proposalId: string) => void
}

/** Returns the proposal that gives a payment to a member; `isFree` when the payer did not err. */
export const giveBack = (payment: SuspendedPaymentItem, to: string, isFree: boolean): Wanted => ({
  kind: 'suspense',
  payload: {
    member_id: payment.member_id,
    tx_hash: payment.tx_hash,
    log_index: payment.log_index,
    to_member_id: to,
    is_free: isFree,
  },
})

/** A payment that matched no order: back to its payer, or to the member of the order in its id. */
export function PaymentDetails({
  payment,
  onWant,
  onProposal,
}: DecidableProps & { payment: SuspendedPaymentItem }) {
  const { t } = useTranslation()
  const { payer_member_id: payerId, order_member_id: orderId } = payment
  return (
    <Details title={moneyOf(payment)} pill={t(`admin.orders.reason.${payment.reason}`)}>
      <Facts>
        <Fact label={t('admin.orders.payer')}>
          {payerId === null ? (
            <Address value={payment.payer} />
          ) : (
            <MemberLink memberId={payerId} address={payment.payer} />
          )}
        </Fact>
        {orderId !== null && (
          <Fact label={t('admin.orders.orderOf')}>
            <MemberLink memberId={orderId} />
          </Fact>
        )}
        <Fact label={t('adminSearch.order.hash')}>
          <Address value={payment.tx_hash} />
        </Fact>
        <UtcTimeFact label={t('desk.orders.paid')} value={payment.paid_at} />
      </Facts>
      <p className="text-14 text-muted">
        {t(payerId === null ? 'admin.orders.strangerHint' : 'admin.orders.refundAbout')}
      </p>
      {orderId !== null && <p className="text-14 text-muted">{t('admin.orders.assignAbout')}</p>}
      <Steps
        proposalId={payment.proposal_id}
        onProposal={onProposal}
        steps={[
          ...(payerId === null
            ? []
            : [
                {
                  label: t('admin.orders.refundFree'),
                  onClick: () => onWant(giveBack(payment, payerId, true)),
                },
                { label: t('admin.orders.refund'), onClick: () => onWant(giveBack(payment, payerId, false)) },
              ]),
          ...(orderId === null
            ? []
            : [
                { label: t('admin.orders.assign'), onClick: () => onWant(giveBack(payment, orderId, false)) },
              ]),
        ]}
      />
    </Details>
  )
}

/** A redemption that is undecided, or approved and overdue. */
export function RedemptionDetails({
  redemption,
  onWant,
  onProposal,
}: DecidableProps & { redemption: WaitingRedemption }) {
  const { t } = useTranslation()
  const { units, product_name: product, member_id, redemption_id } = redemption
  const isOverdue = redemption.status === 'Approved'
  const want = (approve: boolean) =>
    onWant({ kind: 'fund_redemption', payload: { member_id, redemption_id, approve } })
  return (
    <Details
      title={t('admin.orders.units', { units, product })}
      pill={t(isOverdue ? 'admin.orders.overdue' : 'admin.orders.pending')}
    >
      <Facts>
        <Fact label={t('admin.audit.member')}>
          <MemberLink memberId={member_id} address={redemption.member_address} />
        </Fact>
        <Fact label={t('admin.orders.cost')}>
          <Money amount={redemption.cost} unit="USDT" />
        </Fact>
        <UtcTimeFact label={t('desk.held.asked')} value={redemption.submitted_at} />
        {redemption.due_at !== null && <UtcTimeFact label={t('desk.orders.due')} value={redemption.due_at} />}
      </Facts>
      {isOverdue ? (
        <p className="text-14 text-muted">{t('admin.orders.overdueHint')}</p>
      ) : (
        <Steps
          proposalId={redemption.proposal_id}
          onProposal={onProposal}
          steps={[
            { label: t('admin.audit.approve'), onClick: () => want(true) },
            { label: t('admin.audit.reject'), onClick: () => want(false), isDanger: true },
          ]}
        />
      )}
    </Details>
  )
}

/** An order that no worker could process further. */
export function StuckDetails({ order }: { order: StuckOrder }) {
  const { t } = useTranslation()
  return (
    <Details title={`${order.name} #${order.order_id}`} pill={t(`adminSearch.status.${order.status}`)}>
      <Facts>
        <Fact label={t('admin.audit.member')}>
          <MemberLink memberId={order.member_id} address={order.member_address} />
        </Fact>
        {order.tx_hash !== null && (
          <Fact label={t('adminSearch.order.hash')}>
            <Address value={order.tx_hash} />
          </Fact>
        )}
        <UtcTimeFact label={t('admin.orders.event.since')} value={order.since} />
      </Facts>
    </Details>
  )
}

/** The chain event that cannot be applied and blocks all later ones. */
export function StuckEventSection({ event, onWant, onProposal }: DecidableProps & { event: StuckEventItem }) {
  const { t } = useTranslation()
  const { block_hash, log_index } = event
  const setAside = () => onWant({ kind: 'event_set_aside', payload: { block_hash, log_index } })
  return (
    <Section title={t('admin.orders.event.title')}>
      <Notice tone="bad">{t('admin.orders.event.about')}</Notice>
      <Card>
        <Details title={event.name} pill={`#${event.log_index}`}>
          <Facts>
            <Fact label={t('adminSearch.order.hash')}>
              <TxHash value={event.tx_hash} />
            </Fact>
            <Fact label={t('admin.orders.event.block')}>{event.block_number}</Fact>
            <Fact label={t('admin.orders.event.since')}>
              <UtcTime value={event.failed_at} />
            </Fact>
            <Fact label={t('admin.orders.event.waiting')}>{formatCount(event.waiting)}</Fact>
            <Fact label={t('admin.orders.event.failure')}>
              <span className="wrap-anywhere">{event.failure}</span>
            </Fact>
          </Facts>
          {!event.final_on_l1 && <p className="text-14 text-muted">{t('admin.orders.event.later')}</p>}
          <Steps
            proposalId={event.proposal_id}
            onProposal={onProposal}
            steps={
              event.final_on_l1
                ? [{ label: t('admin.orders.event.setAside'), onClick: setAside, isDanger: true }]
                : []
            }
          />
        </Details>
      </Card>
    </Section>
  )
}

function Details({ title, pill, children }: { title: string; pill: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="wrap-anywhere text-20 font-semibold">{title}</h2>
        <Pill tone="warn">{pill}</Pill>
      </div>
      {children}
    </div>
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
