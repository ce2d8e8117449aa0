import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiList, formatTime, PageLink, redirectTo, useTranslation } from '../../../lib/index.ts'
import {
  buttonClass,
  EmptyState,
  FilterChoice,
  ListColumns,
  NavLink,
  NothingFiltered,
  Notice,
  Page,
  TableList,
} from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { Balances } from '../components/balances.tsx'
import { MoveAmounts, MoveRow, MoveState, useOtherEnd } from '../components/move-row.tsx'

const PATH = '/pages/localWallet/list'
const DIRECTIONS = ['in', 'out'] as const
const ASSETS = ['ETH', 'USDT', 'AMC'] as const

/** The movements of the member's wallet, newest first, each with its state. The filters are part of the address. */
export default function WalletListPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: PATH })
  const query = useInfiniteQuery(apiList('walletHistory', { query: search }))
  const otherEnd = useOtherEnd()
  const isFiltered = Object.keys(search).length > 0
  const isEmpty = !isFiltered && query.data?.pages[0]?.items.length === 0
  return (
    <Page
      wide
      title={t('localWallet.history')}
      actions={
        <span className="xl:hidden">
          <NavLink to="/pages/localWallet/transaction">{t('localWallet.send')}</NavLink>
        </span>
      }
    >
      {!isEmpty && <Filters />}
      <ListColumns
        side={
          <>
            <PageLink to="/pages/localWallet/transaction" className={buttonClass('primary', true)}>
              {t('localWallet.send')}
            </PageLink>
            <Balances />
            <Notice>{t('localWallet.scope')}</Notice>
          </>
        }
      >
        <TableList
          query={query}
          label={t('localWallet.history')}
          keyOf={(move) => move.id}
          columns={[
            {
              name: t('localWallet.what'),
              cell: ({ kind }) => <span className="font-medium">{t(`localWallet.kind.${kind}`)}</span>,
            },
            { name: t('localWallet.with'), cell: otherEnd },
            {
              name: t('localWallet.hash'),
              width: '1.4fr',
              cell: (move) =>
                move.first_hash === null ? <TxHash value={move.tx_hash} /> : <MoveState move={move} />,
            },
            {
              name: t('localWallet.time'),
              cell: ({ at }) => <span className="text-muted">{formatTime(at)}</span>,
            },
            {
              name: t('localWallet.amount'),
              width: '1.2fr',
              end: true,
              cell: (move) => <MoveAmounts move={move} />,
            },
          ]}
          line={({ first_hash }, look, cells) =>
            first_hash === null ? (
              <div className={look}>{cells}</div>
            ) : (
              <PageLink to="/pages/localWallet/result" search={{ tx_hash: first_hash }} className={look}>
                {cells}
              </PageLink>
            )
          }
          render={(move) => <MoveRow move={move} />}
          empty={<NoMoves isFiltered={isFiltered} />}
        />
      </ListColumns>
    </Page>
  )
}

function Filters() {
  const { t } = useTranslation()
  const search = useSearch({ from: PATH })
  return (
    <div className="flex flex-wrap gap-x-8">
      <FilterChoice
        label={t('localWallet.direction')}
        options={DIRECTIONS.map((value) => [value, t(`localWallet.${value}`)] as const)}
        value={search.direction}
        onChange={(direction) => redirectTo(PATH, { ...search, direction })}
      />
      <FilterChoice
        label={t('localWallet.asset')}
        options={ASSETS.map((value) => [value, value] as const)}
        value={search.asset}
        onChange={(asset) => redirectTo(PATH, { ...search, asset })}
      />
    </div>
  )
}

function NoMoves({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation()
  if (isFiltered)
    return <NothingFiltered title={t('localWallet.emptyFiltered')} onShowAll={() => redirectTo(PATH, {})} />
  return (
    <EmptyState
      icon="wallet"
      title={t('localWallet.empty')}
      hint={t('localWallet.scope')}
      next={{ to: '/pages/localWallet/transaction', label: t('localWallet.send') }}
    />
  )
}
