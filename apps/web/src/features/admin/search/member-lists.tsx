import type { AdminLedgerEntry, AdminLedgerGroup } from '@rif/api-schema'
import { ASSETS, type Asset } from '@rif/rules'
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { apiList, formatAmount, formatPpm, isText, useTranslation } from '../../../lib/index.ts'
import { Address, Button, Card, ErrorState, ListSkeleton, Money, Pill, Segmented } from '../../../ui/index.ts'
import { AccountName, FigureTable } from '../analytics/figure-card.tsx'
import { ShowMore, useMay } from '../components/admin-page.tsx'
import { UtcTime } from '../components/utc-time.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'

type Listed<T> = UseInfiniteQueryResult<InfiniteData<{ items: T[]; next: string | null }>>

interface TableListProps<T> {
  query: Listed<T>
  caption: string
  head: readonly string[]
  words: readonly number[]
  row: (item: T) => { key: string; cells: readonly ReactNode[] }
}

/** A list as a table, page by page. */
function TableList<T>({ query, caption, head, words, row }: TableListProps<T>) {
  const { t } = useTranslation()
  const items = query.data?.pages.flatMap((page) => page.items)
  if (items === undefined) {
    return query.isError ? <ErrorState onRetry={() => void query.refetch()} /> : <ListSkeleton />
  }
  return (
    <Card className="flex flex-col gap-3">
      {items.length === 0 ? (
        <p className="text-14 text-muted">{t('adminSearch.empty')}</p>
      ) : (
        <FigureTable stacks caption={caption} head={head} words={words} rows={items.map(row)} />
      )}
      <ShowMore query={query} />
    </Card>
  )
}

const params = (memberId: string) => ({ member_id: memberId })
const GROUPS = [
  ...(['sales', 'rewards', 'withdrawals', 'transfers'] as const),
  ...(['savings', 'fund', 'exchange', 'other'] as const),
] satisfies readonly AdminLedgerGroup[]

/** A transaction's kind, as members read it where they do, and a reversal as one. */
function Kind({ kind }: { kind: string }) {
  const { t } = useTranslation()
  const [name, reversal] = kind.split(':')
  const key = `activity.kind.${name}`
  const text = isText(key) ? t(key) : name
  return reversal === undefined ? text : `${text} (${t('adminSearch.ledger.reversal')})`
}

/** The member's books, by asset and by what moved; a mistake is put right from its line. */
export function LedgerList({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const [asset, setAsset] = useState<Asset | 'all'>('all')
  const [group, setGroup] = useState<AdminLedgerGroup | 'all'>('all')
  const query = useInfiniteQuery(
    apiList('adminMemberLedger', {
      params: params(memberId),
      query: { ...(asset !== 'all' && { asset }), ...(group !== 'all' && { group }) },
    }),
  )
  const mayReverse = useMay()('operator')
  const { want, sheets } = useProposals()
  const reverse = ({ seq, reversible }: AdminLedgerEntry) =>
    reversible ? (
      <Button
        variant="secondary"
        onClick={() => want({ kind: 'reversal', payload: { member_id: memberId, seq } })}
      >
        {t('adminForms.reverse', { seq })}
      </Button>
    ) : null
  const head = (['time', 'kind', 'from', 'to', 'amount', 'cause'] as const).map((name) =>
    t(`adminSearch.ledger.${name}`),
  )
  const all = { value: 'all' as const, label: t('common.all') }
  return (
    <>
      <div className="flex flex-wrap gap-x-4">
        <Segmented
          label={t('adminSearch.ledger.asset')}
          options={[all, ...ASSETS.map((value) => ({ value, label: value }))]}
          value={asset}
          onChange={setAsset}
        />
        <Segmented
          label={t('adminSearch.ledger.group')}
          options={[all, ...GROUPS.map((value) => ({ value, label: t(`adminSearch.ledger.${value}`) }))]}
          value={group}
          onChange={setGroup}
        />
      </div>
      <TableList<AdminLedgerEntry>
        query={query}
        caption={t('adminSearch.tab.ledger')}
        words={[1, 2, 3, 5, 6]}
        head={mayReverse ? [...head, t('admin.kind.reversal')] : head}
        row={(entry) => ({
          key: `${entry.seq}/${entry.line}`,
          cells: [
            <UtcTime key="time" value={entry.posted_at} />,
            <Kind key="kind" kind={entry.kind} />,
            <AccountName key="from" account={entry.source} product={null} />,
            <AccountName key="to" account={entry.destination} product={null} />,
            <Money key="amount" amount={entry.amount} unit={entry.asset} />,
            `${entry.cause_type} ${entry.cause_id}`,
            ...(mayReverse ? [reverse(entry)] : []),
          ],
        })}
      />
      {sheets}
    </>
  )
}

const STATUS_TONE = {
  Paid: 'good',
  Success: 'good',
  Processing: 'info',
  Withdrawable: 'info',
  Auditing: 'warn',
  Rejected: 'bad',
} as const

function Status({ value, text }: { value: string; text: string }) {
  return <Pill tone={STATUS_TONE[value as keyof typeof STATUS_TONE] ?? 'neutral'}>{text}</Pill>
}

const hashCell = (hash: string | null) => (hash === null ? '–' : <Address value={hash} />)

/** The member's package orders. */
export function OrderList({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('adminMemberOrders', { params: params(memberId), query: {} }))
  return (
    <TableList
      query={query}
      caption={t('adminSearch.tab.orders')}
      words={[1, 2, 3, 5]}
      head={(['id', 'package', 'status', 'created', 'due', 'hash'] as const).map((name) =>
        t(`adminSearch.order.${name}`),
      )}
      row={(order) => ({
        key: order.order_id,
        cells: [
          `#${order.order_id}`,
          order.product_name,
          <Status key="status" value={order.status} text={t(`adminSearch.status.${order.status}`)} />,
          <UtcTime key="created" value={order.created_at} />,
          <Money key="due" amount={order.quote.due} unit="USDT" />,
          hashCell(order.tx_hash),
        ],
      })}
    />
  )
}

/** The member's fund purchases. */
export function FundList({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('adminMemberFundOrders', { params: params(memberId), query: {} }))
  return (
    <TableList
      query={query}
      caption={t('adminSearch.tab.fund')}
      words={[1, 2, 3]}
      head={(['id', 'product', 'status', 'created', 'units', 'value'] as const).map((name) =>
        t(`adminSearch.order.${name}`),
      )}
      row={(order) => ({
        key: order.order_id,
        cells: [
          `#${order.order_id}`,
          order.product_name,
          <Status key="status" value={order.status} text={t(`adminSearch.status.${order.status}`)} />,
          <UtcTime key="created" value={order.created_at} />,
          order.units,
          <Money key="value" amount={order.total} unit="USDT" />,
        ],
      })}
    />
  )
}

/** The member's reward records. */
export function RewardList({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('adminMemberRewards', { params: params(memberId), query: {} }))
  return (
    <TableList
      query={query}
      caption={t('adminSearch.tab.rewards')}
      words={[1]}
      head={(['type', 'day', 'value', 'coverage', 'usdt', 'amc'] as const).map((name) =>
        t(`adminSearch.reward.${name}`),
      )}
      row={(reward) => ({
        key: reward.reward_id,
        cells: [
          t(`rewards.type.${reward.type}`),
          reward.day,
          <Money key="value" amount={reward.value} unit="USDT" />,
          formatPpm(reward.coverage_ppm),
          formatAmount(reward.usdt),
          formatAmount(reward.amc),
        ],
      })}
    />
  )
}

/** The member's withdrawals. */
export function WithdrawalList({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('adminMemberWithdrawals', { params: params(memberId), query: {} }))
  return (
    <TableList
      query={query}
      caption={t('adminSearch.tab.withdrawals')}
      words={[1, 2, 4, 5]}
      head={(['id', 'status', 'created', 'amount', 'to', 'hash'] as const).map((name) =>
        t(`adminSearch.order.${name}`),
      )}
      row={(withdrawal) => ({
        key: withdrawal.withdraw_id,
        cells: [
          `#${withdrawal.withdraw_id}`,
          <Status
            key="status"
            value={withdrawal.status}
            text={t(`adminSearch.status.${withdrawal.status}`)}
          />,
          <UtcTime key="created" value={withdrawal.created_at} />,
          <Money key="amount" amount={withdrawal.amount} unit={withdrawal.asset} />,
          <Address key="to" value={withdrawal.address} />,
          hashCell(withdrawal.tx_hash),
        ],
      })}
    />
  )
}

/** The member's sign-ins. */
export function SessionList({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('adminMemberSessions', { params: params(memberId), query: {} }))
  return (
    <TableList
      query={query}
      caption={t('adminSearch.tab.sessions')}
      words={[1, 2, 3]}
      head={(['device', 'state', 'since', 'used'] as const).map((name) => t(`adminSearch.session.${name}`))}
      row={(session) => ({
        key: session.session_id,
        cells: [
          session.device ?? t('adminSearch.session.unknown'),
          <Pill key="state" tone={session.open ? 'good' : 'neutral'}>
            {t(
              session.open
                ? 'adminSearch.session.open'
                : session.revoked_at === null
                  ? 'adminSearch.session.over'
                  : 'adminSearch.session.revoked',
            )}
          </Pill>,
          <UtcTime key="since" value={session.created_at} />,
          <UtcTime key="used" value={session.last_used_at} />,
        ],
      })}
    />
  )
}
