import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiList, PageLink, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Button,
  buttonClass,
  Card,
  Columns,
  EmptyState,
  Icon,
  LinkRow,
  ListSkeleton,
  Loaded,
  Notice,
  Page,
  PriceChart,
  QrCode,
  Section,
  Sheet,
} from '../../../ui/index.ts'
import { useOwnAddress } from '../../../wallet/balances.ts'
import { Balances } from '../components/balances.tsx'
import { MoveRow } from '../components/move-row.tsx'

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

/** The last movements, with a way to all of them. */
function Latest() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('walletHistory', { query: {} }))
  const all = <PageLink to="/pages/localWallet/list">{t('localWallet.all')}</PageLink>
  return (
    <Section title={t('localWallet.history')} aside={all}>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={LATEST} joined />}
        retryLabel={t('error.tapToReload')}
      >
        {({ pages }) => {
          const moves = pages[0]?.items.slice(0, LATEST) ?? []
          if (moves.length === 0)
            return (
              <EmptyState
                icon="wallet"
                title={t('localWallet.empty')}
                hint={t('localWallet.emptyHint')}
                next={{ to: '/pages/shop/index', label: t('home.toShop') }}
              />
            )
          return (
            <Card className="divide-y divide-line py-1">
              {moves.map((move) => (
                <MoveRow key={move.id} move={move} />
              ))}
            </Card>
          )
        }}
      </Loaded>
    </Section>
  )
}
