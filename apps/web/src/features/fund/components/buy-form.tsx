import type { FundProduct } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { formatAmount, formatPpm, formatTime, useTranslation } from '../../../lib/index.ts'
import { Button, Card, Fact, Facts, Form, Money, Notice, Segmented, UnitsField } from '../../../ui/index.ts'
import type { PayWith } from '../units-draft.ts'
import { usePurchase } from '../use-purchase.ts'
import { useUnits } from '../use-units.ts'
import { BuyConfirm } from './buy-confirm.tsx'

export interface BuyFormProps {
  product: FundProduct & { nav: string }
  /** USDT in `available`. */
  available: string
  /** To begin with; empty for none. */
  units: string
}

/** Whole units with their value and fee as they are typed, and the way of payment. */
export function BuyForm({ product, available, units }: BuyFormProps) {
  const { t } = useTranslation()
  const purchase = usePurchase(product, { available, units })
  const { checked, field, values } = purchase.form
  const inWords = useUnits()
  const least = product.minimum_units ?? '1'
  return (
    <Form aria-label={t('fund.buy.title')} onSubmit={purchase.onSubmit}>
      <Card className="flex flex-col gap-1">
        <span className="break-words text-16 font-semibold">{product.name}</span>
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <Money amount={product.nav} unit="USDT" className="font-semibold" />
          <span className="text-12 text-muted">
            {t('fund.buy.navOf', { time: formatTime(product.nav_published_at ?? '') ?? '' })}
          </span>
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
      <Card>
        <Preview product={product} available={available} judged={checked} payWith={values.pay_with} />
      </Card>
      <Notice tone="warn">{t('fund.buy.risk', { days: product.lock_days })}</Notice>
      <Button type="submit" block>
        {t('fund.continue')}
      </Button>
      {purchase.confirming !== null && (
        <BuyConfirm
          product={product}
          purchase={purchase.confirming}
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
  const orNone = (content: ReactNode) => (judged.ok ? content : <span className="text-muted">–</span>)
  return (
    <Facts>
      <Fact label={t('fund.order.value')}>
        {orNone(judged.ok && <Money amount={judged.value} unit="USDT" />)}
      </Fact>
      <Fact label={t('fund.buy.fee', { rate: formatPpm(product.subscription_fee_ppm) })}>
        {orNone(judged.ok && <Money amount={judged.fee} unit="USDT" />)}
      </Fact>
      <Fact label={t('fund.order.total')}>
        {orNone(judged.ok && <Money amount={judged.total} unit="USDT" className="text-20 font-semibold" />)}
      </Fact>
      {product.lock_days > 0 && (
        <Fact label={t('fund.order.lockEnd')}>{orNone(judged.ok && formatTime(judged.lockUntil))}</Fact>
      )}
      {payWith === 'available' && (
        <Fact label={t('fund.buy.available')}>
          <Money amount={available} unit="USDT" />
        </Fact>
      )}
    </Facts>
  )
}
