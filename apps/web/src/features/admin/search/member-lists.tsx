import {
  type AdminSession,
  type FundOrder,
  type Order,
  orderStatus,
  type Reward,
  type RouteInput,
  rewardType,
  type Withdrawal,
  withdrawalStatus,
} from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  apiList,
  formatAmount,
  formatDay,
  formatPpm,
  shortestAddress,
  type Translate,
  useTranslation,
} from '../../../lib/index.ts'
import { Address, Money, Pill } from '../../../ui/index.ts'
import { UtcTime, utcText } from '../components/utc-time.tsx'
import { useListFilters } from '../list/list-filters.ts'
import { MemberList } from './member-list.tsx'
import { MemberReward, NoStaticReward } from './member-reward.tsx'

const params = (memberId: string) => ({ member_id: memberId })

const STATUS_TONE = {
  Paid: 'good',
  Success: 'good',
  Processing: 'info',
  Withdrawable: 'info',
  Auditing: 'warn',
  Rejected: 'bad',
} as const

type Status = Order['status'] | FundOrder['status'] | Withdrawal['status']

function StatusPill({ status }: { status: Status }) {
  const { t } = useTranslation()
  const tone = STATUS_TONE[status as keyof typeof STATUS_TONE] ?? 'neutral'
  return <Pill tone={tone}>{t(`adminSearch.status.${status}`)}</Pill>
}

const muted = (text: string | null) => <span className="text-12 text-muted">{text}</span>
const all = (t: Translate) => ['', t('desk.filter.all')] as const
const isNone = (hash: string | null) => (hash === null ? null : <Address value={hash} />)

/** The member's package orders. */
export function MemberOrderList({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const filters = useListFilters<RouteInput<'adminMemberOrders'>['query']>('member orders', [
    {
      name: 'status',
      label: t('adminSearch.order.status'),
      as: 'tabs',
      options: [
        all(t),
        ...orderStatus.options.map((option) => [option, t(`adminSearch.status.${option}`)] as const),
      ],
    },
  ])
  const query = useInfiniteQuery(
    apiList('adminMemberOrders', { params: params(memberId), query: filters.query }),
  )
  const nameOf = (order: Order) => t('adminSearch.orderOf', { id: order.order_id })
  return (
    <MemberList<Order>
      label={t('adminSearch.tab.orders')}
      query={query}
      filters={filters}
      shape={{
        keyOf: ({ order_id: id }) => id,
        nameOf,
        columns: [
          { key: 'id', head: t('adminSearch.order.id'), cell: ({ order_id: id }) => `#${id}` },
          { key: 'package', head: t('adminSearch.order.package'), cell: (order) => order.product_name },
          {
            key: 'status',
            head: t('adminSearch.order.status'),
            cell: ({ status }) => <StatusPill status={status} />,
          },
          {
            key: 'due',
            head: t('adminSearch.order.due'),
            isFigure: true,
            cell: ({ quote }) => `${formatAmount(quote.due)} USDT`,
          },
          {
            key: 'created',
            head: t('adminSearch.order.created'),
            isFigure: true,
            cell: (order) => muted(utcText(order.created_at)),
          },
        ],
        line: (order) => ({
          title: `${formatAmount(order.quote.due)} USDT`,
          aside: utcText(order.created_at),
          text: `${nameOf(order)} · ${order.product_name}`,
          tags: <StatusPill status={order.status} />,
        }),
      }}
      facts={(order) => [
        [t('adminSearch.order.package'), order.product_name],
        [t('adminSearch.order.status'), <StatusPill key="status" status={order.status} />],
        [t('adminSearch.order.due'), <Money key="due" amount={order.quote.due} unit="USDT" exact />],
        [t('adminSearch.order.created'), <UtcTime key="created" value={order.created_at} />],
        [t('adminSearch.order.hash'), isNone(order.tx_hash)],
      ]}
    />
  )
}

/** The member's fund purchases. */
export function FundList({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('adminMemberFundOrders', { params: params(memberId), query: {} }))
  const nameOf = (order: FundOrder) => t('adminSearch.orderOf', { id: order.order_id })
  return (
    <MemberList<FundOrder>
      label={t('adminSearch.tab.fund')}
      query={query}
      shape={{
        keyOf: ({ order_id: id }) => id,
        nameOf,
        columns: [
          { key: 'id', head: t('adminSearch.order.id'), cell: ({ order_id: id }) => `#${id}` },
          { key: 'product', head: t('adminSearch.order.product'), cell: (order) => order.product_name },
          {
            key: 'status',
            head: t('adminSearch.order.status'),
            cell: ({ status }) => <StatusPill status={status} />,
          },
          { key: 'units', head: t('adminSearch.order.units'), isFigure: true, cell: ({ units }) => units },
          {
            key: 'value',
            head: t('adminSearch.order.value'),
            isFigure: true,
            cell: ({ total }) => `${formatAmount(total)} USDT`,
          },
          {
            key: 'created',
            head: t('adminSearch.order.created'),
            isFigure: true,
            cell: (order) => muted(utcText(order.created_at)),
          },
        ],
        line: (order) => ({
          title: `${formatAmount(order.total)} USDT`,
          aside: utcText(order.created_at),
          text: `${nameOf(order)} · ${order.product_name}`,
          tags: <StatusPill status={order.status} />,
        }),
      }}
      facts={(order) => [
        [t('adminSearch.order.product'), order.product_name],
        [t('adminSearch.order.status'), <StatusPill key="status" status={order.status} />],
        [t('adminSearch.order.units'), order.units],
        [t('adminSearch.order.value'), <Money key="value" amount={order.total} unit="USDT" exact />],
        [t('adminSearch.order.created'), <UtcTime key="created" value={order.created_at} />],
      ]}
    />
  )
}

/** The member's reward records, each with the explanation that the member sees. */
export function RewardList({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const filters = useListFilters<RouteInput<'adminMemberRewards'>['query']>('member rewards', [
    {
      name: 'type',
      label: t('adminSearch.reward.type'),
      as: 'tabs',
      options: [
        all(t),
        ...rewardType.options.map((option) => [option, t(`rewards.type.${option}`)] as const),
      ],
    },
  ])
  const query = useInfiniteQuery(
    apiList('adminMemberRewards', { params: params(memberId), query: filters.query }),
  )
  const noStatic = query.data?.pages[0]?.no_static ?? undefined
  const nameOf = ({ type, day }: Reward) => `${t(`rewards.type.${type}`)}, ${formatDay(day)}`
  return (
    <MemberList<Reward>
      label={t('adminSearch.tab.rewards')}
      query={query}
      filters={filters}
      shape={{
        keyOf: ({ reward_id: id }) => id,
        nameOf,
        columns: [
          { key: 'type', head: t('adminSearch.reward.type'), cell: ({ type }) => t(`rewards.type.${type}`) },
          { key: 'day', head: t('adminSearch.reward.day'), cell: ({ day }) => formatDay(day) },
          {
            key: 'value',
            head: t('adminSearch.reward.value'),
            isFigure: true,
            cell: ({ value }) => `${formatAmount(value)} USDT`,
          },
          {
            key: 'coverage',
            head: t('adminSearch.reward.coverage'),
            isFigure: true,
            cell: (reward) => formatPpm(reward.coverage_ppm),
          },
          {
            key: 'usdt',
            head: t('adminSearch.reward.usdt'),
            isFigure: true,
            cell: ({ usdt }) => formatAmount(usdt),
          },
          {
            key: 'amc',
            head: t('adminSearch.reward.amc'),
            isFigure: true,
            cell: ({ amc }) => formatAmount(amc),
          },
        ],
        line: (reward) => ({
          title: `${formatAmount(reward.value)} USDT`,
          aside: formatDay(reward.day),
          text: `${t(`rewards.type.${reward.type}`)} · ${formatPpm(reward.coverage_ppm)}`,
        }),
      }}
      facts={(reward) => [
        [t('adminSearch.reward.day'), formatDay(reward.day)],
        [t('adminSearch.order.created'), <UtcTime key="created" value={reward.created_at} />],
      ]}
      empty={noStatic && <NoStaticReward why={noStatic} />}
      step={({ reward_id: id }) => <MemberReward key={id} memberId={memberId} rewardId={id} />}
    />
  )
}

/** The member's withdrawals. */
export function WithdrawalList({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const filters = useListFilters<RouteInput<'adminMemberWithdrawals'>['query']>('member withdrawals', [
    {
      name: 'status',
      label: t('adminSearch.order.status'),
      as: 'tabs',
      options: [
        all(t),
        ...withdrawalStatus.options.map((option) => [option, t(`adminSearch.status.${option}`)] as const),
      ],
    },
  ])
  const query = useInfiniteQuery(
    apiList('adminMemberWithdrawals', { params: params(memberId), query: filters.query }),
  )
  const nameOf = ({ withdraw_id: id }: Withdrawal) => t('admin.brief.departure', { is: 'withdrawal', id })
  return (
    <MemberList<Withdrawal>
      label={t('adminSearch.tab.withdrawals')}
      query={query}
      filters={filters}
      shape={{
        keyOf: ({ withdraw_id: id }) => id,
        nameOf,
        columns: [
          { key: 'id', head: t('adminSearch.order.id'), cell: ({ withdraw_id: id }) => `W-${id}` },
          {
            key: 'status',
            head: t('adminSearch.order.status'),
            cell: ({ status }) => <StatusPill status={status} />,
          },
          {
            key: 'amount',
            head: t('adminSearch.order.amount'),
            isFigure: true,
            cell: ({ amount, asset }) => `${formatAmount(amount)} ${asset}`,
          },
          {
            key: 'to',
            head: t('adminSearch.order.to'),
            cell: ({ address }) => muted(shortestAddress(address)),
          },
          {
            key: 'created',
            head: t('adminSearch.order.created'),
            isFigure: true,
            cell: (withdrawal) => muted(utcText(withdrawal.created_at)),
          },
        ],
        line: (withdrawal) => ({
          title: `${formatAmount(withdrawal.amount)} ${withdrawal.asset}`,
          aside: utcText(withdrawal.created_at),
          text: `${nameOf(withdrawal)} · ${shortestAddress(withdrawal.address)}`,
          tags: <StatusPill status={withdrawal.status} />,
        }),
      }}
      facts={(withdrawal) => [
        [t('adminSearch.order.status'), <StatusPill key="status" status={withdrawal.status} />],
        [
          t('adminSearch.order.amount'),
          <Money key="amount" amount={withdrawal.amount} unit={withdrawal.asset} exact />,
        ],
        [t('adminSearch.order.to'), <Address key="to" value={withdrawal.address} form="full" />],
        [t('adminSearch.order.created'), <UtcTime key="created" value={withdrawal.created_at} />],
        [t('adminSearch.order.hash'), isNone(withdrawal.tx_hash)],
      ]}
    />
  )
}

/** The member's sign-ins. */
export function SessionList({ memberId }: { memberId: string }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('adminMemberSessions', { params: params(memberId), query: {} }))
  const nameOf = ({ device }: AdminSession) => device ?? t('adminSearch.session.unknown')
  const state = ({ open, revoked_at: revokedAt }: AdminSession) => (
    <Pill tone={open ? 'good' : 'neutral'}>
      {t(`adminSearch.session.${open ? 'open' : revokedAt === null ? 'over' : 'revoked'}`)}
    </Pill>
  )
  return (
    <MemberList<AdminSession>
      label={t('adminSearch.tab.sessions')}
      query={query}
      shape={{
        keyOf: ({ session_id: id }) => id,
        nameOf,
        columns: [
          { key: 'device', head: t('adminSearch.session.device'), cell: nameOf },
          { key: 'state', head: t('adminSearch.session.state'), cell: state },
          {
            key: 'since',
            head: t('adminSearch.session.since'),
            isFigure: true,
            cell: (session) => muted(utcText(session.created_at)),
          },
          {
            key: 'used',
            head: t('adminSearch.session.used'),
            isFigure: true,
            cell: (session) => muted(utcText(session.last_used_at)),
          },
        ],
        line: (session) => ({
          title: nameOf(session),
          aside: utcText(session.last_used_at),
          tags: state(session),
        }),
      }}
      facts={(session) => [
        [t('adminSearch.session.state'), state(session)],
        [t('adminSearch.session.since'), <UtcTime key="since" value={session.created_at} />],
        [t('adminSearch.session.used'), <UtcTime key="used" value={session.last_used_at} />],
      ]}
    />
  )
}
