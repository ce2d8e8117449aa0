import type { FundOrder, FundOrderDetail } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  apiFollow,
  formatPpm,
  formatSince,
  formatTime,
  PageLink,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import {
  ButtonStack,
  buttonClass,
  Card,
  CardSection,
  Columns,
  Fact,
  Facts,
  LinkRow,
  Money,
  MoneyFact,
  Notice,
  Pill,
  PriceNote,
  ReceiptButtons,
  Section,
  TokenMark,
} from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import {
  FieldFacts,
  fieldKinds,
  type OrderFields,
  OrderFrame,
  OrderHead,
  Progress,
  receiptOf,
  UnpaidActions,
  useCancel,
} from '../../../wallet/order-frame.tsx'
import { isHeld, isRedemptionUnderWay, purchaseSteps, STATUS_TONES } from '../fund-view.ts'
import { Gain, navOfOrder, useUnits } from './parts.tsx'

/** A purchase in full: performance, history, every labelled field, and its actions. */
export function OrderView({ order }: { order: FundOrderDetail }) {
  const { t } = useTranslation()
  const fields = useOrderFields(order)
  return (
    <Columns
      side={
        <>
          <CardSection title={t('fund.order.facts')}>
            <FieldFacts fields={fields} />
          </CardSection>
          {order.collected_at !== null && (
            <ReceiptButtons title={order.product_name} lines={receiptOf(fields)} />
          )}
        </>
      }
    >
      <PurchaseHead order={order} />
      {order.unmatched_tx_hash !== null && (
        <Notice tone="warn">
          {t('fund.order.unmatched')} <TxHash value={order.unmatched_tx_hash} />
        </Notice>
      )}
      {isHeld(order) && (
        <Card>
          <HoldingFacts order={order} />
        </Card>
      )}
      <Actions order={order} />
      <Redemptions order={order} />
      <CardSection title={t('fund.order.progress')}>
        <FundOrderTimeline order={order} />
      </CardSection>
    </Columns>
  )
}

/** Shows a purchase: its present value, or its cost. */
function PurchaseHead({ order }: { order: FundOrder }) {
  const { t } = useTranslation()
  const units = useUnits()
  if (!isHeld(order)) return <PaymentHead order={order} />
  return (
    <OrderHead
      mark={<TokenMark token="fund" />}
      amount={order.market_value}
      unit="USDT"
      tone={STATUS_TONES[order.status]}
      status={t(`fund.status.${order.status}`)}
    >
      {t('fund.order.worthOf', { units: units(order.units_left), name: order.product_name })}
    </OrderHead>
  )
}

/** Shows a payment: the cost of a purchase, and its product. */
export function PaymentHead({ order, children }: { order: FundOrder; children?: ReactNode }) {
  const { t } = useTranslation()
  const units = useUnits()
  return (
    <OrderHead
      mark={<TokenMark token="fund" />}
      amount={order.total}
      unit="USDT"
      tone={STATUS_TONES[order.status]}
      status={t(`fund.status.${order.status}`)}
    >
      <p>{t('fund.order.costOf', { units: units(order.units), name: order.product_name })}</p>
      {children}
    </OrderHead>
  )
}

/** Shows the paid or payable amount of a purchase, and its units. */
export function FundPaidCard({ order }: { order: FundOrder }) {
  const { t } = useTranslation()
  const units = useUnits()
  const isFromWallet = order.payment_method === 'wallet'
  return (
    <Card>
      <Facts>
        <Fact label={t('fund.order.product')}>{order.product_name}</Fact>
        <Fact label={t('fund.buy.arrives')}>{units(order.units)}</Fact>
        <Fact label={t('fund.order.nav')}>
          <Money price amount={order.nav} unit="USDT" />
          <PriceNote {...navOfOrder(order)} className="ml-2" />
        </Fact>
        <MoneyFact label={t('fund.order.value')} amount={order.value} unit="USDT" />
        <MoneyFact
          label={t('fund.buy.fee', { rate: formatPpm(order.fee_ppm) })}
          amount={order.fee}
          unit="USDT"
        />
        <Fact sum label={t('fund.order.total')}>
          <Money amount={order.total} unit="USDT" />
        </Fact>
        <Fact label={t('fund.buy.from')}>
          {isFromWallet ? t('fund.buy.fromWallet') : t('fund.buy.fromBalance')}
        </Fact>
        {order.lock_days > 0 && <Fact label={t('fund.order.lockEnd')}>{formatTime(order.lock_until)}</Fact>}
      </Facts>
    </Card>
  )
}

function Actions({ order }: { order: FundOrderDetail }) {
  const { t } = useTranslation()
  const { product_id, status, lock_until } = order
  if (status === 'UnPaid') return <Unpaid order={order} />
  if (status === 'Cancelled') {
    return (
      <PageLink to="/pages/found/buy" search={{ product_id }} className={buttonClass('secondary', true)}>
        {t('fund.order.again')}
      </PageLink>
    )
  }
  if (status !== 'Paid' && status !== 'Redemption') return null
  const isLocked = Date.parse(lock_until) > Date.now()
  return (
    <ButtonStack>
      {isLocked && <Notice>{t('fund.order.locked', { time: formatTime(lock_until) ?? '' })}</Notice>}
      <PageLink
        to="/pages/found/redemption"
        search={{ product_id }}
        className={buttonClass('secondary', true)}
      >
        {t('fund.redeem.button')}
      </PageLink>
    </ButtonStack>
  )
}

function Unpaid({ order }: { order: FundOrderDetail }) {
  const { t } = useTranslation()
  const cancel = useCancelFundOrder()
  const { order_id } = order
  return (
    <UnpaidActions
      deadline={t('fund.pay.keptUntil', { time: formatSince(order.expires_at ?? '') })}
      expired={t('fund.pay.expired')}
      expiresAt={order.expires_at}
      pay={
        <PageLink to="/pages/found/pay" search={{ order_id }} className={buttonClass('primary', true)}>
          {t('fund.pay.resume')}
        </PageLink>
      }
      cancelLabel={t('fund.pay.cancel')}
      isCancelling={cancel.isPending}
      onCancel={() => void cancel.ask(order_id)}
    />
  )
}

/** The redemptions of this purchase. */
function Redemptions({ order }: { order: FundOrderDetail }) {
  const { t } = useTranslation()
  const units = useUnits()
  if (order.redemptions.length === 0) return null
  return (
    <Section title={t('fund.order.redemptions')}>
      <Card className="divide-y divide-line py-1">
        {order.redemptions.map((part) => (
          <LinkRow
            key={part.redemption_id}
            to="/pages/found/redemption_success"
            search={{ redemption_id: part.redemption_id }}
            title={units(part.units)}
            detail={formatTime(part.submitted_at)}
            end={<Pill tone={STATUS_TONES[part.status]}>{t(`fund.status.${part.status}`)}</Pill>}
          />
        ))}
      </Card>
    </Section>
  )
}

/** The history of a purchase step by step, with times, the payment's hash and its confirmations. */
export function FundOrderTimeline({ order }: { order: FundOrder }) {
  const { t } = useTranslation()
  return (
    <Progress
      label={t('fund.order.progress')}
      steps={purchaseSteps(order)}
      titleOf={({ id, state }) =>
        id === 'paid' && state !== 'done' ? t('fund.step.willBePaid') : t(`fund.step.${id}`)
      }
      chain={order}
      hashAt="sent"
      countAt="confirmed"
      countText={(values) => t('fund.step.confirmations', values)}
      remarkOf={({ id }) =>
        id === 'cancelled' && order.cancel_reason !== null && t(`fund.step.by_${order.cancel_reason}`)
      }
    />
  )
}

/** Cancels an unpaid purchase, after a question that warns of a payment already sent. */
export function useCancelFundOrder() {
  const cancel = useApiMutation('fundCancel', { refresh: ['fundOrder', 'fundOrders', 'fundRecords'] })
  const { isPending, ask } = useCancel('fund.pay', cancel)
  return { isPending, ask: (order_id: string) => ask({ body: { order_id } }) }
}

export interface FundOrderPageProps {
  title: string
  orderId: string
  children: (order: FundOrderDetail) => ReactNode
}

/** A page about one purchase, followed while its payment can change. */
export function FundOrderPage({ orderId, ...frame }: FundOrderPageProps) {
  const { t } = useTranslation()
  const query = useQuery(apiFollow('fundOrder', { params: { order_id: orderId } }, isRedemptionUnderWay))
  return <OrderFrame wide query={query} staleText={t('fund.outOfDate')} {...frame} />
}

/** The performance of a holding: what was paid for the units that are left, what they gained, and what they are worth. */
function HoldingFacts({ order }: { order: FundOrder }) {
  const { t } = useTranslation()
  const units = useUnits()
  const cost = formatMicros(parseMicros(order.market_value) - parseMicros(order.profit))
  return (
    <Facts>
      <Fact label={t('fund.order.nav')}>
        <Money price amount={order.nav} unit="USDT" />
        <PriceNote {...navOfOrder(order)} className="ml-2" />
      </Fact>
      <Fact label={t('fund.order.currentNav')}>
        {order.current_nav === null ? '–' : <Money price amount={order.current_nav} unit="USDT" />}
      </Fact>
      <Fact label={t('fund.order.unitsLeft')}>{units(order.units_left)}</Fact>
      {order.units_redeeming !== '0' && (
        <Fact label={t('fund.order.unitsRedeeming')}>{units(order.units_redeeming)}</Fact>
      )}
      <MoneyFact label={t('fund.my.cost')} amount={cost} unit="USDT" />
      <Fact label={t('fund.order.profit')}>
        <Gain amount={order.profit} />
      </Fact>
      <Fact sum label={t('fund.order.marketValue')}>
        <Money amount={order.market_value} unit="USDT" />
      </Fact>
    </Facts>
  )
}

/** Returns every labelled field of a purchase. Specification section 3. */
function useOrderFields(order: FundOrder): OrderFields {
  const { t } = useTranslation()
  const units = useUnits()
  const { text, id, money, price, time, hash } = fieldKinds('–')
  const isOnChain = order.payment_method === 'wallet'
  return [
    [t('fund.order.product'), text(order.product_name)],
    [t('fund.order.number'), id(order.order_id, 'full')],
    [t('fund.order.status'), text(t(`fund.status.${order.status}`))],
    [t('fund.order.units'), text(units(order.units))],
    [t('fund.order.nav'), price(order.nav, 'USDT')],
    [t('fund.order.amount'), money(order.value, 'USDT')],
    [t('fund.buy.fee', { rate: formatPpm(order.fee_ppm) }), money(order.fee, 'USDT')],
    [t('fund.order.total'), money(order.total, 'USDT')],
    [t('fund.order.received'), money(order.amount_received, 'USDT')],
    [t('fund.order.lock'), text(t('fund.days', { days: order.lock_days }))],
    ...(order.lock_days > 0 ? [[t('fund.order.lockEnd'), time(order.lock_until)] as const] : []),
    [t('fund.order.created'), time(order.created_at)],
    [t('fund.order.method'), text(isOnChain ? t('fund.buy.fromWallet') : t('fund.buy.fromBalance'))],
    [t('fund.order.wallet'), id(order.payer)],
    ...(isOnChain
      ? [
          [t('fund.order.chainId'), id(order.chain_order_id)] as const,
          [t('fund.order.hash'), hash(order.tx_hash)] as const,
        ]
      : []),
    [t('fund.order.paid'), time(order.paid_at)],
    [t('fund.order.collected'), time(order.collected_at)],
  ]
}
