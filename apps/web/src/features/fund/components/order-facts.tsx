import type { FundOrder } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { formatPpm, useTranslation } from '../../../lib/index.ts'
import { Address, Fact, Facts, Money, Time } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { useUnits } from '../use-units.ts'
import { Gain } from './gain.tsx'

/** How a holding is doing: NAV then and now, what it is worth and what it gained. */
export function HoldingFacts({ order }: { order: FundOrder }) {
  const { t } = useTranslation()
  const units = useUnits()
  return (
    <Facts>
      <Fact label={t('fund.order.nav')}>
        <Money amount={order.nav} unit="USDT" exact />
      </Fact>
      <Fact label={t('fund.order.currentNav')}>
        {order.current_nav === null ? '–' : <Money amount={order.current_nav} unit="USDT" exact />}
      </Fact>
      <Fact label={t('fund.order.unitsLeft')}>{units(order.units_left)}</Fact>
      {order.units_redeeming !== '0' && (
        <Fact label={t('fund.order.unitsRedeeming')}>{units(order.units_redeeming)}</Fact>
      )}
      <Fact label={t('fund.order.marketValue')}>
        <Money amount={order.market_value} unit="USDT" className="font-semibold" />
      </Fact>
      <Fact label={t('fund.order.profit')}>
        <Gain amount={order.profit} />
      </Fact>
    </Facts>
  )
}

/** Every labelled field of a purchase. Specification section 3. */
export function OrderFacts({ order }: { order: FundOrder }) {
  const { t } = useTranslation()
  const units = useUnits()
  const orNone = (content: ReactNode) => content ?? <span className="text-muted">–</span>
  const time = (value: string | null) => orNone(value !== null ? <Time value={value} /> : null)
  const isOnChain = order.payment_method === 'wallet'
  return (
    <Facts>
      <Fact label={t('fund.order.product')}>{order.product_name}</Fact>
      <Fact label={t('fund.order.number')}>
        <Address value={order.order_id} form="full" />
      </Fact>
      <Fact label={t('fund.order.status')}>{t(`fund.status.${order.status}`)}</Fact>
      <Fact label={t('fund.order.units')}>{units(order.units)}</Fact>
      <Fact label={t('fund.order.nav')}>
        <Money amount={order.nav} unit="USDT" exact />
      </Fact>
      <Fact label={t('fund.order.amount')}>
        <Money amount={order.value} unit="USDT" exact />
      </Fact>
      <Fact label={t('fund.buy.fee', { rate: formatPpm(order.fee_ppm) })}>
        <Money amount={order.fee} unit="USDT" exact />
      </Fact>
      <Fact label={t('fund.order.total')}>
        <Money amount={order.total} unit="USDT" exact />
      </Fact>
      <Fact label={t('fund.order.received')}>
        <Money amount={order.amount_received} unit="USDT" exact />
      </Fact>
      <Fact label={t('fund.order.lock')}>{t('fund.days', { days: order.lock_days })}</Fact>
      {order.lock_days > 0 && <Fact label={t('fund.order.lockEnd')}>{time(order.lock_until)}</Fact>}
      <Fact label={t('fund.order.created')}>{time(order.created_at)}</Fact>
      <Fact label={t('fund.order.method')}>
        {isOnChain ? t('fund.buy.fromWallet') : t('fund.buy.fromBalance')}
      </Fact>
      <Fact label={t('fund.order.wallet')}>
        <Address value={order.payer} />
      </Fact>
      {isOnChain && (
        <>
          <Fact label={t('fund.order.chainId')}>
            <Address value={order.chain_order_id} />
          </Fact>
          <Fact label={t('fund.order.hash')}>
            {orNone(order.tx_hash !== null ? <TxHash value={order.tx_hash} /> : null)}
          </Fact>
        </>
      )}
      <Fact label={t('fund.order.paid')}>{time(order.paid_at)}</Fact>
      <Fact label={t('fund.order.collected')}>{time(order.collected_at)}</Fact>
    </Facts>
  )
}
