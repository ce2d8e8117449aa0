import type { FoundAddress, FoundOrder, RouteData } from '@rif/api-schema'
import {
  formatOwn,
  formatTime,
  PageLink,
  shortAddress,
  TWO_DECIMALS,
  useIsWidest,
  useTranslation,
} from '../../../lib/index.ts'
import { Avatar, Card, LinkRow, MoneyText, Section, TokenMark } from '../../../ui/index.ts'
import { ActivityRow } from '../components/activity-row.tsx'

interface OwnResultsProps {
  text: string
  results: RouteData<'memberSearch'>
}

/** The results in the member's books and address book, by groups; each group links to its complete list. */
export function OwnResults({ text, results: { activity, orders, addresses } }: OwnResultsProps) {
  const { t } = useTranslation()
  const isWidest = useIsWidest()
  const q = text.slice(0, 60)
  return (
    <>
      {activity.items.length > 0 && (
        <Section
          title={t('search.group.activity')}
          aside={
            activity.more && (
              <PageLink to="/pages/rewardList/index" search={{ q }}>
                {t('common.all')}
              </PageLink>
            )
          }
        >
          <Card className="divide-y divide-line py-1">
            {activity.items.map((entry) => (
              <ActivityRow key={entry.activity_id} activity={entry} hasColumns={isWidest} />
            ))}
          </Card>
        </Section>
      )}
      {orders.items.length > 0 && (
        <Section
          title={t('search.group.orders')}
          aside={orders.more && <PageLink to="/pages/shop/orderList">{t('common.all')}</PageLink>}
        >
          <Card className="divide-y divide-line py-1">
            {orders.items.map((order) => (
              <OrderResult key={`${order.kind} ${order.order_id}`} order={order} />
            ))}
          </Card>
        </Section>
      )}
      {addresses.items.length > 0 && (
        <Section
          title={t('search.group.addresses')}
          aside={
            addresses.more && (
              <PageLink to="/pages/index/team_user" search={{ q }}>
                {t('search.allTeam')}
              </PageLink>
            )
          }
        >
          <Card className="divide-y divide-line py-1">
            {addresses.items.map((entry) => (
              <AddressResult key={entry.address} entry={entry} />
            ))}
          </Card>
        </Section>
      )}
    </>
  )
}

function OrderResult({ order }: { order: FoundOrder }) {
  const { t } = useTranslation()
  const { kind, order_id, name, amount, at } = order
  const status =
    order.kind === 'package' ? t(`shop.status.${order.status}`) : t(`fund.status.${order.status}`)
  const row = {
    mark: <TokenMark token={kind} />,
    title: name,
    detail: `#${order_id} · ${formatTime(at) ?? ''}`,
    end: (
      <span className="flex flex-col items-end text-right">
        <MoneyText amount={formatOwn(amount, TWO_DECIMALS)} unit="USDT" className="text-16 font-medium" />
        <span className="text-12 text-muted">{status}</span>
      </span>
    ),
  }
  return kind === 'package' ? (
    <LinkRow to="/pages/shop/shopOrderDetail" search={{ order_id }} {...row} />
  ) : (
    <LinkRow to="/pages/found/order_detail" search={{ order_id }} {...row} />
  )
}

/** Links a member of the team to its place in the tree, and any other address to the address book. */
function AddressResult({ entry: { address, name, note, member_id } }: { entry: FoundAddress }) {
  const short = shortAddress(address)
  const row = {
    mark: <Avatar address={address} />,
    title: name ?? short,
    detail: (
      <>
        {name !== null && <span className="block">{short}</span>}
        {note !== null && <span className="block truncate">{note}</span>}
      </>
    ),
  }
  return member_id === null ? (
    <LinkRow to="/pages/my/addresses" search={{ q: address }} {...row} />
  ) : (
    <LinkRow to="/pages/my/invite/inviteTree" search={{ member: member_id }} {...row} />
  )
}
