import type { FundProduct } from '@rif/api-schema'
import { formatPpm, formatTime, useTranslation } from '../../../lib/index.ts'
import { Button, Fact, Facts, Money, Sheet } from '../../../ui/index.ts'
import type { Confirming } from '../use-purchase.ts'
import { useUnits } from '../use-units.ts'

export interface BuyConfirmProps {
  product: FundProduct & { nav: string }
  purchase: Confirming
  isBusy: boolean
  onConfirm: (purchase: Confirming) => void
  onClose: () => void
}

/** What is paid, the fee, what arrives and from where to where; then the one confirmation. */
export function BuyConfirm({ product, purchase, isBusy, onConfirm, onClose }: BuyConfirmProps) {
  const { t } = useTranslation()
  const units = useUnits()
  const isFromWallet = purchase.payWith === 'wallet'
  return (
    <Sheet open onClose={onClose} dismissible={!isBusy} title={t('fund.buy.confirmTitle')}>
      <div className="flex flex-col gap-5 pt-2">
        <Facts>
          <Fact label={t('fund.order.product')}>{product.name}</Fact>
          <Fact label={t('fund.order.nav')}>
            <Money amount={product.nav} unit="USDT" exact />
          </Fact>
          <Fact label={t('fund.order.value')}>
            <Money amount={purchase.value} unit="USDT" exact />
          </Fact>
          <Fact label={t('fund.buy.fee', { rate: formatPpm(product.subscription_fee_ppm) })}>
            <Money amount={purchase.fee} unit="USDT" exact />
          </Fact>
          <Fact label={t('fund.order.total')}>
            <Money amount={purchase.total} unit="USDT" exact className="text-20 font-semibold" />
          </Fact>
          <Fact label={t('fund.buy.arrives')}>
            <span className="font-semibold">{units(purchase.units)}</span>
          </Fact>
          <Fact label={t('fund.buy.from')}>
            {isFromWallet ? t('fund.buy.fromWallet') : t('fund.buy.fromBalance')}
          </Fact>
          <Fact label={t('fund.buy.to')}>{t('fund.buy.custody')}</Fact>
          {product.lock_days > 0 && (
            <Fact label={t('fund.order.lockEnd')}>{formatTime(purchase.lockUntil)}</Fact>
          )}
        </Facts>
        <Button block busy={isBusy} onClick={() => onConfirm(purchase)}>
          {isFromWallet ? t('fund.buy.toPayment') : t('fund.buy.confirm')}
        </Button>
      </div>
    </Sheet>
  )
}
