import type { ActivityGroup } from '@rif/api-schema'
import { switchTab, useTranslation } from '../../../lib/index.ts'
import { Chip, Chips } from '../../../ui/index.ts'

const PATH = '/pages/rewardList/index'
const CHIPS = [
  ...(['all', 'rewards', 'orders', 'withdrawals', 'fund', 'savings', 'transfers', 'exchange'] as const),
] satisfies (ActivityGroup | 'all')[]

/** The kinds of activity. Rewards have a separate view with sums and a chart. */
export function FeedChips({ current }: { current: ActivityGroup | 'all' }) {
  const { t } = useTranslation()
  const open = (value: (typeof CHIPS)[number]) => {
    if (value === 'all') switchTab(PATH)
    else switchTab(PATH, value === 'rewards' ? { show: 'rewards' } : { group: value })
  }
  return (
    <Chips label={t('feed.kinds')} inRow>
      {CHIPS.map((value) => (
        <Chip key={value} pressed={value === current} onClick={() => open(value)}>
          {t(`feed.group.${value}`)}
        </Chip>
      ))}
    </Chips>
  )
}
