import type { FundOrderDetail } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import {
  apiQuery,
  formatExact,
  formatPpm,
  formatSince,
  PageLink,
  redirectTo,
  useAppConfig,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AddressFact,
  buttonClass,
  Card,
  Columns,
  EmptyState,
  Fact,
  Facts,
  FormColumns,
  Money,
  MoneyFact,
  PriceNote,
} from '../../../ui/index.ts'
import { useBalances } from '../../../wallet/balances.ts'
import { CancelOrder, FlowButton, FlowProgress } from '../../../wallet/flow-steps.tsx'
import { PayLineRow } from '../../../wallet/pay-lines.tsx'
import { useHasEnded } from '../../../wallet/use-has-ended.ts'
import { useFundPayment, useStartOnArrival } from '../../../wallet/use-tx-flow.ts'
import {
  FundOrderPage,
  FundOrderTimeline,
  FundPaidCard,
  PaymentHead,
  useCancelFundOrder,
} from '../components/order-view.tsx'
import { navOfOrder, useUnits } from '../components/parts.tsx'
import type { PayableOrder } from '../fund-view.ts'
import { takePlaced } from '../placed-order.ts'

/**
 * Pays for units from the wallet: the quote with its deadline, and the steps of the verified payment, which
 * resumes after a reload.
 */
export default function PayPage() {
  const { t } = useTranslation()
  const { order_id } = useSearch({ from: '/pages/found/pay' })
  return (
    <FundOrderPage title={t('fund.pay.title')} orderId={order_id}>
      {(order) => <Payment order={order} />}
    </FundOrderPage>
  )
}

function Payment({ order }: { order: FundOrderDetail }) {
  // The member sees and confirms the order as it was when the page opened; only its status changes.
  const [shown] = useState(order)
  const { expires_at, bank, status } = shown
  // Only a purchase that is paid from the wallet has a deadline and a bank.
  if (expires_at !== null && bank !== null && status === 'UnPaid')
    return <WalletPayment order={{ ...shown, expires_at, bank }} current={order} />
  return <Settled order={order} />
}

/** A purchase that can no longer be paid: its data, its progress, and a link to its result. */
function Settled({ order }: { order: FundOrderDetail }) {
  const { t } = useTranslation()
  return (
    <Columns side={<FundPaidCard order={order} />}>
      <PaymentHead order={order} />
      <Card>
        <FundOrderTimeline order={order} />
      </Card>
      <PageLink
        to="/pages/found/pay_success"
        search={{ order_id: order.order_id }}
        className={buttonClass('primary', true)}
      >
        {t('fund.pay.toResult')}
      </PageLink>
    </Columns>
  )
}

function WalletPayment({ order, current }: { order: PayableOrder; current: FundOrderDetail }) {
  const { t } = useTranslation()
  const [payable] = useState(order)
  const flow = useFundPayment(payable)
  const cancel = useCancelFundOrder()
  const inWallet = useBalances().data?.USDT
  const available = useQuery(apiQuery('me')).data?.balances.USDT.available ?? '0.000000'
  const { order_id } = payable
  const { phase, steps } = flow.state
  const hasEnded = useHasEnded(payable.expires_at)
  const isOver = phase === 'done' || current.status !== 'UnPaid'
  useEffect(() => {
    if (isOver) redirectTo('/pages/found/pay_success', { order_id })
  }, [isOver, order_id])
  useStartOnArrival(flow, () => takePlaced(order_id))
  const hasBegun = steps.length > 0 || flow.isRunning
  const pay = t('fund.pay.pay', { amount: `${formatExact(payable.total)} USDT` })
  if (hasEnded && !hasBegun) return <Ended order={payable} />
  return (
    <FormColumns
      side={
        <Card>
          <QuoteFacts order={payable} />
        </Card>
      }
      action={
        <>
          <FlowButton flow={flow} startLabel={pay} />
          <CancelOrder flow={flow} label={t('fund.pay.cancel')} cancel={cancel} orderId={order_id} />
          <p className="text-center text-12 text-muted">{t('fund.pay.kept')}</p>
        </>
      }
    >
      <PaymentHead order={current}>
        <p>{t('fund.pay.keptUntil', { time: formatSince(payable.expires_at) })}</p>
      </PaymentHead>
      {!hasBegun && (
        <Card>
          <PayLineRow asset="USDT" amount={payable.total} has={inWallet} onPlatform={available} />
        </Card>
      )}
      <FlowProgress flow={flow} />
    </FormColumns>
  )
}

/** The quote expired without a payment: a link to a new quote. */
function Ended({ order: { product_id, product_name, units } }: { order: PayableOrder }) {
  const { t } = useTranslation()
  const inWords = useUnits()
  return (
    <EmptyState
      icon="clock"
      title={t('fund.pay.expired')}
      hint={t('fund.order.costOf', { units: inWords(units), name: product_name })}
      action={
        <PageLink to="/pages/found/buy" search={{ product_id, units }} className={buttonClass()}>
          {t('fund.order.again')}
        </PageLink>
      }
    />
  )
}

function QuoteFacts({ order }: { order: PayableOrder }) {
  const { t } = useTranslation()
  const units = useUnits()
  const network = useAppConfig()?.chain.name
  return (
    <Facts>
      <Fact label={t('fund.order.product')}>{order.product_name}</Fact>
      <Fact label={t('fund.buy.arrives')}>{units(order.units)}</Fact>
      <Fact label={t('fund.order.nav')}>
        <Money price amount={order.nav} unit="USDT" />
        <PriceNote {...navOfOrder(order)} className="ml-2" />
      </Fact>
      <MoneyFact label={t('fund.order.value')} amount={order.value} unit="USDT" exact />
      <MoneyFact
        label={t('fund.buy.fee', { rate: formatPpm(order.fee_ppm) })}
        amount={order.fee}
        unit="USDT"
        exact
      />
      <Fact sum label={t('fund.order.total')}>
        <Money amount={order.total} unit="USDT" exact className="text-20 font-semibold" />
      </Fact>
      {network !== undefined && <Fact label={t('pay.network')}>{network}</Fact>}
      <AddressFact label={t('fund.buy.from')} value={order.payer} />
      <AddressFact label={t('fund.pay.bank')} value={order.bank} />
    </Facts>
  )
}
