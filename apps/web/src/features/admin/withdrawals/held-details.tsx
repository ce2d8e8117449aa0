import type { AuditedDeparture } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { formatDay, formatExact, useTranslation } from '../../../lib/index.ts'
import { Address, AddressFact, Button, Fact, Facts } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { AdminName, MemberLink } from '../components/admin-page.tsx'
import { UtcTimeFact } from '../components/utc-time.tsx'
import { WithdrawalsLink } from '../components/withdrawals-link.tsx'
import { RiskNotice } from '../proposals/briefing-view.tsx'
import { StatePill } from './held-shape.tsx'
import { isFree } from './prepare-steps.ts'

interface HeldDetailsProps {
  one: AuditedDeparture
  mayPrepare: boolean
  onReview: (approve: boolean) => void
  onProposal: (proposalId: string) => void
}

/** One withdrawal or transfer: amount, receiver, requester, risks, and actions. */
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
          {formatExact(one.amount)} <span className="text-14 font-medium text-muted">{asset}</span>
        </h2>
      </div>
      <RiskNotice departures={[one]} />
      <Facts>
        <Fact label={t('desk.held.arrives')}>
          {formatExact(formatMicros(parseMicros(one.amount) - parseMicros(one.fee)))} {asset}
        </Fact>
        <Fact label={t('desk.held.feeLabel')}>
          {formatExact(one.fee)} {asset}
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
        <Fact label={t('admin.brief.since')}>{formatDay(one.joined_at)}</Fact>
        <Fact label={t('desk.held.before')}>
          {t('admin.audit.history', { level: one.level, count: one.paid_count })}
        </Fact>
        <Fact label={t('desk.held.recent')}>{formatExact(one.recent_usdt)} USDT</Fact>
        <UtcTimeFact label={t('desk.held.asked')} value={one.created_at} />
        {one.expires_at !== null && one.status === 'Withdrawable' && (
          <UtcTimeFact label={t('desk.held.claimUntil')} value={one.expires_at} />
        )}
        {one.ended_at !== null && <UtcTimeFact label={t('desk.held.ended')} value={one.ended_at} />}
        {one.reviewed_by !== null && (
          <Fact label={t('desk.held.decidedBy')}>
            <AdminName actor={one.reviewed_by} />
          </Fact>
        )}
        {one.review_reason !== null && (
          <Fact label={t('admin.reason')}>
            <span className="wrap-anywhere">{one.review_reason}</span>
          </Fact>
        )}
        {one.tx_hash !== null && (
          <Fact label={t('desk.held.transaction')}>
            <TxHash value={one.tx_hash} />
          </Fact>
        )}
      </Facts>
      <WithdrawalsLink memberId={one.member_id} />
      {proposalId !== null ? (
        <Button variant="secondary" onClick={() => onProposal(proposalId)}>
          {t('admin.audit.proposed')}
        </Button>
      ) : (
        mayPrepare &&
        isFree(one) && (
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
