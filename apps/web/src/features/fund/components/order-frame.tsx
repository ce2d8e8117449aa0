import type { FundOrderDetail } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { Followed, Page } from '../../../ui/index.ts'
import { useFundOrder } from './parts.tsx'

export interface OrderFrameProps {
  title: string
  orderId: string
  children: (order: FundOrderDetail) => ReactNode
}

/** A page about one purchase, followed while its payment can change. */
export function OrderFrame({ title, orderId, children }: OrderFrameProps) {
  const { t } = useTranslation()
  return (
    <Page title={title}>
      <Followed query={useFundOrder(orderId)} staleText={t('fund.outOfDate')}>
        {children}
      </Followed>
    </Page>
  )
}
