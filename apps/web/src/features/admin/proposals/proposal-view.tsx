import type { Proposal, ProposalContent } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatAmount, useTranslation } from '../../../lib/index.ts'
import { Address, Disclosure, Fact, Facts, Pill, Skeleton } from '../../../ui/index.ts'
import { AdminName, MemberLink } from '../components/admin-page.tsx'
import { UtcTime, UtcTimeFact, utcText } from '../components/utc-time.tsx'
import { bankRows, DepartureLines, MemberHistory, ProposalRiskNotice } from './briefing-view.tsx'
import { DifferenceView } from './difference-view.tsx'
import { delayText, STATE_TONES } from './proposal-parts.tsx'
import { sentenceOf } from './proposal-words.ts'

/**
 * A proposal for the deciding admin: the sentence, the risks, the changes, the member, and who prepared it.
 */
export function ProposalView({ proposal }: { proposal: Proposal }) {
  const { t } = useTranslation()
  const params = { proposal_id: proposal.proposal_id }
  const query = useQuery(apiQuery('proposalBriefing', { params }))
  const content = JSON.parse(proposal.content) as ProposalContent
  const [, memberId] = /^member\/(\d+)/.exec(proposal.subject) ?? []
  const briefing = query.data
  const [first] = briefing?.departures ?? []
  const isOne = briefing?.departures_count === 1 && first !== undefined
  const isRelease = proposal.headline.name === 'release'
  const isOver = !isUndecided(proposal)
  return (
    <article className="@container flex flex-col gap-5">
      <header className="flex flex-col gap-1">
        <p className="flex flex-wrap items-center justify-between gap-2 text-14 text-muted">
          <span>
            {isOne
              ? t('admin.brief.departure', { is: first.is, id: first.id })
              : t(`admin.kind.${proposal.kind}`)}
            {' · '}
            {t('admin.proposal', { id: proposal.proposal_id })}
          </span>
          <Pill tone={STATE_TONES[proposal.state]}>
            {proposal.state === 'Open'
              ? t('admin.brief.ends', { time: utcText(proposal.expires_at) ?? '' })
              : t(`admin.state.${proposal.state}`)}
          </Pill>
        </p>
        <h2 className="wrap-anywhere text-20 font-semibold text-balance @xl:text-28">
          {sentenceOf(t, proposal.headline)}
        </h2>
        <p className="flex flex-wrap items-center gap-x-2 text-14 text-muted">
          {memberId !== undefined && (
            <span>
              {t('admin.brief.ofMember')}{' '}
              <MemberLink
                memberId={memberId}
                {...(briefing?.member && { address: briefing.member.address })}
              />
            </span>
          )}
          {isRelease && isOne && (
            <span>
              {t('admin.brief.claims', {
                amount: formatAmount(lessFee(first), { min: 2, max: 6 }),
                asset: first.asset,
                fee: formatAmount(first.fee, { min: 2, max: 6 }),
              })}
            </span>
          )}
        </p>
      </header>
      {query.isPending && <Skeleton className="h-24 w-full" />}
      {briefing !== undefined && !isOver && <ProposalRiskNotice departures={briefing.departures} />}
      <DifferenceView
        content={content}
        more={briefing && !isOver ? bankRows(t, briefing.bank) : []}
        isOver={isOver}
      />
      {briefing !== undefined && <DepartureLines briefing={briefing} />}
      {briefing?.member && <MemberHistory member={briefing.member} />}
      <Prepared proposal={proposal} />
      <Disclosure title={t('admin.brief.wallet')}>
        <p className="wrap-anywhere font-mono text-12 text-muted">{proposal.summary}</p>
        <p className="wrap-anywhere pt-2 font-mono text-12 text-muted">{proposal.subject}</p>
        <p className="pt-2 text-12 text-muted">{t('admin.digest')}</p>
        <Address value={proposal.digest} form="full" className="font-mono text-12" />
      </Disclosure>
      <Progress proposal={proposal} delayMinutes={content.delay_minutes} />
    </article>
  )
}

const isUndecided = ({ state }: Proposal) => state === 'Open' || state === 'Approved'

function lessFee({ amount, fee }: { amount: string; fee: string }): string {
  return formatMicros(parseMicros(amount) - parseMicros(fee))
}

/** The person who prepared the proposal, the time and the reason. */
function Prepared({ proposal }: { proposal: Proposal }) {
  const { t } = useTranslation()
  const [before = '', after = ''] = t('admin.brief.prepared', { time: '\u0000' }).split('\u0000')
  return (
    <div className="rounded-12 bg-sunken px-4 py-3 text-14">
      <p>
        <span className="font-semibold">{proposal.prepared_person}</span>{' '}
        <span className="text-muted">
          {before}
          <UtcTime value={proposal.prepared_at} />
          {after}
        </span>
      </p>
      <p className="wrap-anywhere">“{proposal.reason}”</p>
    </div>
  )
}

/** Shows who decided, and when it takes effect. */
function Progress({ proposal, delayMinutes }: { proposal: Proposal; delayMinutes: number }) {
  const { t } = useTranslation()
  const { approvals, approvals_needed: needed } = proposal
  const hasMore = delayMinutes > 0 || needed > 1 || proposal.decided_by !== null || proposal.failure !== null
  if (!hasMore) return null
  return (
    <Facts>
      {delayMinutes > 0 && <Fact label={t('admin.delay')}>{delayText(t, delayMinutes)}</Fact>}
      {needed > 1 && (
        <Fact label={t('admin.approvals.label')}>
          {t('admin.approvals.count', { count: approvals.length, needed })}
          {approvals.map((approval) => (
            <span key={approval.address} className="block text-muted">
              {approval.person} <Address value={approval.address} />
            </span>
          ))}
        </Fact>
      )}
      {proposal.decided_by !== null && (
        <Fact label={t('admin.decidedBy')}>
          <AdminName actor={proposal.decided_by} />
        </Fact>
      )}
      {proposal.decision_reason && <Fact label={t('admin.remark')}>{proposal.decision_reason}</Fact>}
      {proposal.apply_after !== null && (
        <UtcTimeFact label={t('admin.applyAfter')} value={proposal.apply_after} />
      )}
      {proposal.failure !== null && <Fact label={t('admin.failure')}>{proposal.failure}</Fact>}
    </Facts>
  )
}
