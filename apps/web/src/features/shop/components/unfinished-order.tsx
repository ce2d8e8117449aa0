import type { Order } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { Button, Countdown, Notice } from '../../../ui/index.ts'

/** An order that waits for its payment, on top of the shop. */
export function UnfinishedOrder({ order, onContinue }: { order: Order; onContinue: () => void }) {
  const { t } = useTranslation()
  const name = order.product_name
  return (
    <Notice
      title={t('shop.unfinished.title')}
      action={
        <Button aria-label={t('shop.product.continueNamed', { name })} onClick={onContinue}>
          {t('shop.unfinished.action')}
        </Button>
      }
    >
      {t('shop.unfinished.text', { name })} <Countdown until={order.expires_at} className="font-semibold" />
    </Notice>
  )
}
