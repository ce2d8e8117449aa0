import type { FundOrderDetail } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../lib/i18n.ts'
import { Followed } from '../../../ui/followed.tsx'
import { Page } from '../../../ui/page.tsx'
import { useFundOrder } from '../queries.ts'

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
