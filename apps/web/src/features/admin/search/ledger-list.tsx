import type { AdminLedgerEntry, AdminLedgerGroup, RouteInput } from '@rif/api-schema'
import { ASSETS } from '@rif/rules'
import { useInfiniteQuery } from '@tanstack/react-query'
import { apiList, formatAmount, isText, type Translate, useTranslation } from '../../../lib/index.ts'
import { Button, Money } from '../../../ui/index.ts'
import { AccountName } from '../analytics/figure-card.tsx'
import { useMay } from '../components/admin-page.tsx'
import { UtcTime, utcText } from '../components/utc-time.tsx'
import { type FilterField, useListFilters } from '../list/list-filters.ts'
import { useProposals } from '../proposals/use-proposals.tsx'
import { MemberList } from './member-list.tsx'

type Query = RouteInput<'adminMemberLedger'>['query']

const GROUPS = [
  ...(['sales', 'rewards', 'withdrawals', 'transfers'] as const),
  ...(['savings', 'fund', 'exchange', 'other'] as const),
] satisfies readonly AdminLedgerGroup[]

const fieldsOf = (t: Translate): readonly FilterField<Query>[] => {
  const all = ['', t('desk.filter.all')] as const
  return [
    {
      name: 'group',
      label: t('adminSearch.ledger.group'),
      as: 'tabs',
      options: [all, ...GROUPS.map((value) => [value, t(`adminSearch.ledger.${value}`)] as const)],
    },
    {
      name: 'asset',
      label: t('adminSearch.ledger.asset'),
      as: 'choice',
      options: [all, ...ASSETS.map((value) => [value, value] as const)],
    },
  ]
}

/** Returns the name of a transaction's kind, as members see it if they do; a reversal is named as such. */
function kindText(t: Translate, kind: string): string {
  const [name, reversal] = kind.split(':')
  const key = `activity.kind.${name}`
  const text = isText(key) ? t(key) : name!
  return reversal === undefined ? text : `${text} (${t('adminSearch.ledger.reversal')})`
}

/** The member's books, by asset and kind; a mistake can be corrected from its line. */
export function LedgerList({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const filters = useListFilters('member ledger', fieldsOf(t))
  const query = useInfiniteQuery(
    apiList('adminMemberLedger', { params: { member_id: memberId }, query: filters.query }),
  )
  const mayReverse = useMay()('operator')
  const { want, sheets } = useProposals({ place: `ledger ${memberId}` })
  const head = (name: 'time' | 'kind' | 'from' | 'to' | 'amount' | 'cause') => t(`adminSearch.ledger.${name}`)
  const account = (name: string) => <AccountName account={name} product={null} />
  const muted = (text: string | null) => <span className="text-12 text-muted">{text}</span>
  const nameOf = ({ kind, seq }: AdminLedgerEntry) => `${kindText(t, kind)} #${seq}`
  return (
    <>
      <MemberList<AdminLedgerEntry>
        label={t('adminSearch.tab.ledger')}
        query={query}
        filters={filters}
        shape={{
          keyOf: ({ seq, line }) => `${seq}/${line}`,
          nameOf,
          columns: [
            { key: 'kind', head: head('kind'), cell: ({ kind }) => kindText(t, kind) },
            { key: 'from', head: head('from'), cell: ({ source }) => account(source) },
            { key: 'to', head: head('to'), cell: ({ destination }) => account(destination) },
            {
              key: 'amount',
              head: head('amount'),
              isFigure: true,
              cell: ({ amount, asset }) => `${formatAmount(amount)} ${asset}`,
            },
            {
              key: 'cause',
              head: head('cause'),
              isRoomy: true,
              cell: (entry) => muted(`${entry.cause_type} ${entry.cause_id}`),
            },
            {
              key: 'time',
              head: head('time'),
              isFigure: true,
              cell: (entry) => muted(utcText(entry.posted_at)),
            },
          ],
          line: (entry) => ({
            title: `${formatAmount(entry.amount)} ${entry.asset}`,
            aside: utcText(entry.posted_at),
            text: nameOf(entry),
            tags: (
              <span className="text-12 text-muted">
                {account(entry.source)} → {account(entry.destination)}
              </span>
            ),
          }),
        }}
        facts={(entry) => [
          [head('amount'), <Money key="amount" amount={entry.amount} unit={entry.asset} exact />],
          [head('from'), account(entry.source)],
          [head('to'), account(entry.destination)],
          [head('cause'), `${entry.cause_type} ${entry.cause_id}`],
          [head('time'), <UtcTime key="time" value={entry.posted_at} />],
        ]}
        step={({ seq, reversible }, leave) =>
          mayReverse &&
          reversible && (
            <Button
              variant="secondary"
              onClick={() => {
                leave()
                want({ kind: 'reversal', payload: { member_id: memberId, seq } })
              }}
            >
              {t('adminForms.reverse', { seq })}
            </Button>
          )
        }
      />
      {sheets}
    </>
  )
}
