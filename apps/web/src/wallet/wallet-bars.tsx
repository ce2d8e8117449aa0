import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useAppConfig, useSession, useTranslation } from '../lib/index.ts'
import { Button, Icon, Sheet, Spinner } from '../ui/index.ts'
import { returningStore, returnToChain, wrongChainStore } from './connection.ts'
import { isUnderWay, TransactionList, useTransactions } from './transactions.tsx'

// Prompted once for each version.
const TermsPrompt = lazy(() => import('./terms/terms-prompt.tsx'))

/** Bars above every page while they apply: the wallet is on another chain, or transactions are pending. */
export default function WalletBars() {
  const { member } = useSession()
  return (
    <>
      <ChainBar />
      {member && <TransactionsBar />}
      <Suspense>
        <TermsPrompt />
      </Suspense>
    </>
  )
}

function ChainBar() {
  const { t } = useTranslation()
  const config = useAppConfig()
  const isWrong = useStore(wrongChainStore)
  const busy = useStore(returningStore)
  if (!isWrong || config === undefined) return null
  const change = () => returnToChain(config).catch(() => undefined)
  return (
    <div role="alert" className="bg-warn-soft">
      <div className="column flex items-center gap-3 px-4 py-2 text-14">
        <Icon name="warn" size={20} className="text-warn" />
        <span className="min-w-0 flex-1">{t('wallet.wrongChain', { chain: config.chain.name })}</span>
        <Button busy={busy} onClick={() => void change()}>
          {t('wallet.changeChain')}
        </Button>
      </div>
    </div>
  )
}

/** Shows the number of pending transactions; a tap opens the drawer that tracks them. */
function TransactionsBar() {
  const { t } = useTranslation()
  const items = useTransactions().data?.items ?? []
  const [open, setOpen] = useState(false)
  // A link inside the drawer leads to another page.
  const path = useLocation({ select: (location) => location.href })
  // biome-ignore lint/correctness/useExhaustiveDependencies: closed by the change of page itself
  useEffect(() => setOpen(false), [path])
  const count = items.filter(isUnderWay).length
  if (count === 0 && !open) return null
  return (
    <>
      <button
        type="button"
        className="block min-h-11 w-full bg-accent-soft text-14 font-medium text-accent"
        onClick={() => setOpen(true)}
      >
        <span className="column flex items-center gap-3 px-4 py-2">
          {count > 0 && <Spinner size={16} />}
          <span className="min-w-0 flex-1 text-left">{t('transactions.underWay', { count })}</span>
          <Icon name="down" size={16} />
        </span>
      </button>
      <Sheet
        open={open}
        onClose={() => setOpen(false)}
        title={t('transactions.title')}
        description={t('transactions.about')}
      >
        <TransactionList items={items} />
      </Sheet>
    </>
  )
}
