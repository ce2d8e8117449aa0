import type { Order } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { Followed, Page } from '../../../ui/index.ts'
import { useOrder } from '../queries.ts'

export interface OrderFrameProps {
  title: string
  orderId: string
  children: (order: Order) => ReactNode
}

/** A page about one order, followed while it can change. */
export function OrderFrame({ title, orderId, children }: OrderFrameProps) {
  const { t } = useTranslation()
  return (
    <Page title={title}>
      <Followed query={useOrder(orderId)} staleText={t('shop.detail.stale')}>
        {children}
      </Followed>
    </Page>
  )
}
