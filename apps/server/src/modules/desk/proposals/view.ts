import type { Proposal, ProposalContent, ProposalListItem, RiskReason } from '@rif/api-schema'
import { actorText } from '../../operators/admin-log/admin-log.service.ts'
import type { ProposalRow } from './proposals.repository.ts'

/** Returns a proposal for lists; `hindrance` is the reason why the caller may not decide on it. */
export function listItem(
  row: ProposalRow,
  hindrance: ProposalListItem['hindrance'],
  risks: readonly RiskReason[],
): ProposalListItem {
  const { summary, headline } = JSON.parse(row.content) as ProposalContent
  const time = (at: Date | null) => at?.toISOString() ?? null
  return {
    proposal_id: `${row.proposalId}`,
    kind: row.kind,
    subject: row.subject,
    summary,
    headline,
    risks: [...risks],
    reason: row.reason,
    state: row.state,
    prepared_by: actorText(row.preparedBy),
    prepared_person: row.preparedPerson,
    prepared_at: row.preparedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    decided_by: row.decidedBy && actorText(row.decidedBy),
    decided_at: time(row.decidedAt),
    decision_reason: row.decisionReason,
    apply_after: time(row.applyAfter),
    applied_at: time(row.appliedAt),
    failure: row.failure,
    approvals_needed: row.approvalsNeeded,
    approvals: row.approvals.map((approval) => ({ ...approval, address: actorText(approval.address) })),
    may_decide: hindrance === null,
    hindrance,
  }
}

/** Returns a proposal with its signed content. */
export function proposalView(
  row: ProposalRow,
  hindrance: ProposalListItem['hindrance'],
  risks: readonly RiskReason[],
): Proposal {
  return {
    ...listItem(row, hindrance, risks),
    content: row.content,
    digest: row.digest,
    signature: row.signature,
  }
}
