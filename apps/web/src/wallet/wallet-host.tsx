import { lazy, Suspense, useEffect } from 'react'
import { useAppConfig } from '../lib/app-config.ts'
import { useStore } from '../lib/store.ts'
import { restoreWallet } from './connection.ts'
import { demoRequestStore } from './demo-wallet.ts'

const DemoConfirm = lazy(() => import('./demo-confirm.tsx'))

/** Takes up the wallet's connection when the app starts, and shows what the demo wallet asks. Stands once, beside the pages. */
export function WalletHost() {
  const config = useAppConfig()
  const request = useStore(demoRequestStore)
  useEffect(() => {
    if (config !== undefined) void restoreWallet(config).catch(() => undefined)
  }, [config])
  return <Suspense>{request !== null && <DemoConfirm request={request} />}</Suspense>
}
