import { useQuery } from '@tanstack/react-query'
import { useAppConfig, useTranslation } from '../../../lib/index.ts'
import { ErrorState, ListSkeleton, Notice, Page } from '../../../ui/index.ts'
import { SendForm } from '../components/send-form.tsx'
import { readIntent } from '../send-intent.ts'
import { useBalances, useOwnAddress } from '../use-wallet.ts'

/** Send from the own wallet, on chain. */
export default function SendPage() {
  const { t } = useTranslation()
  const config = useAppConfig()
  const owner = useOwnAddress()
  const balances = useBalances()
  // A send of which this browser never heard the end: told on, or warned of, before another is begun.
  const open = useQuery({
    queryKey: ['walletIntent'],
    enabled: config !== undefined && readIntent() !== null,
    queryFn: async () => {
      const { mayHaveSent, tellIntent } = await import('../send-run.ts')
      await tellIntent()
      return mayHaveSent(config!)
    },
  })
  return (
    <Page title={t('localWallet.send')}>
      {open.data === true && <Notice tone="warn">{t('localWallet.maybeSent')}</Notice>}
      {balances.data === undefined && balances.isError && (
        <ErrorState text={t('localWallet.unread')} onRetry={() => void balances.refetch()} />
      )}
      {balances.data === undefined && !balances.isError && <ListSkeleton rows={4} />}
      {balances.data !== undefined && config !== undefined && (
        <SendForm config={config} owner={owner} balances={balances.data} />
      )}
    </Page>
  )
}
