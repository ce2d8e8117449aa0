import type { Reward, RewardType } from '@rif/api-schema'
import { INCOME_SUMS, type IncomeSum } from '@rif/rules'
import {
  type DayGroup,
  dayGroup,
  formatOwn,
  formatPpm,
  formatTime,
  isZero,
  useTranslation,
} from '../../../lib/index.ts'
import { LinkRow } from '../../../ui/index.ts'
import { useNamed } from '../../../wallet/receiver/names.tsx'

/** The reward types in the order of the filter. */
export const REWARD_TYPES = [
  'ReferralReward',
  'TeamReward',
  'PairingReward',
  'Interest',
  'ManagementReward',
] as const satisfies readonly RewardType[]

/** The names of the sums in the order in which they are shown. */
export const SUM_NAMES = Object.keys(INCOME_SUMS) as IncomeSum[]

/**
 * Returns the group of a reward by the day on which it was paid. That is the order of the list, unlike the day
 * it counts for: a settlement of yesterday may be paid after the first commissions of today.
 */
export const groupOf = (reward: Pick<Reward, 'created_at'>, now: Date): DayGroup =>
  dayGroup(reward.created_at, now)

const FULL_PPM = 1_000_000

/** One reward in the list; it leads to its explanation. */
export function RewardRow({ reward }: { reward: Reward }) {
  const { t } = useTranslation()
  const named = useNamed('shortest')
  const detail =
    reward.source_address === null
      ? formatTime(reward.created_at)
      : t('rewards.from', { address: named(reward.source_address) })
  return (
    <LinkRow
      to="/pages/rewardList/detail"
      search={{ reward_id: reward.reward_id }}
      icon="activity"
      wordy
      title={t(`rewards.type.${reward.type}`)}
      detail={<span className="text-12">{detail}</span>}
      end={<PaidAmounts reward={reward} />}
    />
  )
}

function PaidAmounts({ reward }: { reward: Reward }) {
  const { t } = useTranslation()
  const parts = [
    { amount: reward.usdt, unit: 'USDT' },
    { amount: reward.amc, unit: 'AMC' },
  ].filter(({ amount }) => !isZero(amount))
  return (
    <span className="flex flex-col items-end">
      {parts.map(({ amount, unit }) => (
        <span key={unit} className="font-medium">
          +{formatOwn(amount)} {unit}
        </span>
      ))}
      {parts.length === 0 && <span className="text-muted">{t('rewards.notPaid')}</span>}
      {parts.length > 0 && reward.coverage_ppm < FULL_PPM && (
        <span className="text-12 text-muted">
          {t('rewards.covered', { coverage: formatPpm(reward.coverage_ppm) })}
        </span>
      )}
    </span>
  )
}
