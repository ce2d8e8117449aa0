import type { FundProduct, RouteInput } from '@rif/api-schema'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  ApiError,
  apiQuery,
  formatAmount,
  formatExact,
  formatPpm,
  formatTime,
  redirectTo,
  useAppConfig,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Button,
  Card,
  checkOf,
  Fact,
  Facts,
  Form,
  FormColumns,
  Money,
  MoneyFact,
  Notice,
  PriceNote,
  Segmented,
  Sheet,
  SheetDock,
  TokenMark,
  UnitsField,
  useDraftForm,
} from '../../../ui/index.ts'
import { useBalances } from '../../../wallet/balances.ts'
import { useSignedMutation } from '../../../wallet/member-consent.ts'
import { PayLineRow, shortBy } from '../../../wallet/pay-lines.tsx'
import { rememberPlaced } from '../placed-order.ts'
import { judgePurchase, mostUnits, type PayWith, type PurchaseJudgement } from '../units-draft.ts'
import { navOf, useUnits } from './parts.tsx'

interface BuyFormProps {
  product: FundProduct
  /** USDT in `available`. */
  available: string
  /** The initial value; empty for none. */
  units: string
}

/** The form of a purchase: units with their value and fee while typing, and the way of payment. */
export function BuyForm({ product, available, units }: BuyFormProps) {
  const { t } = useTranslation()
  const purchase = usePurchase(product, { available, units })
  const { checked, field, values } = purchase.form
  const inWords = useUnits()
  const least = product.minimum_units ?? '1'
  return (
    <Form aria-label={t('fund.buy.title')} onSubmit={purchase.onSubmit}>
      <FormColumns
        side={
          <>
            <Card>
              <Preview product={product} available={available} judged={checked} payWith={values.pay_with} />
            </Card>
            <Notice tone="warn">{t('fund.buy.risk', { days: product.lock_days })}</Notice>
          </>
        }
        action={
          <Button type="submit" moves="fund" block>
            {checked.ok ? t('fund.buy.submit', { units: inWords(checked.units) }) : t('fund.continue')}
          </Button>
        }
      >
        <Card className="flex items-center gap-3">
          <TokenMark token="fund" />
          <span className="min-w-0 flex-1">
            <span className="block break-words text-16 font-semibold">{product.name}</span>
            <span className="flex flex-wrap items-baseline justify-between gap-x-3">
              <Money price amount={product.nav} unit="USDT" className="font-semibold" />
              <span className="text-12 text-muted">
                {t('fund.buy.navOf', { time: formatTime(product.nav_published_at) ?? '' })}
              </span>
            </span>
            <PriceNote {...navOf(product)} className="mt-2" />
          </span>
        </Card>
        <UnitsField
          label={t('fund.buy.units')}
          unit={t('fund.unitWord')}
          lessLabel={t('fund.buy.less')}
          moreLabel={t('fund.buy.more')}
          min={BigInt(least)}
          {...field('units')}
          aside={t('fund.buy.atLeast', { units: inWords(least) })}
          hint={t('fund.buy.minimumHint', { minimum: formatAmount(product.minimum_usd) })}
        />
        <Segmented
          label={t('fund.buy.payWith')}
          options={[
            { value: 'available', label: t('fund.buy.fromBalance') },
            { value: 'wallet', label: t('fund.buy.fromWallet') },
          ]}
          {...field('pay_with')}
        />
      </FormColumns>
      {purchase.confirming !== null && (
        <BuyConfirm
          product={product}
          purchase={purchase.confirming}
          available={available}
          isBusy={purchase.isBuying}
          onConfirm={purchase.confirm}
          onClose={purchase.close}
        />
      )}
    </Form>
  )
}

interface PreviewProps {
  product: FundProduct
  available: string
  judged: ReturnType<typeof usePurchase>['form']['checked']
  payWith: PayWith
}

function Preview({ product, available, judged, payWith }: PreviewProps) {
  const { t } = useTranslation()
  const network = useAppConfig()?.chain.name
  const orNone = (content: ReactNode) => (judged.ok ? content : <span className="text-muted">–</span>)
  return (
    <Facts>
      <Fact label={t('fund.order.value')}>
        {orNone(judged.ok && <Money amount={judged.value} unit="USDT" />)}
      </Fact>
      <Fact label={t('fund.buy.fee', { rate: formatPpm(product.subscription_fee_ppm) })}>
        {orNone(judged.ok && <Money amount={judged.fee} unit="USDT" />)}
      </Fact>
      <Fact sum label={t('fund.order.total')}>
        {orNone(judged.ok && <Money amount={judged.total} unit="USDT" className="text-20 font-semibold" />)}
      </Fact>
      {product.lock_days > 0 && (
        <Fact label={t('fund.order.lockEnd')}>{orNone(judged.ok && formatTime(judged.lockUntil))}</Fact>
      )}
      {payWith === 'available' && (
        <MoneyFact label={t('fund.buy.available')} amount={available} unit="USDT" />
      )}
      {payWith === 'wallet' && network !== undefined && <Fact label={t('pay.network')}>{network}</Fact>}
    </Facts>
  )
}

interface BuyConfirmProps {
  product: FundProduct
  purchase: Confirming
  /** USDT in the balance here. */
  available: string
  isBusy: boolean
  onConfirm: (purchase: Confirming) => void
  onClose: () => void
}

/** The price, the fee, the units and both accounts; then the one confirmation. */
function BuyConfirm({ product, purchase, available, isBusy, onConfirm, onClose }: BuyConfirmProps) {
  const { t } = useTranslation()
  const units = useUnits()
  const isFromWallet = purchase.payWith === 'wallet'
  const inWallet = useBalances().data?.USDT
  const line = { asset: 'USDT' as const, amount: purchase.total, has: inWallet, onPlatform: available }
  const isShort = isFromWallet && shortBy(line) !== null
  const network = useAppConfig()?.chain.name
  return (
    <Sheet open onClose={onClose} dismissible={!isBusy} title={t('fund.buy.confirmTitle')}>
      <div className="flex flex-col gap-5 pt-2">
        <Facts>
          <Fact label={t('fund.order.product')}>{product.name}</Fact>
          <Fact label={t('fund.order.nav')}>
            <Money price amount={purchase.price} unit="USDT" />
            <PriceNote {...navOf(product)} className="ml-2" />
          </Fact>
          <MoneyFact label={t('fund.order.value')} amount={purchase.value} unit="USDT" exact />
          <MoneyFact
            label={t('fund.buy.fee', { rate: formatPpm(product.subscription_fee_ppm) })}
            amount={purchase.fee}
            unit="USDT"
            exact
          />
          <Fact sum label={t('fund.order.total')}>
            <Money amount={purchase.total} unit="USDT" exact className="text-20 font-semibold" />
          </Fact>
          <Fact label={t('fund.buy.arrives')}>
            <span className="font-semibold">{units(purchase.units)}</span>
          </Fact>
          <Fact label={t('fund.buy.from')}>
            {isFromWallet ? t('fund.buy.fromWallet') : t('fund.buy.fromBalance')}
          </Fact>
          <Fact label={t('fund.buy.to')}>{t('fund.buy.custody')}</Fact>
          {isFromWallet && network !== undefined && <Fact label={t('pay.network')}>{network}</Fact>}
          {product.lock_days > 0 && (
            <Fact label={t('fund.order.lockEnd')}>{formatTime(purchase.lockUntil)}</Fact>
          )}
        </Facts>
        {isFromWallet && (
          <Card>
            <PayLineRow {...line} />
          </Card>
        )}
        <SheetDock>
          <Button moves="fund" block busy={isBusy} disabled={isShort} onClick={() => onConfirm(purchase)}>
            {isShort
              ? t('pay.isMissing', { assets: 'USDT' })
              : t('fund.pay.pay', { amount: `${formatExact(purchase.total)} USDT` })}
          </Button>
          {isFromWallet && <p className="text-center text-12 text-muted">{t('shop.sheet.nothingYet')}</p>}
        </SheetDock>
      </div>
    </Sheet>
  )
}

type Judged = Extract<PurchaseJudgement, { ok: true }>

/** The figures and the way of payment that the member confirms. */
interface Confirming extends Judged {
  payWith: PayWith
}

type PurchaseValues = Pick<RouteInput<'fundBuy'>['body'], 'units' | 'pay_with'>

/** The form of a purchase: units and way of payment, validated while typing; then the one confirmation. */
function usePurchase(product: FundProduct, { available, units }: { available: string; units: string }) {
  const client = useQueryClient()
  const { t } = useTranslation()
  const { product_id } = product
  const initial: PurchaseValues = { units, pay_with: 'available' }
  const form = useDraftForm({
    name: `fund-buy-${product_id}`,
    initial,
    check: ({ units: count, pay_with }) =>
      checkOf('units', judgePurchase(count, product, { payWith: pay_with, available, nowMs: Date.now() })),
    text: (problem, { units: count }) => {
      const text = t(`fund.problem.${problem}`, {
        minimum: formatAmount(product.minimum_usd),
        available: formatAmount(available),
      })
      if (problem === 'belowMinimum') return { text, use: product.minimum_units ?? undefined }
      if (problem === 'insufficient') return { text, use: mostUnits(product, available, count) ?? undefined }
      return text
    },
    recheck: true,
  })
  const [confirming, setConfirming] = useState<Confirming | null>(null)
  const buy = useSignedMutation('fundBuy', { refresh: ['fundOrders', 'fundHoldings', 'fundRecords', 'me'] })
  const { pay_with: payWith } = form.values
  return {
    form,
    confirming,
    isBuying: buy.isPending,
    onSubmit: form.submit((judged) => setConfirming({ ...judged, payWith })),
    close: () => setConfirming(null),
    /** Buys at the shown price; the server refuses another one, and the page reads it again. */
    confirm: ({ units: count, price, total, fee, payWith: by }: Confirming) =>
      buy.send(
        {
          body: { product_id, units: count, pay_with: by, nav: price },
          wish: {
            kind: 'fund_purchase',
            productId: product_id,
            product: product.name,
            units: count,
            total,
            fee,
          },
          needed: false,
        },
        ({ order_id }) => {
          form.clear()
          if (by === 'wallet') {
            rememberPlaced(order_id)
            redirectTo('/pages/found/pay', { order_id })
          } else redirectTo('/pages/found/pay_success', { order_id })
        },
        (error) => {
          // A signature that was declined leaves the sheet open.
          if (!(error instanceof ApiError)) return
          setConfirming(null)
          const { queryKey } = apiQuery('fundProduct', { params: { product_id } })
          void client.invalidateQueries({ queryKey })
        },
      ),
  }
}
