import type { AuditedWithdrawal, RiskReason } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { Address, Button, Card, Money, Pill, Time, type Tone } from '../../../ui/index.ts'
import { MemberLink } from '../components/member-link.tsx'

const TONES: Readonly<Record<RiskReason, Tone>> = {
  large_amount: 'info',
  new_address: 'warn',
  risk_flag: 'bad',
  sudden_amount: 'warn',
  fresh_account: 'warn',
  look_alike: 'bad',
  frozen: 'bad',
}

export interface AuditRowProps {
  withdrawal: AuditedWithdrawal
  chosen: boolean
  mayPrepare: boolean
  onToggle: () => void
  onReview: (approve: boolean) => void
  onProposal: (proposalId: string) => void
}

/** One withdrawal under audit: how much to whom, who asks, why it deserves a look, and what to do. */
export function AuditRow({ withdrawal, chosen, mayPrepare, onToggle, onReview, onProposal }: AuditRowProps) {
  const { t } = useTranslation()
  const { proposal_id: proposalId } = withdrawal
  return (
    <Card className="flex flex-col gap-3 lg:flex-row lg:items-start lg:gap-6">
      <div className="flex min-w-0 flex-1 flex-col gap-1 text-14">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="text-16 font-semibold">
            <Money amount={withdrawal.amount} unit={withdrawal.asset} />
          </span>
          <span className="text-muted">
            <Money amount={withdrawal.worth_usdt} unit="USDT" />
          </span>
          <span className="ml-auto text-12 text-muted">
            <Time value={withdrawal.created_at} />
          </span>
        </p>
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="text-muted">{t('admin.audit.to')}</span>
          <Address value={withdrawal.to} />
        </p>
        {withdrawal.looks_like !== null && (
          <p className="flex flex-wrap items-center gap-x-2 text-bad">
            {t('admin.audit.looksLike')} <Address value={withdrawal.looks_like} copy={false} />
          </p>
        )}
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="text-muted">{t('admin.audit.member')}</span>
          <MemberLink memberId={withdrawal.member_id} address={withdrawal.member_address} />
          <span className="text-muted">
            {t('admin.audit.history', { level: withdrawal.level, count: withdrawal.paid_count })}
          </span>
        </p>
        <p className="flex flex-wrap gap-1 pt-1">
          {withdrawal.reasons.map((reason) => (
            <Pill key={reason} tone={TONES[reason]}>
              {t(`admin.risk.${reason}`)}
            </Pill>
          ))}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2 lg:w-56 lg:flex-col lg:items-stretch">
        {proposalId !== null ? (
          <Button variant="secondary" onClick={() => onProposal(proposalId)}>
            {t('admin.audit.proposed')}
          </Button>
        ) : (
          mayPrepare && (
            <>
              <Button variant="secondary" onClick={() => onReview(true)}>
                {t('admin.audit.approve')}
              </Button>
              <Button variant="danger" onClick={() => onReview(false)}>
                {t('admin.audit.reject')}
              </Button>
              {withdrawal.bulk && (
                <label className="flex min-h-11 items-center gap-2 px-1 text-14">
                  <input type="checkbox" className="size-5" checked={chosen} onChange={onToggle} />
                  {t('admin.audit.together')}
                </label>
              )}
            </>
          )
        )}
      </div>
    </Card>
  )
}
