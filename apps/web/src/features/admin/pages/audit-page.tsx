import type { AuditedDeparture, RiskReason } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiWatchedList, formatAmount, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Button,
  Card,
  EmptyState,
  InfiniteList,
  Money,
  Pill,
  Time,
  type Tone,
} from '../../../ui/index.ts'
import { AdminPage, MemberLink, useMay } from '../components/admin-page.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'

type Key = Pick<AuditedDeparture, 'is' | 'id' | 'member_id'>
const keyOf = ({ is, id, member_id }: AuditedDeparture): Key => ({ is, id, member_id })
const sameKey = (a: Key, b: Key) => a.is === b.is && a.id === b.id

/** As many as one proposal takes. */
const MOST_TOGETHER = 200

/**
 * Withdrawals and transfers that wait for a decision, with what makes them risky; small ones of one sort can be decided on
 * together.
 */
export default function AuditPage() {
  const { t } = useTranslation()
  const may = useMay()
  const query = useInfiniteQuery(apiWatchedList('auditQueue', { query: {} }))
  const [chosen, setChosen] = useState<readonly Key[]>([])
  const { want, show, sheets } = useProposals({
    title: t('admin.audit.prepare'),
    reasonHint: t('admin.audit.reasonHint'),
  })
  const first = query.data?.pages[0]
  const mayPrepare = may('operator')
  const free = (query.data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter(({ bulk, proposal_id: proposed }) => bulk && proposed === null)
  const sort = chosen[0]?.is ?? free[0]?.is
  const small = free.filter(({ is }) => is === sort).slice(0, MOST_TOGETHER)
  const toggle = (one: Key) =>
    setChosen((keys) => {
      // One proposal is about one sort.
      const alike = keys.filter(({ is }) => is === one.is)
      return keys.some((key) => sameKey(key, one))
        ? keys.filter((key) => !sameKey(key, one))
        : [...alike, one]
    })
  const review = (approve: boolean, keys: readonly Key[]) => {
    const done = () => setChosen([])
    if (keys[0]?.is === 'transfer') {
      const transfers = keys.map(({ member_id, id }) => ({ member_id, transfer_id: id }))
      want({ kind: 'transfers', payload: { approve, transfers } }, done)
    } else {
      const withdrawals = keys.map(({ member_id, id }) => ({ member_id, withdraw_id: id }))
      want({ kind: 'withdrawals', payload: { approve, withdrawals } }, done)
    }
  }
  return (
    <AdminPage
      title={t('admin.area.audit')}
      actions={
        mayPrepare && (
          <>
            {small.length > 1 && small.length > chosen.length && (
              <Button variant="secondary" onClick={() => setChosen(small.map(keyOf))}>
                {t('admin.audit.chooseAll', { count: small.length })}
              </Button>
            )}
            {chosen.length > 0 && (
              <>
                <Button variant="secondary" onClick={() => setChosen([])}>
                  {t('admin.audit.chooseNone')}
                </Button>
                <Button onClick={() => review(true, chosen)}>
                  {t('admin.audit.bulk', { count: chosen.length })}
                </Button>
              </>
            )}
          </>
        )
      }
    >
      {first !== undefined && (
        <p className="text-14 text-muted">
          {t('admin.audit.about', { count: first.waiting, limit: formatAmount(first.bulk_up_to_usdt) })}
        </p>
      )}
      <InfiniteList
        query={query}
        label={t('admin.area.audit')}
        keyOf={(one) => `${one.is} ${one.id}`}
        estimatePx={168}
        empty={<EmptyState icon="check" title={t('admin.audit.none')} hint={t('admin.noneHint')} />}
        render={(one) => (
          <AuditRow
            held={one}
            chosen={chosen.some((key) => sameKey(key, one))}
            mayPrepare={mayPrepare}
            onToggle={() => toggle(keyOf(one))}
            onReview={(approve) => review(approve, [keyOf(one)])}
            onProposal={show}
          />
        )}
      />
      {sheets}
    </AdminPage>
  )
}

const TONES: Readonly<Record<RiskReason, Tone>> = {
  large_amount: 'info',
  new_address: 'warn',
  risk_flag: 'bad',
  sudden_amount: 'warn',
  fresh_account: 'warn',
  look_alike: 'bad',
  frozen: 'bad',
}

interface AuditRowProps {
  held: AuditedDeparture
  chosen: boolean
  mayPrepare: boolean
  onToggle: () => void
  onReview: (approve: boolean) => void
  onProposal: (proposalId: string) => void
}

/** One withdrawal or transfer under audit: how much to whom, who asks, why it deserves a look, and what to do. */
function AuditRow({ held, chosen, mayPrepare, onToggle, onReview, onProposal }: AuditRowProps) {
  const { t } = useTranslation()
  const { proposal_id: proposalId } = held
  return (
    <Card className="flex flex-col gap-3 lg:flex-row lg:items-start lg:gap-6">
      <div className="flex min-w-0 flex-1 flex-col gap-1 text-14">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="text-16 font-semibold">
            <Money amount={held.amount} unit={held.asset} />
          </span>
          {held.asset !== 'USDT' && (
            <span className="text-muted">
              <Money amount={held.worth_usdt} unit="USDT" />
            </span>
          )}
        </p>
        <p className="flex flex-wrap items-baseline gap-x-3 text-12 text-muted">
          <span>{t(`admin.audit.is.${held.is}`, { id: held.id })}</span>
          <Time value={held.created_at} />
        </p>
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="text-muted">{t('admin.audit.to')}</span>
          <Address value={held.to} />
        </p>
        {held.looks_like !== null && (
          <p className="flex flex-wrap items-center gap-x-2 text-bad">
            {t('admin.audit.looksLike')} <Address value={held.looks_like} copy={false} />
          </p>
        )}
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="text-muted">{t('admin.audit.member')}</span>
          <MemberLink memberId={held.member_id} address={held.member_address} />
          <span className="text-muted">
            {t('admin.audit.history', { level: held.level, count: held.paid_count })}
          </span>
        </p>
        {held.recent_usdt !== held.worth_usdt && (
          <p className="text-muted">{t('admin.audit.recent', { amount: formatAmount(held.recent_usdt) })}</p>
        )}
        <p className="flex flex-wrap gap-1 pt-1">
          {held.reasons.map((reason) => (
            <Pill key={reason} tone={TONES[reason]}>
              {t(`admin.risk.${reason}`)}
            </Pill>
          ))}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2 *:flex-1 *:basis-40 lg:w-56 lg:*:flex-none lg:*:basis-auto lg:flex-col lg:items-stretch">
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
              {held.bulk && (
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
