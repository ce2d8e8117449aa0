import type { FundOrderDetail } from '@rif/api-schema'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import {
  formatExact,
  formatPpm,
  PageLink,
  redirectTo,
  useAppConfig,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AddressFact,
  Button,
  buttonClass,
  Card,
  Countdown,
  Fact,
  Facts,
  MoneyFact,
  Notice,
} from '../../../ui/index.ts'
import { FlowSteps } from '../../../wallet/flow-steps.tsx'
import { useFundPayment } from '../../../wallet/use-tx-flow.ts'
import { FundOrderPage, useCancelOrder } from '../components/order-view.tsx'
import { useUnits } from '../components/parts.tsx'
import { isPayable, type PayableOrder } from '../fund-view.ts'
import { takePlaced } from '../placed-order.ts'

/** Paying units from the wallet: the quote with its deadline, the checked payment as it goes, resumed after a reload. */
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
  const { t } = useTranslation()
  // What the member sees and confirms is the order as it was when the page opened: only its status changes.
  const [shown] = useState(order)
  const { expires_at, bank, status } = shown
  // Only a purchase that is paid from the wallet has a deadline and a bank.
  if (expires_at !== null && bank !== null && status === 'UnPaid')
    return <WalletPayment order={{ ...shown, expires_at, bank }} current={order} />
  return (
    <Notice
      action={
        <PageLink
          to="/pages/found/pay_success"
          search={{ order_id: order.order_id }}
          className={buttonClass('secondary')}
        >
          {t('fund.pay.toResult')}
        </PageLink>
      }
    >
      {t(`fund.status.${order.status}`)}
    </Notice>
  )
}

function WalletPayment({ order, current }: { order: PayableOrder; current: FundOrderDetail }) {
  const { t } = useTranslation()
  const [payable] = useState(order)
  const flow = useFundPayment(payable)
  const cancel = useCancelOrder()
  const { order_id } = payable
  const { phase, steps } = flow.state
  const [hasEnded, setEnded] = useState(() => !isPayable(payable, Date.now()))
  const isOver = phase === 'done' || current.status !== 'UnPaid'
  useEffect(() => {
    if (isOver) redirectTo('/pages/found/pay_success', { order_id })
  }, [isOver, order_id])
  const begin = useRef(flow.start)
  useEffect(() => {
    if (takePlaced(order_id)) begin.current()
  }, [order_id])
  const hasBegun = steps.length > 0 || flow.isRunning
  return (
    <>
      {!hasEnded && (
        <p className="flex items-baseline justify-between px-1 text-14 text-muted">
          {t('fund.pay.deadline')}
          <Countdown
            until={payable.expires_at}
            onEnd={() => setEnded(true)}
            className="text-16 font-semibold text-ink"
          />
        </p>
      )}
      <Card>
        <QuoteFacts order={payable} />
      </Card>
      {hasEnded && !hasBegun ? (
        <Notice tone="warn">{t('fund.pay.expired')}</Notice>
      ) : (
        <FlowSteps
          flow={flow}
          startLabel={t('fund.pay.pay', { amount: `${formatExact(payable.total)} USDT` })}
        />
      )}
      {!hasBegun && (
        <Button
          variant="quiet"
          moves="agreed"
          block
          busy={cancel.isPending}
          onClick={() => void cancel.ask(order_id)}
        >
          {t('fund.pay.cancel')}
        </Button>
      )}
      <p className="text-center text-12 text-muted">{t('fund.pay.kept')}</p>
    </>
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
      <MoneyFact label={t('fund.order.nav')} amount={order.nav} unit="USDT" exact />
      <MoneyFact label={t('fund.order.value')} amount={order.value} unit="USDT" exact />
      <MoneyFact
        label={t('fund.buy.fee', { rate: formatPpm(order.fee_ppm) })}
        amount={order.fee}
        unit="USDT"
        exact
      />
      <MoneyFact
        label={t('fund.order.total')}
        amount={order.total}
        unit="USDT"
        exact
        className="text-20 font-semibold"
      />
      {network !== undefined && <Fact label={t('pay.network')}>{network}</Fact>}
      <AddressFact label={t('fund.buy.from')} value={order.payer} />
      <AddressFact label={t('fund.pay.bank')} value={order.bank} />
    </Facts>
  )
}
