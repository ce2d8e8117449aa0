import type { ReactNode } from 'react'
import { useListRefresh, useTranslation } from '../lib/index.ts'
import {
  Card,
  CsvButton,
  EmptyState,
  type EmptyStateProps,
  InfiniteList,
  type InfiniteListProps,
  Page,
  Segmented,
} from '../ui/index.ts'

export interface OrderListProps<T, Status extends string>
  extends Pick<InfiniteListProps<T>, 'query' | 'keyOf' | 'render'> {
  route: 'orders' | 'withdrawals'
  statuses: readonly Status[]
  /** The chosen status; undefined for all. */
  status: Status | undefined
  statusText: (status: Status) => string
  onChoose: (status: Status | undefined) => void
  /** The next step of an empty list. */
  next: EmptyStateProps['next']
}

/** The list of orders or withdrawals by status, newest first. The chosen status is part of the page's address. */
export function OrderList<T, Status extends string>(props: OrderListProps<T, Status>) {
  const { t } = useTranslation()
  const { route, status, next } = props
  const texts = route === 'orders' ? 'shop.list' : 'withdrawals.list'
  const options: { value: Status | 'all'; label: string }[] = [
    { value: 'all', label: t('common.all') },
    ...props.statuses.map((value) => ({ value, label: props.statusText(value) })),
  ]
  return (
    <Page
      wide
      title={t(`${texts}.title`)}
      actions={<CsvButton name={route} query={status === undefined ? {} : { status }} />}
    >
      <Segmented
        label={t(`${texts}.filter`)}
        options={options}
        value={status ?? 'all'}
        onChange={(value) => props.onChoose(value === 'all' ? undefined : value)}
      />
      <InfiniteList
        query={props.query}
        onRefresh={useListRefresh(route)}
        label={t(`${texts}.title`)}
        keyOf={props.keyOf}
        render={(item): ReactNode => <Card className="py-2">{props.render(item)}</Card>}
        empty={
          <EmptyState
            icon={route === 'orders' ? 'orders' : 'withdraw'}
            title={t(status === undefined ? `${texts}.empty` : `${texts}.emptyFiltered`)}
            hint={t(`${texts}.emptyHint`)}
            {...(next && { next })}
          />
        }
      />
    </Page>
  )
}
