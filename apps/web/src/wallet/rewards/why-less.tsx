import type { RewardDetail } from '@rif/api-schema'
import { formatAmount, formatPpm, type Translate, useTranslation } from '../../lib/index.ts'
import { HelpLink, Notice } from '../../ui/index.ts'
import type { Loss } from './explain.ts'

/** States in words each cause for which less was paid than base times ratio; nothing where all was paid. */
export function WhyLess({ reward, losses }: { reward: RewardDetail; losses: readonly Loss[] }) {
  const { t } = useTranslation()
  if (losses.length === 0) return null
  return (
    <Notice title={t('rewards.less.title')} action={<HelpLink about="reward.less" />}>
      {losses.map((loss) => (
        <span key={loss.cause} className="block">
          {lossText(t, reward, loss)}
        </span>
      ))}
    </Notice>
  )
}

function lossText(
  t: Translate,
  { level, coverage_ppm: coveragePpm, batch }: RewardDetail,
  loss: Loss,
): string {
  const lost = formatAmount(loss.lost)
  switch (loss.cause) {
    case 'dayCap':
    case 'ownDayCap':
      return t(`rewards.less.${loss.cause}`, { lost, level, cap: formatAmount(loss.cap) })
    case 'packageCap':
      return t('rewards.less.packageCap', {
        lost,
        remaining: formatAmount(loss.remaining),
        percent: formatPpm(loss.capPpm),
      })
    case 'coverage':
      return t('rewards.less.coverage', {
        lost,
        pool: t(`rewards.pool.${batch.pool}`),
        percent: formatPpm(coveragePpm),
      })
  }
}
