import type { Activity, ActivityDetail, Order, RouteData } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import {
  apiQuery,
  formatAmount,
  formatPrice,
  formatTime,
  PageLink,
  useTranslation,
} from '../../../lib/index.ts'
import { buttonClass, Card, Fact, Facts, LinkRow, Section, type Step, Stepper } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { activityTarget } from '../activity-view.ts'
import { useActivityTitle } from './activity-row.tsx'

/** The data of the API about the cause of a transaction: the member's own order or withdrawal. */
export interface ActivityCause {
  readonly order: Order | undefined
  readonly withdrawal: RouteData<'withdrawal'> | undefined
}

/** Reads the order or withdrawal that caused a transaction, if it is the member's own. */
export function useCause({ cause, title }: Activity): ActivityCause {
  const isOrder = cause.type === 'order' && title !== null
  const order = useQuery({
    ...apiQuery('order', { params: { order_id: cause.id } }),
    enabled: isOrder,
  })
  const withdrawal = useQuery({
    ...apiQuery('withdrawal', { params: { withdraw_id: cause.id } }),
    enabled: cause.type === 'withdrawal',
  })
  return { order: order.data, withdrawal: withdrawal.data }
}

/** The history of a transaction: the steps of its order, earlier events, and the rewards that it paid. */
export function ActivityOrigin({ detail, cause }: { detail: ActivityDetail; cause: ActivityCause }) {
  const { t } = useTranslation()
  const titleOf = useActivityTitle()
  const steps: Step[] = [
    ...orderSteps(cause.order, t),
    ...detail.earlier.map((entry) => step(entry.activity_id, titleOf(entry), entry.at)),
    step('own', titleOf(detail), detail.at),
  ]
  return (
    <Section title={t('entry.from')}>
      <Card className="flex flex-col gap-4">
        <p className="text-14 text-muted">{t(`entry.why.${whyOf(detail)}`)}</p>
        <Stepper label={t('entry.from')} steps={steps} />
      </Card>
      {detail.rewards.length > 0 && (
        <Card className="divide-y divide-line py-1">
          {detail.rewards.map((reward) => (
            <LinkRow
              key={reward.reward_id}
              to="/pages/rewardList/detail"
              search={{ reward_id: reward.reward_id }}
              title={t(`rewards.type.${reward.type}`)}
              detail={t('entry.ofDue', { paid: formatAmount(reward.paid), due: formatAmount(reward.value) })}
            />
          ))}
        </Card>
      )}
    </Section>
  )
}

const step = (id: string, title: string, at: string): Step => ({
  id,
  title,
  state: 'done' as const,
  detail: formatTime(at) ?? '',
})

function orderSteps(order: Order | undefined, t: ReturnType<typeof useTranslation>['t']): Step[] {
  if (order === undefined) return []
  return [
    step('ordered', t('entry.ordered', { price: formatPrice(order.amc_price) }), order.created_at),
    ...(order.paid_at === null ? [] : [step('paid', t('entry.walletPaid'), order.paid_at)]),
    ...(order.collected_at === null ? [] : [step('final', t('entry.final'), order.collected_at)]),
  ]
}

/** Returns the kind of an origin, for each of which there is one sentence. */
export function whyOf({ kind, title, cause }: Activity) {
  if (kind.endsWith(':reversal')) return 'undone' as const
  if (cause.type === 'order' && title !== null) return 'order' as const
  if (kind === 'commission') return 'commission' as const
  if (['pairing', 'management', 'static', 'release'].includes(kind)) return 'settlement' as const
  if (cause.type === 'withdrawal' || kind === 'claim_set_aside') return 'withdrawal' as const
  if (kind.startsWith('savings')) return 'savings' as const
  if (kind.startsWith('fund')) return 'fund' as const
  if (kind.startsWith('transfer')) return 'transfer' as const
  return kind === 'grant' ? ('grant' as const) : ('other' as const)
}

/**
 * Shows the consequences of a transaction: later transactions with the same cause, and for a package its
 * rewards so far.
 */
export function ActivityResults({ detail, cause }: { detail: ActivityDetail; cause: ActivityCause }) {
  const { t } = useTranslation()
  const titleOf = useActivityTitle()
  const isPackage = detail.kind === 'order_payment' && cause.order !== undefined
  const packages = useQuery({ ...apiQuery('packages'), enabled: isPackage })
  const own = packages.data?.items.find(({ order_id }) => order_id === detail.cause.id)
  const target = activityTarget(detail)
  return (
    <Section title={t('entry.ledTo')}>
      <Card className="flex flex-col gap-3">
        {isPackage && own !== undefined && (
          <Facts>
            <Fact label={t('packages.static')}>
              {t('packages.ofAtMost', {
                paid: formatAmount(own.static_paid),
                most: formatAmount(own.ceiling),
              })}
            </Fact>
            <Fact label={t('packages.left')}>{formatAmount(own.ceiling_left)}</Fact>
          </Facts>
        )}
        {detail.later.map((entry) => (
          <LinkRow
            key={entry.activity_id}
            to="/pages/rewardList/activity"
            search={{ activity_id: entry.activity_id }}
            title={titleOf(entry)}
            detail={formatTime(entry.at) ?? ''}
          />
        ))}
        {detail.later.length === 0 && own === undefined && (
          <p className="text-14 text-muted">{t('entry.nothingYet')}</p>
        )}
        {target !== null && (
          <PageLink {...target} className={buttonClass('secondary', true)}>
            {t('entry.open')}
          </PageLink>
        )}
      </Card>
    </Section>
  )
}

/** The transaction on chain, where there is one. */
export function ChainTransaction({
  detail,
  cause: { order, withdrawal },
}: {
  detail: ActivityDetail
  cause: ActivityCause
}) {
  const { t } = useTranslation()
  const isPaid = detail.kind === 'withdrawal_paid'
  const hash =
    order?.tx_hash ??
    (isPaid ? withdrawal?.tx_hash : null) ??
    (TX_HASH.test(detail.cause.id) ? detail.cause.id : null)
  if (hash == null) return null
  return (
    <Section title={t('entry.transaction')}>
      <Card>
        <Facts>
          <Fact label={t('entry.network')}>Arbitrum One</Fact>
          <Fact label={t('entry.transaction')}>
            <TxHash value={hash} />
          </Fact>
          {order !== undefined && <Fact label={t('entry.order')}>O-{order.order_id}</Fact>}
        </Facts>
      </Card>
    </Section>
  )
}
const TX_HASH = /^0x[0-9a-f]{64}$/i
