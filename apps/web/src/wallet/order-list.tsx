import type { ReactNode } from 'react'
import { useListRefresh, useTranslation } from '../lib/index.ts'
import {
  CsvButton,
  EmptyState,
  type EmptyStateProps,
  ListColumns,
  Page,
  Segmented,
  TableList,
  type TableListProps,
} from '../ui/index.ts'

export interface OrderListProps<T, Status extends string>
  extends Pick<TableListProps<T>, 'query' | 'keyOf' | 'render' | 'columns' | 'line'> {
  route: 'orders' | 'withdrawals'
  statuses: readonly Status[]
  /** The chosen status; undefined for all. */
  status: Status | undefined
  statusText: (status: Status) => string
  onChoose: (status: Status | undefined) => void
  /** The next step of an empty list. */
  next: EmptyStateProps['next']
  /** Beside the table from 1280 px on. */
  side: ReactNode
  /** Above the table. */
  notice?: ReactNode
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
      {props.notice}
      <ListColumns side={props.side}>
        <TableList
          query={props.query}
          onRefresh={useListRefresh(route)}
          label={t(`${texts}.title`)}
          keyOf={props.keyOf}
          columns={props.columns}
          line={props.line}
          render={props.render}
          empty={
            <EmptyState
              icon={route === 'orders' ? 'orders' : 'withdraw'}
              title={t(status === undefined ? `${texts}.empty` : `${texts}.emptyFiltered`)}
              hint={t(`${texts}.emptyHint`)}
              {...(next && { next })}
            />
          }
        />
      </ListColumns>
    </Page>
  )
}
