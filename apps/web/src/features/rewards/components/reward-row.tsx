import type { Reward } from '@rif/api-schema'
import {
  formatAmount,
  formatPpm,
  formatTime,
  isZero,
  shortAddress,
  useTranslation,
} from '../../../lib/index.ts'
import { Card, LinkRow, TextWithAddress } from '../../../ui/index.ts'

const FULL_PPM = 1_000_000

/** One reward in the list; it leads to its explanation. */
export function RewardRow({ reward }: { reward: Reward }) {
  const { t } = useTranslation()
  const detail =
    reward.source_address === null ? (
      formatTime(reward.created_at)
    ) : (
      <TextWithAddress
        text={t('rewards.from', { address: shortAddress(reward.source_address) })}
        address={reward.source_address}
      />
    )
  return (
    <Card className="py-1">
      <LinkRow
        to="/pages/rewardList/detail"
        search={{ reward_id: reward.reward_id }}
        title={t(`rewards.type.${reward.type}`)}
        detail={<span className="text-12">{detail}</span>}
        end={<PaidAmounts reward={reward} />}
      />
    </Card>
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
        <span key={unit} className="font-medium text-good">
          +{formatAmount(amount)} {unit}
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
