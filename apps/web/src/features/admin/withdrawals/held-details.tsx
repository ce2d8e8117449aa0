import type { AuditedDeparture } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { formatAmount, useTranslation } from '../../../lib/index.ts'
import { Address, AddressFact, Button, Fact, Facts } from '../../../ui/index.ts'
import { MemberLink } from '../components/admin-page.tsx'
import { UtcTimeFact, utcDay } from '../components/utc-time.tsx'
import { WithdrawalsLink } from '../components/withdrawals-link.tsx'
import { RiskNotice } from '../proposals/briefing-view.tsx'
import { StatePill } from './held-table.tsx'

const exact = (amount: string) => formatAmount(amount, { min: 2, max: 6 })

interface HeldDetailsProps {
  one: AuditedDeparture
  mayPrepare: boolean
  onReview: (approve: boolean) => void
  onProposal: (proposalId: string) => void
}

/** One withdrawal or transfer under audit: how much to whom, who asks, why it deserves a look, and what to do. */
export function HeldDetails({ one, mayPrepare, onReview, onProposal }: HeldDetailsProps) {
  const { t } = useTranslation()
  const { proposal_id: proposalId, asset } = one
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <p className="flex items-center justify-between gap-2 text-14 text-muted">
          {t('admin.brief.departure', { is: one.is, id: one.id })} <StatePill one={one} />
        </p>
        <h2 className="text-20 font-semibold tabular-nums">
          {exact(one.amount)} <span className="text-14 font-medium text-muted">{asset}</span>
        </h2>
      </div>
      <RiskNotice departures={[one]} />
      <Facts>
        <Fact label={t('desk.held.arrives')}>
          {exact(formatMicros(parseMicros(one.amount) - parseMicros(one.fee)))} {asset}
        </Fact>
        <Fact label={t('desk.held.feeLabel')}>
          {exact(one.fee)} {asset}
        </Fact>
        <AddressFact label={t('admin.audit.to')} value={one.to} form="full" />
        {one.looks_like !== null && (
          <Fact label={t('admin.audit.looksLike')}>
            <Address value={one.looks_like} copy={false} />
          </Fact>
        )}
        <Fact label={t('admin.audit.member')}>
          <MemberLink memberId={one.member_id} address={one.member_address} />
        </Fact>
        <Fact label={t('admin.brief.since')}>{utcDay(one.joined_at)}</Fact>
        <Fact label={t('desk.held.before')}>
          {t('admin.audit.history', { level: one.level, count: one.paid_count })}
        </Fact>
        <Fact label={t('desk.held.recent')}>{exact(one.recent_usdt)} USDT</Fact>
        <UtcTimeFact label={t('desk.held.asked')} value={one.created_at} />
      </Facts>
      <WithdrawalsLink memberId={one.member_id} />
      {proposalId !== null ? (
        <Button variant="secondary" onClick={() => onProposal(proposalId)}>
          {t('admin.audit.proposed')}
        </Button>
      ) : (
        mayPrepare && (
          <div className="flex flex-wrap gap-3">
            <Button className="flex-1" variant="danger" onClick={() => onReview(false)}>
              {t('admin.audit.reject')}
            </Button>
            <Button className="flex-1" onClick={() => onReview(true)}>
              {t('admin.audit.approve')}
            </Button>
          </div>
        )
      )}
    </div>
  )
}
