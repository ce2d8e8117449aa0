import type { Transfer, TransferDirection } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import {
  apiList,
  formatTime,
  PageLink,
  redirectTo,
  shortestAddress,
  useTranslation,
} from '../../../lib/index.ts'
import {
  buttonClass,
  CsvButton,
  EmptyState,
  FilterChoice,
  IconCircle,
  ListColumns,
  Money,
  NavLink,
  NothingFiltered,
  Notice,
  Page,
  TableList,
} from '../../../ui/index.ts'
import { LimitNow } from '../../../wallet/limit-card.tsx'
import { signedAmount, TransferRow, TransferState } from '../components/transfer-row.tsx'
import { TransferSheet } from '../components/transfer-sheet.tsx'

const PATH = '/pages/transfer/list'
const DIRECTIONS = ['in', 'out'] as const satisfies readonly TransferDirection[]
const ASSETS = ['USDT', 'AMC'] as const

/** The transfers from and to other members, newest first. The filters are part of the address. */
export default function TransferListPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: PATH })
  const [opened, setOpened] = useState<Transfer | null>(null)
  const query = useInfiniteQuery(apiList('transfers', { query: search }))
  const isFiltered = Object.keys(search).length > 0
  const isEmpty = !isFiltered && query.data?.pages[0]?.items.length === 0
  return (
    <Page
      wide
      title={t('transfers.list.title')}
      actions={
        <>
          <CsvButton name="transfers" query={search} />
          <span className="xl:hidden">
            <NavLink to="/pages/transfer/index">{t('transfers.list.send')}</NavLink>
          </span>
        </>
      }
    >
      {!isEmpty && <Filters />}
      <ListColumns
        side={
          <>
            <PageLink to="/pages/transfer/index" className={buttonClass('primary', true)}>
              {t('transfers.list.send')}
            </PageLink>
            <LimitNow />
            <Notice>{t('transfers.about')}</Notice>
          </>
        }
      >
        <TableList
          query={query}
          label={t('transfers.list.title')}
          keyOf={(transfer) => transfer.transfer_id}
          columns={[
            {
              name: t('transfers.list.direction'),
              width: '1.2fr',
              cell: ({ direction }) => (
                <span className="flex items-center gap-3 font-medium">
                  <IconCircle icon={direction === 'in' ? 'receive' : 'send'} />
                  {t(`transfers.list.${direction}`)}
                </span>
              ),
            },
            {
              name: t('transfers.list.member'),
              cell: ({ label, counterpart }) => label ?? shortestAddress(counterpart),
            },
            {
              name: t('transfers.list.status'),
              width: '0.8fr',
              cell: ({ status }) => <TransferState status={status} />,
            },
            {
              name: t('transfers.list.time'),
              width: '1.2fr',
              cell: ({ created_at }) => (
                <span className="whitespace-nowrap text-muted">{formatTime(created_at)}</span>
              ),
            },
            {
              name: t('transfers.amount'),
              width: '1.1fr',
              end: true,
              cell: (transfer) => (
                <Money
                  amount={signedAmount(transfer)}
                  unit={transfer.asset}
                  signed
                  exact
                  className="font-medium"
                />
              ),
            },
          ]}
          line={(transfer, look, cells) => (
            <button type="button" className={look} onClick={() => setOpened(transfer)}>
              {cells}
            </button>
          )}
          render={(transfer) => <TransferRow transfer={transfer} onOpen={setOpened} />}
          empty={<NoTransfers isFiltered={isFiltered} />}
        />
      </ListColumns>
      {opened !== null && <TransferSheet transfer={opened} onClose={() => setOpened(null)} />}
    </Page>
  )
}

function Filters() {
  const { t } = useTranslation()
  const search = useSearch({ from: PATH })
  return (
    <div className="flex flex-wrap gap-x-8">
      <FilterChoice
        label={t('transfers.list.direction')}
        options={DIRECTIONS.map((value) => [value, t(`transfers.list.${value}`)] as const)}
        value={search.direction}
        onChange={(direction) => redirectTo(PATH, { ...search, direction })}
      />
      <FilterChoice
        label={t('transfers.asset')}
        options={ASSETS.map((value) => [value, value] as const)}
        value={search.asset}
        onChange={(asset) => redirectTo(PATH, { ...search, asset })}
      />
    </div>
  )
}

function NoTransfers({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation()
  if (isFiltered)
    return (
      <NothingFiltered title={t('transfers.list.emptyFiltered')} onShowAll={() => redirectTo(PATH, {})} />
    )
  return (
    <EmptyState
      icon="send"
      title={t('transfers.list.empty')}
      hint={t('transfers.list.emptyHint')}
      next={{ to: '/pages/transfer/index', label: t('transfers.list.send') }}
    />
  )
}
