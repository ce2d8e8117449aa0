import type { StuckOrder, SuspendedPaymentItem, WaitingRedemption } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { isZero, useTranslation } from '../../../lib/index.ts'
import { Address, Button, Money, Pill, Time } from '../../../ui/index.ts'
import { MemberLink } from '../components/member-link.tsx'
import type { Wanted } from '../proposals/prepare-sheet.tsx'
import { useMay } from '../use-role.ts'

/** An order that no worker could bring further. */
export function OrderRow({ order }: { order: StuckOrder }) {
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

export interface DecidableProps {
  onWant: (wanted: Wanted) => void
  onProposal: (proposalId: string) => void
}

/** A redemption to be decided on, or one that is approved and overdue. */
export function RedemptionRow({
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
export function PaymentRow({
  payment,
  onWant,
  onProposal,
}: DecidableProps & { payment: SuspendedPaymentItem }) {
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
          <Time value={props.time} />
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

/** What may be proposed, or the way to what was. */
function Steps({ proposalId, onProposal, steps }: StepsProps) {
  const { t } = useTranslation()
  const may = useMay()
  if (proposalId === null && (steps.length === 0 || !may('operator'))) return null
  return (
    <div className="flex flex-wrap items-center gap-2 lg:w-56 lg:flex-col lg:items-stretch">
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
