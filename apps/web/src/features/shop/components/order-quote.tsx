import type { Order } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  apiQuery,
  formatExact,
  isZero,
  useAppConfig,
  useSession,
  useTranslation,
} from '../../../lib/index.ts'
import {
  AddressFact,
  Card,
  Disclosure,
  Fact,
  Facts,
  Money,
  MoneyFact,
  PriceNote,
  TokenMark,
} from '../../../ui/index.ts'
import { useBalances } from '../../../wallet/balances.ts'
import { type PayLine, PayLineRow } from '../../../wallet/pay-lines.tsx'

type Quote = Order['quote']

/** Returns the amounts that leave the wallet: "638.75 USDT + 547.50 AMC". */
export function paidText({ usdt, amc }: Pick<Quote, 'usdt' | 'amc'>): string {
  const parts = [`${formatExact(usdt)} USDT`, `${formatExact(amc)} AMC`]
  return (isZero(amc) ? parts.slice(0, 1) : parts).join(' + ')
}

/** Returns the amount of each token of a payment beside the paying wallet's balance. */
export function usePayLines({ usdt, amc }: Pick<Quote, 'usdt' | 'amc'>, payer: string): PayLine[] {
  const { data } = useBalances()
  const me = useQuery(apiQuery('me')).data
  const own = useSession().tokenAddress
  const has = own.toLowerCase() === payer.toLowerCase() ? data : undefined
  return [
    {
      asset: 'USDT' as const,
      amount: usdt,
      has: has?.USDT,
      onPlatform: me?.balances.USDT.available ?? '0.000000',
    },
    {
      asset: 'AMC' as const,
      amount: amc,
      has: has?.AMC,
      onPlatform: me?.balances.AMC.available ?? '0.000000',
    },
  ].filter(({ amount }) => parseMicros(amount) > 0n)
}

interface PayCardProps {
  due: string
  quote: Quote
  payer: string
  /** The time at which its prices were fixed; without it, the current ones apply. */
  pricedAt?: string | undefined
  children: ReactNode
}

/** The sum and its tokens, each beside the wallet's balance, and the RIF. */
export function PayCard({ due, quote, payer, pricedAt, children }: PayCardProps) {
  const { t } = useTranslation()
  const lines = usePayLines(quote, payer)
  return (
    <Card className="flex flex-col gap-4 bg-card">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-14 text-muted">{t('shop.sheet.youPay')}</span>
        <span className="ml-auto">
          <Money
            amount={due}
            unit={t('shop.sheet.usdtWorth')}
            exact
            className="text-28 font-semibold max-[359px]:text-20"
          />
        </span>
      </p>
      {lines.map((line) => (
        <PayLineRow key={line.asset} {...line} />
      ))}
      {!isZero(quote.rif) && (
        <p className="flex items-center justify-between gap-3">
          <span className="flex items-center gap-x-3">
            <TokenMark token="RIF" size={28} />
            <span className="font-medium">RIF</span>{' '}
            <span className="text-14 text-muted">
              {t('shop.sheet.rifTakes', { discount: formatExact(quote.discount) })}
            </span>
          </span>
          <b className="font-semibold">{formatExact(quote.rif)}</b>
        </p>
      )}
      {children}
      <PriceNotes quote={quote} at={pricedAt} />
    </Card>
  )
}

/** The way to the sources of the prices that an order uses. */
export function PriceNotes({
  quote: { amc, rif },
  at,
}: {
  quote: Pick<Quote, 'amc' | 'rif'>
  at?: string | undefined
}) {
  const [asset, and] = [
    ...(isZero(amc) ? [] : (['AMC'] as const)),
    ...(isZero(rif) ? [] : (['RIF'] as const)),
  ]
  if (asset === undefined) return null
  return (
    <PriceNote named asset={asset} and={and === 'RIF' ? and : undefined} at={at} className="self-start" />
  )
}

interface WorkedOutProps {
  price: string
  amc_price: string
  quote: Quote
  payer: string
  bank: string
}

/** Shows the composition of the sum, and the addresses; collapsed. */
export function WorkedOutQuote({ price, amc_price, quote, payer, bank }: WorkedOutProps) {
  const { t } = useTranslation()
  const network = useAppConfig()?.chain.name
  return (
    <Disclosure className="-my-3" title={t('shop.sheet.workedOut')}>
      <div className="pb-3">
        <Facts>
          <MoneyFact label={t('shop.quote.price')} amount={price} unit="USDT" />
          {!isZero(quote.discount) && (
            <MoneyFact label={t('shop.quote.discount')} amount={`-${quote.discount}`} unit="USDT" exact />
          )}
          <MoneyFact label={t('shop.quote.fee')} amount="0.000000" unit="USDT" />
          <MoneyFact label={t('shop.quote.usdt')} amount={quote.usdt} unit="USDT" exact />
          <MoneyFact label={t('shop.quote.amc')} amount={quote.amc} unit="AMC" exact />
          <MoneyFact label={t('shop.quote.amcPrice')} amount={amc_price} unit="USDT" exact />
          {network !== undefined && <Fact label={t('pay.network')}>{network}</Fact>}
          <AddressFact label={t('shop.quote.from')} value={payer} />
          <AddressFact label={t('shop.quote.to')} value={bank} />
        </Facts>
      </div>
    </Disclosure>
  )
}
