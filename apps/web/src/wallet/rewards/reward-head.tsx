import type { RewardDetail } from '@rif/api-schema'
import { cutByLimit, formatMicros, parseMicros } from '@rif/rules'
import { formatAmount, formatPpm, formatTime, isZero, useTranslation } from '../../lib/index.ts'
import { Card, Money, Pill, Row, TokenMark } from '../../ui/index.ts'

const FULL_PPM = 1_000_000

/**
 * The worth of a reward, when and how much of it was paid, and below it each asset with its worth in USDT.
 */
export function RewardHead({ reward }: { reward: RewardDetail }) {
  const { t } = useTranslation()
  const amounts = { paid: formatAmount(reward.paid), due: formatAmount(reward.value) }
  const amcWorth = formatMicros(parseMicros(reward.paid) - parseMicros(reward.usdt))
  return (
    <>
      <div className="flex flex-col items-center gap-1 py-2 text-center">
        <p className="flex items-baseline gap-1.5">
          <Money
            amount={reward.paid}
            unit=""
            className="font-display text-44 font-semibold max-[359px]:text-36"
          />
          <span className="text-16 text-muted">{t('rewards.detail.worth')}</span>
        </p>
        <p className="text-14 text-muted">{formatTime(reward.created_at)}</p>
        <p className="pt-1.5">
          <Pill>
            {isZero(reward.paid)
              ? t('rewards.notPaid')
              : t(
                  reward.coverage_ppm < FULL_PPM ? 'rewards.detail.paidPart' : 'rewards.detail.paidFull',
                  amounts,
                )}
          </Pill>
        </p>
      </div>
      <Card className="divide-y divide-line py-1">
        <Row
          mark={<TokenMark token="USDT" />}
          title={`${formatAmount(reward.usdt)} USDT`}
          detail={t('rewards.detail.available')}
          end={<span className="text-16">{formatAmount(reward.usdt)}</span>}
        />
        {!isZero(reward.amc) && (
          <Row
            mark={<TokenMark token="AMC" />}
            title={`${formatAmount(reward.amc)} AMC`}
            detail={t('rewards.detail.lockedIn', { count: reward.release_parts })}
            end={<span className="text-16">{formatAmount(amcWorth)}</span>}
          />
        )}
      </Card>
    </>
  )
}

/** The calculation in one line: base, rate, what a limit cut, and coverage. */
export function RewardSum({ reward }: { reward: RewardDetail }) {
  const { t } = useTranslation()
  const cut = formatMicros(
    cutByLimit({
      baseMicros: parseMicros(reward.base),
      ratioPpm: reward.ratio_ppm,
      valueMicros: parseMicros(reward.value),
    }),
  )
  const parts = [
    { value: formatAmount(reward.base), label: t('rewards.detail.baseShort') },
    {
      sign: '×',
      value: formatPpm(reward.ratio_ppm),
      label: t('rewards.detail.rate', { level: reward.level }),
    },
    ...(isZero(cut)
      ? []
      : [
          {
            sign: '−',
            value: formatAmount(cut),
            label: t(reward.type === 'Interest' ? 'rewards.detail.abovePackage' : 'rewards.detail.flushed'),
          },
        ]),
    { sign: '×', value: formatPpm(reward.coverage_ppm), label: t('rewards.detail.covered') },
    { sign: '=', value: formatAmount(reward.paid), label: t('rewards.detail.paidShort') },
  ]
  return (
    <p className="flex flex-wrap justify-between gap-x-2 gap-y-3">
      {parts.map(({ sign, value, label }) => (
        <span key={label} className="flex gap-2">
          {sign !== undefined && <span className="text-16 text-muted">{sign}</span>}
          <span className="text-center">
            <span className="block text-16 font-medium last:font-semibold">{value}</span>
            <span className="block text-12 text-muted">{label}</span>
          </span>
        </span>
      ))}
    </p>
  )
}
