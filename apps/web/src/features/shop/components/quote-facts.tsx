import type { Order } from '@rif/api-schema'
import { isZero, useAppConfig, useTranslation } from '../../../lib/index.ts'
import { Address, Fact, Facts, Money } from '../../../ui/index.ts'

/** What an order costs, in which tokens, from whom to whom: all that the member confirms. */
export function QuoteFacts({ order }: { order: Order }) {
  const { t } = useTranslation()
  const bank = useAppConfig()?.contracts.bank
  const { quote } = order
  const hasDiscount = !isZero(quote.discount)
  return (
    <Facts>
      <Fact label={t('shop.quote.price')}>
        <Money amount={order.price} unit="USDT" />
      </Fact>
      {hasDiscount && (
        <>
          <Fact label={t('shop.quote.discount')}>
            <Money amount={`-${quote.discount}`} unit="USDT" />
          </Fact>
          <Fact label={t('shop.quote.rif')}>
            <Money amount={quote.rif} unit="RIF" exact />
          </Fact>
        </>
      )}
      <Fact label={t('shop.quote.fee')}>
        <Money amount={order.service_fee} unit="USDT" />
      </Fact>
      <Fact label={t('shop.quote.total')}>
        <Money amount={order.total} unit="USDT" exact />
      </Fact>
      <Fact label={t('shop.quote.amcPrice')}>
        <Money amount={order.amc_price} unit="USDT" exact />
      </Fact>
      <Fact label={t('shop.quote.from')}>
        <Address value={order.payer} />
      </Fact>
      {bank !== undefined && (
        <Fact label={t('shop.quote.to')}>
          <Address value={bank} />
        </Fact>
      )}
    </Facts>
  )
}

/** The two tokens that an order is paid in, exact to the micro-unit: what the wallet will be asked for. */
export function QuoteSplit({ order }: { order: Order }) {
  const { t } = useTranslation()
  const parts = [
    { label: t('shop.quote.usdt'), amount: order.quote.usdt, unit: 'USDT' },
    { label: t('shop.quote.amc'), amount: order.quote.amc, unit: 'AMC' },
  ]
  return (
    <dl className="grid grid-cols-2 gap-3">
      {parts.map(({ label, amount, unit }) => (
        <div key={unit} className="rounded-12 bg-sunken p-3">
          <dt className="text-12 text-muted">{label}</dt>
          <dd className="mt-1">
            <Money amount={amount} unit={unit} exact className="text-20 font-semibold" />
          </dd>
        </div>
      ))}
    </dl>
  )
}
