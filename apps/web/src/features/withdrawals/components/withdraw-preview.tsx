import { formatAmount, formatPpm, useAppConfig, useTranslation } from '../../../lib/index.ts'
import { Fact, Facts, Money, Time } from '../../../ui/index.ts'
import { judgeAmount, type WithdrawDraft, type WithdrawLimit } from '../withdraw-draft.ts'

/** What the typed amount comes to, while it is typed: fee, what arrives, and when. */
export function WithdrawPreview({ draft, limit }: { draft: WithdrawDraft; limit: WithdrawLimit }) {
  const { t } = useTranslation()
  const amount = judgeAmount(draft, limit)
  const dash = <span className="text-muted">–</span>
  return (
    <Facts>
      <Fact label={t('withdrawals.form.fee')}>
        {amount.ok ? <Money amount={amount.fee} unit={draft.asset} exact /> : dash}
        <span className="block text-12 text-muted">
          {t('withdrawals.form.feeHint', {
            percent: formatPpm(limit.fee_ppm),
            minimum: formatAmount(limit.minimum_fee_usdt, { min: 0, max: 6 }),
          })}
        </span>
      </Fact>
      <Fact label={t('withdrawals.form.receives')}>
        {amount.ok ? (
          <Money amount={amount.receives} unit={draft.asset} exact className="text-16 font-semibold" />
        ) : (
          dash
        )}
      </Fact>
      <Fact label={t('withdrawals.form.remains')}>
        {amount.ok ? <Money amount={amount.remains} unit={draft.asset} exact /> : dash}
      </Fact>
      {amount.ok && (
        <Fact label={t('withdrawals.form.expected')}>
          <ExpectedTime isAudited={amount.isAudited} />
        </Fact>
      )}
    </Facts>
  )
}

/** When the money arrives: after a review, or at once. */
export function ExpectedTime({ isAudited }: { isAudited: boolean }) {
  const { t } = useTranslation()
  const count = useAppConfig()?.chain.confirmations
  if (isAudited) return t('withdrawals.form.expectedAudit')
  return count === undefined ? null : t('withdrawals.form.expectedClaim', { count })
}

/** What is left of today's limit, and when it restarts. */
export function LimitLine({ limit }: { limit: WithdrawLimit }) {
  const { t } = useTranslation()
  const { level } = limit
  const dayLimit = formatAmount(limit.limit, { min: 0, max: 2 })
  return (
    <div className="text-14">
      <div className="flex items-baseline justify-between gap-4">
        <span className="text-muted">{t('withdrawals.form.limit')}</span>
        <Money amount={limit.remaining} unit="USDT" />
      </div>
      <p className="mt-1 text-12 text-muted">
        {t('withdrawals.form.limitHint', { level, limit: dayLimit })} <Time value={limit.resets_at} />
      </p>
    </div>
  )
}
