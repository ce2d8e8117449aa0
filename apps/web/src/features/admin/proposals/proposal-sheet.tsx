import type { Proposal, ProposalContent, ProposalKind, ProposalListItem } from '@rif/api-schema'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, apiWatchedList, useApiMutation, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  AddressFact,
  Button,
  EmptyState,
  ErrorState,
  Fact,
  Facts,
  InfiniteList,
  ListSkeleton,
  Notice,
  Pill,
  Sheet,
  TextField,
  Time,
  TimeFact,
} from '../../../ui/index.ts'
import { AdminName, MemberLink, useMay } from '../components/admin-page.tsx'
import { DifferenceView, delayText, HashesView, STATE_TONES, useDecision } from './proposal-parts.tsx'

/** One proposal of any kind: what it changes, who prepared it and why, and the decision. */
export function ProposalSheet({ proposalId, onClose }: { proposalId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const params = { proposal_id: proposalId }
  const { data, isError, refetch } = useQuery(apiQuery('proposal', { params }))
  return (
    <Sheet open onClose={onClose} title={t('admin.proposal', { id: proposalId })}>
      {data === undefined ? (
        isError ? (
          <ErrorState onRetry={() => void refetch()} />
        ) : (
          <ListSkeleton rows={3} />
        )
      ) : (
        <div className="flex flex-col gap-4">
          <ProposalView proposal={data} />
          <Decision proposal={data} onDone={onClose} />
        </div>
      )}
    </Sheet>
  )
}

function ProposalView({ proposal }: { proposal: Proposal }) {
  const { t } = useTranslation()
  const content = JSON.parse(proposal.content) as ProposalContent
  const [, memberId] = /^member\/(\d+)/.exec(proposal.subject) ?? []
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <Pill tone={STATE_TONES[proposal.state]}>{t(`admin.state.${proposal.state}`)}</Pill>
        <span className="text-14 text-muted">{t(`admin.kind.${proposal.kind}`)}</span>
      </p>
      <p className="wrap-anywhere text-16 font-semibold">{proposal.summary}</p>
      <DifferenceView content={content} />
      <Facts>
        {memberId !== undefined && (
          <Fact label={t('admin.audit.member')}>
            <MemberLink memberId={memberId} />
          </Fact>
        )}
        <Fact label={t('admin.reason')}>{proposal.reason}</Fact>
        <Fact label={t('admin.preparedBy')}>
          {proposal.prepared_person} <Address value={proposal.prepared_by} />
        </Fact>
        <TimeFact label={t('admin.preparedAt')} value={proposal.prepared_at} />
        {proposal.state === 'Open' && <TimeFact label={t('admin.expires')} value={proposal.expires_at} />}
        {content.delay_minutes > 0 && (
          <Fact label={t('admin.delay')}>{delayText(t, content.delay_minutes)}</Fact>
        )}
        {proposal.approvals_needed > 1 && (
          <Fact label={t('admin.approvals.label')}>
            {t('admin.approvals.count', {
              count: proposal.approvals.length,
              needed: proposal.approvals_needed,
            })}
            {proposal.approvals.map((one) => (
              <span key={one.address} className="block text-muted">
                {one.person} <Address value={one.address} />
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
          <TimeFact label={t('admin.applyAfter')} value={proposal.apply_after} />
        )}
        {proposal.failure !== null && <Fact label={t('admin.failure')}>{proposal.failure}</Fact>}
        <AddressFact
          label={t('admin.digest')}
          value={proposal.digest}
          form="full"
          className="font-mono text-12"
        />
      </Facts>
    </>
  )
}

function Decision({ proposal, onDone }: { proposal: Proposal; onDone: () => void }) {
  const { t } = useTranslation()
  const may = useMay()
  const me = useQuery(apiQuery('adminMe')).data
  const [remark, setRemark] = useState('')
  const { decide, busy, hashes } = useDecision()
  const takeBack = useApiMutation('withdrawProposal', { refresh: ['proposals', 'proposal', 'auditQueue'] })
  const isOpen = proposal.state === 'Open'
  if (!isOpen && proposal.state !== 'Approved') return null
  const isMine = me !== undefined && me.address === proposal.prepared_by
  const settle = async (approve: boolean) => {
    if ((await decide(proposal, approve, remark.trim())) !== null) onDone()
  }
  return (
    <div className="flex flex-col gap-3">
      {!isOpen && <Notice tone="info">{t('admin.untilThen')}</Notice>}
      {proposal.may_decide ? (
        <>
          <TextField
            label={t('admin.remark')}
            hint={t('admin.signHint')}
            value={remark}
            maxLength={400}
            onChange={(event) => setRemark(event.target.value)}
          />
          {hashes !== null && <HashesView hashes={hashes} />}
          <div className="flex gap-3">
            <Button block variant="danger" busy={busy} onClick={() => void settle(false)}>
              {t('admin.refuse')}
            </Button>
            {isOpen && (
              <Button block busy={busy} onClick={() => void settle(true)}>
                {t('admin.approve')}
              </Button>
            )}
          </div>
        </>
      ) : (
        proposal.hindrance !== null && (
          <Notice tone="info">{t(`admin.hindrance.${proposal.hindrance}`)}</Notice>
        )
      )}
      {isOpen && isMine && may('operator') && (
        <Button
          variant="secondary"
          busy={takeBack.isPending}
          onClick={() =>
            void takeBack
              .mutateAsync({ params: { proposal_id: proposal.proposal_id } })
              .then(onDone, () => undefined)
          }
        >
          {t('admin.takeBack')}
        </Button>
      )}
    </div>
  )
}

export type Show = 'mine' | 'open' | 'ended'

interface ProposalListProps {
  show: Show | 'all'
  /** Of one kind only. */
  kind?: ProposalKind
  onOpen: (proposalId: string) => void
}

/** Proposals, newest first; one opens with a click. */
export function ProposalList({ show, kind, onOpen }: ProposalListProps) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiWatchedList('proposals', { query: { show, ...(kind && { kind }) } }))
  return (
    <InfiniteList
      query={query}
      label={t('admin.area.approvals')}
      keyOf={(one) => one.proposal_id}
      empty={<EmptyState icon="check" title={t(`admin.none.${show}`)} hint={t('admin.noneHint')} />}
      render={(one) => <ProposalRow proposal={one} onOpen={() => onOpen(one.proposal_id)} />}
    />
  )
}

function ProposalRow({ proposal, onOpen }: { proposal: ProposalListItem; onOpen: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="relative flex flex-col gap-1 rounded-12 bg-card p-4 hover:bg-sunken">
      <span className="flex flex-wrap items-center gap-2">
        <Pill tone={STATE_TONES[proposal.state]}>{t(`admin.state.${proposal.state}`)}</Pill>
        <span className="text-14 text-muted">{t(`admin.kind.${proposal.kind}`)}</span>
        {proposal.approvals_needed > 1 && (
          <Pill tone="info">
            {t('admin.approvals.count', {
              count: proposal.approvals.length,
              needed: proposal.approvals_needed,
            })}
          </Pill>
        )}
        <span className="relative z-10 ml-auto text-12 text-muted">
          <Time value={proposal.prepared_at} />
        </span>
      </span>
      {/* Reaches over all of the row; the time, which opens by itself, stands above it. */}
      <button
        type="button"
        onClick={onOpen}
        className="flex flex-col gap-1 text-left after:absolute after:inset-0"
      >
        <span className="wrap-anywhere text-16">{proposal.summary}</span>
        <span className="wrap-anywhere text-14 text-muted">
          {proposal.prepared_person}: {proposal.reason}
        </span>
      </button>
    </div>
  )
}
