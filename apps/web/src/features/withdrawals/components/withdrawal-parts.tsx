import type { Withdrawal } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiFollow, useTranslation } from '../../../lib/index.ts'
import { OrderFrame, Progress } from '../../../wallet/order-frame.tsx'
import { isOpen, withdrawalSteps } from '../withdrawal-view.ts'

export interface WithdrawalPageProps {
  title: string
  withdrawId: string
  children: (withdrawal: Withdrawal) => ReactNode
}

/** A page about one withdrawal, followed while it can change. */
export function WithdrawalPage({ withdrawId, ...frame }: WithdrawalPageProps) {
  const { t } = useTranslation()
  const query = useQuery(apiFollow('withdrawal', { params: { withdraw_id: withdrawId } }, isOpen))
  return <OrderFrame query={query} staleText={t('withdrawals.detail.stale')} {...frame} />
}

/** The history of a withdrawal: Auditing, Withdrawable, Success, with times, the claim's hash and its confirmations. */
export function WithdrawalTimeline({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  return (
    <Progress
      label={t('withdrawals.detail.progress')}
      steps={withdrawalSteps(withdrawal)}
      titleOf={({ id }) => t(`withdrawals.step.${id}`)}
      chain={withdrawal}
      hashAt="success"
      countAt="success"
      countText={(values) => t('withdrawals.step.confirmations', values)}
      remarkOf={({ id, state }) =>
        id === 'withdrawable' && state === 'active' && withdrawal.claim_wait !== null
          ? t('withdrawals.claim.waitTitle')
          : null
      }
    />
  )
}
