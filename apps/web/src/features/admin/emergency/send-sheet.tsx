import type { AppConfig } from '@rif/api-schema'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  ApiError,
  readConfig,
  showModal,
  showToast,
  TransportError,
  useSession,
  useTranslation,
} from '../../../lib/index.ts'
import { Address, AddressFact, Button, Fact, Facts, Icon, Sheet, StopWaiting } from '../../../ui/index.ts'
import { walletErrorText } from '../../../wallet/provider.ts'

interface TransactionProps {
  title: string
  /** The effect of the transaction, in plain words. */
  does: string
  /** The bank contract that is called. */
  bank: string
  onClose: () => void
  /** Is called once it is sent, before the sheet closes. */
  onSent?: (() => void) | undefined
  /** The amount that leaves the wallet; nothing by default. */
  leaves?: ReactNode
  /** Further facts about the transaction. */
  children?: ReactNode
}

export interface CallSheetProps extends TransactionProps {
  /** The routes whose responses the transaction changes. */
  refresh: readonly string[]
  /** Makes the wallet send the transaction; false if it is not in a block yet. */
  send: (config: AppConfig) => Promise<boolean>
}

/** Explains a transaction of the signed-in wallet to a bank contract, then opens the wallet. */
export function CallSheet({ refresh, send, ...shown }: CallSheetProps) {
  const client = useQueryClient()
  const { tokenAddress } = useSession()
  return (
    <TransactionSheet
      {...shown}
      from={tokenAddress}
      send={async () => send(await readConfig(client))}
      onDone={() => Promise.all(refresh.map((route) => client.invalidateQueries({ queryKey: [route] })))}
    />
  )
}

interface TransactionSheetProps extends TransactionProps {
  /** The wallet that sends it. */
  from: string
  /** Makes the wallet send it; false if it is not in a block yet. */
  send: () => Promise<boolean>
  /** Is called after each attempt. */
  onDone: () => Promise<unknown>
}

/** Explains a transaction of a wallet to a bank contract, then opens the wallet. */
export function TransactionSheet(props: TransactionSheetProps) {
  const { title, does, bank, from, send, onDone, onClose, onSent, leaves, children } = props
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    try {
      const isDone = await send()
      showToast(t(isDone ? 'admin.emergency.inBlock' : 'admin.emergency.sent'), {
        tone: isDone ? 'good' : 'plain',
      })
      onSent?.()
      onClose()
    } catch (error) {
      // The API client has shown its own errors.
      if (error instanceof ApiError || error instanceof TransportError) return
      const content = walletErrorText(error)
      await showModal({ content, confirmText: t('common.ok'), showCancel: false })
    } finally {
      setBusy(false)
      await onDone()
    }
  }
  return (
    <Sheet open onClose={onClose} title={title}>
      <div className="flex flex-col gap-4">
        <section aria-label={t('preview.title')} className="flex flex-col gap-3 rounded-12 bg-sunken p-4">
          <h3 className="text-14 font-semibold">{t('preview.title')}</h3>
          <p className="text-14">{does}</p>
          <Facts>
            {leaves ?? <Fact label={t('preview.leaves')}>{t('preview.nothing')}</Fact>}
            <AddressFact label={t('admin.emergency.from')} value={from} copy={false} />
            {children}
            <Fact label={t('preview.contract')}>
              <span className="flex flex-col items-end">
                <span className="inline-flex items-center gap-1 font-medium text-good">
                  <Icon name="check" size={16} />
                  {t('preview.contract_bank')}
                </span>
                <Address value={bank} copy={false} />
              </span>
            </Fact>
            <Fact label={t('preview.cost')}>{t('preview.networkFee')}</Fact>
          </Facts>
          <p className="text-12 text-muted">{t('preview.compare')}</p>
        </section>
        <Button busy={busy} onClick={() => void start()}>
          {t('admin.emergency.send')}
        </Button>
        <StopWaiting />
      </div>
    </Sheet>
  )
}
