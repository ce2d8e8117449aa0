import type { NoStaticReward as Why } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatDay, useTranslation } from '../../../lib/index.ts'
import { EmptyState, ListSkeleton, Loaded } from '../../../ui/index.ts'
import { RewardExplanation } from '../../../wallet/rewards/reward-explanation.tsx'
import { RewardOrigin } from '../../../wallet/rewards/reward-origin.tsx'
import { MoneySource } from '../../../wallet/rewards/reward-payment.tsx'

/** Explains a member's reward to an operator, with the words and figures that the member sees. */
export function MemberReward({ memberId, rewardId }: { memberId: string; rewardId: string }) {
  const { t } = useTranslation()
  const params = { member_id: memberId, reward_id: rewardId }
  const query = useQuery(apiQuery('adminMemberReward', { params }))
  return (
    <Loaded query={query} skeleton={<ListSkeleton rows={3} />}>
      {(reward) => (
        <div className="flex flex-col gap-4">
          <p className="text-12 text-muted">{t('adminSearch.reward.asSeen')}</p>
          <RewardExplanation reward={reward} forOperator />
          <MoneySource reward={reward} forOperator />
          <RewardOrigin reward={reward} />
        </div>
      )}
    </Loaded>
  )
}

/** States why a member has no static reward. */
export function NoStaticReward({ why }: { why: Why }) {
  const { t } = useTranslation()
  const { reason, first_day: firstDay, settled_to: settledTo, attested } = why
  const sentences = [
    t(`adminSearch.noStatic.${reason}`, { day: firstDay === null ? '' : formatDay(firstDay) }),
    settledTo === null
      ? t('adminSearch.noStatic.neverSettled')
      : t('adminSearch.noStatic.settledTo', { day: formatDay(settledTo) }),
    ...(attested ? [] : [t('adminSearch.noStatic.notAttested')]),
  ]
  return <EmptyState icon="activity" title={t('adminSearch.noStatic.title')} hint={sentences.join(' ')} />
}
