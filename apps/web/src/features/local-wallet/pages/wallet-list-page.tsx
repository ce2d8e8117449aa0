import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiList, redirectTo, useTranslation } from '../../../lib/index.ts'
import { EmptyState, InfiniteList, Notice, Page, Segmented } from '../../../ui/index.ts'
import { MoveRow } from '../components/move-row.tsx'

const PATH = '/pages/localWallet/list'
const DIRECTIONS = ['in', 'out'] as const
const ASSETS = ['ETH', 'USDT', 'AMC'] as const

/** The movements of the member's wallet, newest first, each with its state. The filters are part of the address. */
export default function WalletListPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: PATH })
  const query = useInfiniteQuery(apiList('walletHistory', { query: search }))
  const all = { value: 'all' as const, label: t('common.all') }
  const isFiltered = Object.keys(search).length > 0
  return (
    <Page title={t('localWallet.history')}>
      <Notice>{t('localWallet.scope')}</Notice>
      <div className="flex flex-wrap gap-2">
        <Segmented
          label={t('localWallet.direction')}
          options={[all, ...DIRECTIONS.map((value) => ({ value, label: t(`localWallet.${value}`) }))]}
          value={search.direction ?? 'all'}
          onChange={(value) =>
            redirectTo(PATH, { ...search, direction: value === 'all' ? undefined : value })
          }
        />
        <Segmented
          label={t('localWallet.asset')}
          options={[all, ...ASSETS.map((value) => ({ value, label: value }))]}
          value={search.asset ?? 'all'}
          onChange={(value) => redirectTo(PATH, { ...search, asset: value === 'all' ? undefined : value })}
        />
      </div>
      <InfiniteList
        query={query}
        label={t('localWallet.history')}
        keyOf={(move) => move.id}
        render={(move) => <MoveRow move={move} />}
        empty={
          <EmptyState
            icon="wallet"
            title={isFiltered ? t('localWallet.emptyFiltered') : t('localWallet.empty')}
            hint={t('localWallet.emptyHint')}
            next={{ to: '/pages/localWallet/transaction', label: t('localWallet.send') }}
          />
        }
      />
    </Page>
  )
}
