import type { RewardDetail } from '@rif/api-schema'
import { formatDay, formatPpm, isZero, useTranslation } from '../../lib/index.ts'
import { Address, Card, Fact, Facts, Money, Section, Time } from '../../ui/index.ts'
import type { Explanation } from './explain.ts'

export interface RewardPartProps {
  reward: RewardDetail
  /** Undefined until it is computed, or if it could not be. */
  explanation: Explanation | undefined
}

/** The member and the order behind it. */
export function RewardOrigin({ reward }: { reward: RewardDetail }) {
  const { t } = useTranslation()
  return (
    <Section title={t('rewards.detail.origin')}>
      <Card>
        <Facts>
          <Fact label={t('rewards.detail.id')}>{reward.reward_id}</Fact>
          <Fact label={t('rewards.detail.day')}>{formatDay(reward.day)}</Fact>
          <Fact label={t('rewards.detail.time')}>
            <Time value={reward.created_at} />
          </Fact>
          {reward.source_address !== null && (
            <Fact label={t('rewards.detail.source')}>
              {reward.source_label !== null && <span className="block">{reward.source_label}</span>}
              <Address value={reward.source_address} />
            </Fact>
          )}
          {reward.order_id !== null && (
            <Fact label={t('rewards.detail.order')}>
              <Address value={reward.order_id} form="full" />
            </Fact>
          )}
          <Fact label={t('rewards.detail.level')}>
            {t('rewards.detail.levelValue', { level: reward.level })}
          </Fact>
        </Facts>
      </Card>
    </Section>
  )
}

/** Base, ratio and cap, which determine the amount due. Rules, section 5. */
export function RewardDue({ reward, explanation }: RewardPartProps) {
  const { t } = useTranslation()
  const remaining = explanation?.remainingBefore ?? null
  const dayCap = explanation?.dayCap ?? null
  const rank = explanation?.rank ?? null
  return (
    <Section title={t('rewards.explain.due')}>
      <Card className="flex flex-col gap-4">
        <p className="text-14 text-muted">{t(`rewards.detail.why.${reward.type}`)}</p>
        <Facts>
          <Fact label={t('rewards.detail.base')}>
            <Money amount={reward.base} unit="USDT" exact />
          </Fact>
          {rank !== null && (
            <Fact label={t('rewards.explain.rank')}>{t('rewards.management.rank', { rank })}</Fact>
          )}
          {reward.covered_ppm !== null && (
            <Fact label={t('rewards.explain.covered')}>{formatPpm(reward.covered_ppm)}</Fact>
          )}
          <Fact label={t('rewards.detail.ratio')}>{formatPpm(reward.ratio_ppm)}</Fact>
          {dayCap !== null && (
            <Fact label={t('rewards.explain.dayCap')}>
              <Money amount={dayCap} unit="USDT" />
            </Fact>
          )}
          {(dayCap !== null || !isZero(reward.flushed)) && (
            <Fact label={t('rewards.detail.flushed')}>
              <Money amount={reward.flushed} unit="USDT" exact />
            </Fact>
          )}
          {remaining !== null && (
            <Fact label={t('rewards.explain.remaining')}>
              <Money amount={remaining} unit="USDT" exact />
            </Fact>
          )}
          <Fact label={t('rewards.detail.value')}>
            <Money amount={reward.value} unit="USDT" exact className="font-semibold" />
          </Fact>
          <Fact label={t('rewards.explain.plan')}>
            {t('rewards.explain.planValue', {
              version: reward.plan.version,
              day: formatDay(reward.plan.effective_day),
            })}
          </Fact>
        </Facts>
      </Card>
    </Section>
  )
}
