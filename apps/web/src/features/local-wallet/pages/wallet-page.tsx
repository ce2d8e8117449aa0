import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiList, PageLink, useAppConfig, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Avatar,
  Button,
  buttonClass,
  Card,
  Columns,
  EmptyState,
  ErrorState,
  Icon,
  LinkRow,
  ListSkeleton,
  Loaded,
  Money,
  Notice,
  Page,
  PriceChart,
  QrCode,
  Section,
  Sheet,
  Skeleton,
  TokenMark,
} from '../../../ui/index.ts'
import { useBalances, useOwnAddress } from '../../../wallet/balances.ts'
import { MoveRow } from '../components/move-row.tsx'

const ASSETS = ['USDT', 'AMC', 'ETH'] as const
const LATEST = 3

/** The balances of the member's wallet on chain, and the actions on them. */
export default function WalletPage() {
  const { t } = useTranslation()
  const [receiving, setReceiving] = useState(false)
  const owner = useOwnAddress()
  return (
    <Page wide title={t('localWallet.title')}>
      <Columns
        side={
          <>
            <Card className="py-1">
              <LinkRow
                to="/pages/localWallet/withdrawal"
                icon="withdraw"
                title={t('localWallet.bring')}
                detail={t('localWallet.bringHint')}
              />
            </Card>
            <Notice>{t('localWallet.about')}</Notice>
            <PriceChart asset="AMC" />
          </>
        }
      >
        <Balances />
        <div className="grid grid-cols-2 gap-3">
          <PageLink to="/pages/localWallet/transaction" className={buttonClass('primary', true)}>
            <Icon name="send" size={20} />
            {t('localWallet.send')}
          </PageLink>
          <Button variant="secondary" block icon="qr" onClick={() => setReceiving(true)}>
            {t('localWallet.receive')}
          </Button>
        </div>
        <Latest />
      </Columns>
      <Sheet
        open={receiving}
        onClose={() => setReceiving(false)}
        title={t('localWallet.receive')}
        description={t('localWallet.receiveHint')}
      >
        <div className="flex flex-col items-center gap-4 pt-2">
          <QrCode text={owner} label={t('localWallet.qr')} />
          <Address value={owner} form="full" className="text-14" />
        </div>
      </Sheet>
    </Page>
  )
}

function Balances() {
  const { t } = useTranslation()
  const balances = useBalances()
  const owner = useOwnAddress()
  const network = useAppConfig()?.chain.name
  return (
    <Card className="flex flex-col gap-2">
      <span className="flex items-center gap-3">
        <Avatar address={owner} size={28} />
        <span className="min-w-0 text-14 text-muted">
          <Address value={owner} />
          {network !== undefined && <span className="block">{network}</span>}
        </span>
      </span>
      {balances.data === undefined && balances.isError && (
        <ErrorState text={t('localWallet.unread')} onRetry={() => void balances.refetch()} />
      )}
      {balances.data === undefined && !balances.isError && <Skeleton className="h-48" />}
      {balances.data !== undefined && (
        <ul className="divide-y divide-line">
          {ASSETS.map((asset) => (
            <li key={asset} className="flex min-h-16 items-center gap-3">
              <TokenMark token={asset} />
              <span className="flex-1 text-16 font-medium">{asset}</span>
              <Money
                amount={balances.data[asset]}
                unit={asset}
                className="font-display text-20 font-semibold"
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** The last movements, with a way to all of them. */
function Latest() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('walletHistory', { query: {} }))
  const all = <PageLink to="/pages/localWallet/list">{t('localWallet.all')}</PageLink>
  return (
    <Section title={t('localWallet.history')} aside={all}>
      <Loaded query={query} skeleton={<ListSkeleton rows={LATEST} />} retryLabel={t('error.tapToReload')}>
        {({ pages }) => {
          const moves = pages[0]?.items.slice(0, LATEST) ?? []
          if (moves.length === 0)
            return (
              <EmptyState icon="wallet" title={t('localWallet.empty')} hint={t('localWallet.emptyHint')} />
            )
          return moves.map((move) => <MoveRow key={move.id} move={move} />)
        }}
      </Loaded>
    </Section>
  )
}
