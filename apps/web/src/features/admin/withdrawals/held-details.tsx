import type { AuditedDeparture } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { formatDay, formatExact, useTranslation } from '../../../lib/index.ts'
import { Address, AddressFact, Button, Fact, Facts } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { AdminName, MemberLink } from '../components/admin-page.tsx'
import { UtcTimeFact } from '../components/utc-time.tsx'
import { WithdrawalsLink } from '../components/withdrawals-link.tsx'
import { ProposalRiskNotice } from '../proposals/briefing-view.tsx'
import { StatePill } from './held-shape.tsx'
import { isFree } from './prepare-steps.ts'

interface HeldDetailsProps {
  departure: AuditedDeparture
  mayPrepare: boolean
  onReview: (approve: boolean) => void
  onProposal: (proposalId: string) => void
}

/** One withdrawal or transfer: amount, receiver, requester, risks, and actions. */
export function HeldDetails({ departure, mayPrepare, onReview, onProposal }: HeldDetailsProps) {
  const { t } = useTranslation()
  const { proposal_id: proposalId, asset } = departure
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-1">
        <p className="flex items-center justify-between gap-2 text-14 text-muted">
          {t('admin.brief.departure', { is: departure.is, id: departure.id })}{' '}
          <StatePill departure={departure} />
        </p>
        <h2 className="text-20 font-semibold tabular-nums">
          {formatExact(departure.amount)} <span className="text-14 font-medium text-muted">{asset}</span>
        </h2>
      </div>
      <ProposalRiskNotice departures={[departure]} />
      <Facts>
        <Fact label={t('desk.held.arrives')}>
          {formatExact(formatMicros(parseMicros(departure.amount) - parseMicros(departure.fee)))} {asset}
        </Fact>
        <Fact label={t('desk.held.feeLabel')}>
          {formatExact(departure.fee)} {asset}
        </Fact>
        <AddressFact label={t('admin.audit.to')} value={departure.to} form="full" />
        {departure.looks_like !== null && (
          <Fact label={t('admin.audit.looksLike')}>
            <Address value={departure.looks_like} copy={false} />
          </Fact>
        )}
        <Fact label={t('admin.audit.member')}>
          <MemberLink memberId={departure.member_id} address={departure.member_address} />
        </Fact>
        <Fact label={t('admin.brief.since')}>{formatDay(departure.joined_at)}</Fact>
        <Fact label={t('desk.held.before')}>
          {t('admin.audit.history', { level: departure.level, count: departure.paid_count })}
        </Fact>
        <Fact label={t('desk.held.recent')}>{formatExact(departure.recent_usdt)} USDT</Fact>
        <UtcTimeFact label={t('desk.held.asked')} value={departure.created_at} />
        {departure.expires_at !== null && departure.status === 'Withdrawable' && (
          <UtcTimeFact label={t('desk.held.claimUntil')} value={departure.expires_at} />
        )}
        {departure.ended_at !== null && (
          <UtcTimeFact label={t('desk.held.ended')} value={departure.ended_at} />
        )}
        {departure.reviewed_by !== null && (
          <Fact label={t('desk.held.decidedBy')}>
            <AdminName actor={departure.reviewed_by} />
          </Fact>
        )}
        {departure.review_reason !== null && (
          <Fact label={t('admin.reason')}>
            <span className="wrap-anywhere">{departure.review_reason}</span>
          </Fact>
        )}
        {departure.tx_hash !== null && (
          <Fact label={t('desk.held.transaction')}>
            <TxHash value={departure.tx_hash} />
          </Fact>
        )}
      </Facts>
      <WithdrawalsLink memberId={departure.member_id} />
      {proposalId !== null ? (
        <Button variant="secondary" onClick={() => onProposal(proposalId)}>
          {t('admin.audit.proposed')}
        </Button>
      ) : (
        mayPrepare &&
        isFree(departure) && (
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
