import type { Withdrawal } from '@rif/api-schema'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { Followed, Page } from '../../../ui/index.ts'
import { useWithdrawal } from '../queries.ts'

export interface WithdrawalFrameProps {
  title: string
  withdrawId: string
  children: (withdrawal: Withdrawal) => ReactNode
}

/** A page about one withdrawal, followed while it can change. */
export function WithdrawalFrame({ title, withdrawId, children }: WithdrawalFrameProps) {
  const { t } = useTranslation()
  return (
    <Page title={title}>
      <Followed query={useWithdrawal(withdrawId)} staleText={t('withdrawals.detail.stale')}>
        {children}
      </Followed>
    </Page>
  )
}
