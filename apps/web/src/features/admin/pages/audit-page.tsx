import type { AuditedWithdrawal } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiWatchedList, formatAmount, useTranslation } from '../../../lib/index.ts'
import { Button, EmptyState, InfiniteList } from '../../../ui/index.ts'
import { AuditRow } from '../audit/audit-row.tsx'
import { AdminPage } from '../components/admin-page.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { useMay } from '../use-role.ts'

type Key = { member_id: string; withdraw_id: string }
const keyOf = ({ member_id, withdraw_id }: AuditedWithdrawal): Key => ({ member_id, withdraw_id })

/** As many as one proposal takes. */
const MOST_TOGETHER = 200

/** Withdrawals that wait for a decision, with what makes them risky; small ones can be decided on together. */
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
  const small = (query.data?.pages ?? [])
    .flatMap(({ items }) => items)
    .filter(({ bulk, proposal_id: proposed }) => bulk && proposed === null)
    .slice(0, MOST_TOGETHER)
  const toggle = (one: Key) =>
    setChosen((keys) =>
      keys.some(({ withdraw_id }) => withdraw_id === one.withdraw_id)
        ? keys.filter(({ withdraw_id }) => withdraw_id !== one.withdraw_id)
        : [...keys, one],
    )
  const review = (approve: boolean, withdrawals: readonly Key[]) =>
    want({ kind: 'withdrawals', payload: { approve, withdrawals: [...withdrawals] } }, () => setChosen([]))
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
        keyOf={(one) => one.withdraw_id}
        estimatePx={168}
        empty={<EmptyState icon="check" title={t('admin.audit.none')} hint={t('admin.noneHint')} />}
        render={(one) => (
          <AuditRow
            withdrawal={one}
            chosen={chosen.some(({ withdraw_id }) => withdraw_id === one.withdraw_id)}
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
