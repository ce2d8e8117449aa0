import type { RewardDetail } from '@rif/api-schema'
import { endOfDay, formatPpm, isZero, PageLink, useTranslation } from '../../lib/index.ts'
import { Card, Fact, Facts, Money, Notice, PriceNote, Section } from '../../ui/index.ts'
import { AttestationList } from './attestation-list.tsx'

/** The part of a reward that the pool could pay, and its payment. Rules, section 6. */
export function RewardPayment({ reward }: { reward: RewardDetail }) {
  const { t } = useTranslation()
  const { batch } = reward
  return (
    <Section title={t('rewards.explain.payment')}>
      <Card className="flex flex-col gap-4">
        <p className="text-14 text-muted">
          {t('rewards.explain.batch', { count: batch.count, pool: t(`rewards.pool.${batch.pool}`) })}
        </p>
        <Facts>
          <Fact label={t('rewards.explain.batchDue')}>
            <Money amount={batch.value} unit="USDT" exact />
          </Fact>
          <Fact label={t('rewards.explain.poolUsdt')}>
            <Money amount={batch.pool_usdt} unit="USDT" exact />
          </Fact>
          <Fact label={t('rewards.explain.poolAmc')}>
            <Money amount={batch.pool_amc} unit="AMC" exact />
          </Fact>
          <Fact label={t('rewards.explain.amcPrice')}>
            {batch.amc_price === null ? (
              t('rewards.explain.noPrice')
            ) : (
              <>
                <Money amount={batch.amc_price} unit="USDT" exact />
                {batch.class === 'commission' ? (
                  <span className="block text-12 font-normal text-muted">{t('price.ofOrder')}</span>
                ) : (
                  <PriceNote asset="AMC" at={endOfDay(reward.day)} className="ml-2" />
                )}
              </>
            )}
          </Fact>
          <Fact label={t('rewards.detail.coverage')}>{formatPpm(reward.coverage_ppm)}</Fact>
          <Fact label={t('rewards.detail.paid')}>
            <Money amount={reward.paid} unit="USDT" exact />
          </Fact>
          <Fact label={t('rewards.explain.shares')}>
            {t('rewards.explain.sharesValue', {
              usdt: formatPpm(reward.usdt_share_ppm),
              amc: formatPpm(reward.amc_share_ppm),
            })}
          </Fact>
          <Fact label={t('rewards.detail.usdt')}>
            <Money amount={reward.usdt} unit="USDT" exact className="font-semibold" />
          </Fact>
          <Fact label={t('rewards.detail.amc')}>
            <Money amount={reward.amc} unit="AMC" exact className="font-semibold" />
          </Fact>
          {!isZero(reward.amc) && (
            <Fact label={t('rewards.explain.release')}>
              {t('rewards.explain.releaseValue', { count: reward.release_parts })}
            </Fact>
          )}
        </Facts>
      </Card>
    </Section>
  )
}

export interface MoneySourceProps {
  reward: RewardDetail
  /** Leaves out the link to the member's page. */
  forOperator?: boolean
}

/** The paying pool, and its sources. Rules, section 2. */
export function MoneySource({ reward, forOperator = false }: MoneySourceProps) {
  const { t } = useTranslation()
  const { pool } = reward.batch
  return (
    <Section
      title={t('rewards.explain.source')}
      aside={
        forOperator ? undefined : (
          <PageLink to="/pages/rewardList/coverage">{t('rewards.coverage.link')}</PageLink>
        )
      }
    >
      <Notice title={t(`rewards.pool.${pool}`)}>{t(`rewards.explain.filled.${pool}`)}</Notice>
      {pool === 'yield_pool' && reward.attestations.length === 0 && (
        <Notice tone="warn">{t('rewards.explain.nothingAttested')}</Notice>
      )}
      <AttestationList attestations={reward.attestations} />
    </Section>
  )
}
