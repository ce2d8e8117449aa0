import type { TreasuryExit } from '@rif/api-schema'
import { useEffect, useState } from 'react'
import { copyText, formatAmount, useAppConfig, useTranslation } from '../../../lib/index.ts'
import { AddressFact, Button, Facts, LongFact, MoneyFact, Notice, Sheet } from '../../../ui/index.ts'
import { UtcTimeFact, utcText } from '../components/utc-time.tsx'

interface AskSheetProps {
  exit: TreasuryExit
  onClose: () => void
}

type Prepared = { readonly to: string; readonly data: string } | null

/** Prepares the cancellation of an exit for somebody whose wallet may send it: the checked call as text. */
export function AskSheet({ exit, onClose }: AskSheetProps) {
  const { t } = useTranslation()
  const { call, isFailed } = usePrepared(exit)
  const facts = {
    number: exit.exit_id,
    amount: formatAmount(exit.amount),
    asset: exit.asset,
    name: exit.destination_name,
    address: exit.destination,
    time: utcText(exit.executable_at ?? exit.approved_at) ?? '',
  }
  const copy = () => {
    if (call === null) return
    void copyText(
      t('admin.treasury.request', { ...facts, to: call.to, id: exit.onchain_id, data: call.data }),
    )
  }
  return (
    <Sheet open onClose={onClose} title={t('admin.treasury.askToCancel')}>
      <div className="flex flex-col gap-4">
        <p className="text-14">{t('admin.treasury.askAbout')}</p>
        <Facts>
          <MoneyFact label={t('admin.treasury.amount')} amount={exit.amount} unit={exit.asset} />
          {exit.executable_at !== null && (
            <UtcTimeFact label={t('admin.treasury.canLeave')} value={exit.executable_at} />
          )}
          <AddressFact label={t('preview.contract')} value={exit.bank} form="full" />
          {call !== null && (
            <LongFact label={t('admin.treasury.calldata')}>
              <span className="font-mono text-12 wrap-anywhere">{call.data}</span>
            </LongFact>
          )}
        </Facts>
        {isFailed && <Notice tone="bad">{t('common.loadFailed')}</Notice>}
        <Button icon="copy" disabled={call === null} onClick={copy}>
          {t('admin.treasury.copyRequest')}
        </Button>
      </div>
    </Sheet>
  )
}

/** Fetches the cancellation and checks it, as before it goes to a wallet. */
function usePrepared(exit: TreasuryExit): { call: Prepared; isFailed: boolean } {
  const config = useAppConfig()
  const [state, setState] = useState<{ call: Prepared; isFailed: boolean }>({ call: null, isFailed: false })
  useEffect(() => {
    if (config === undefined) return
    let isOpen = true
    const done = (call: Prepared) => {
      if (isOpen) setState({ call, isFailed: call === null })
    }
    import('../../../wallet/exit-calls.ts')
      .then(({ prepareExitStep }) => prepareExitStep(config, exit, 'cancel'))
      .then(done, () => done(null))
    return () => {
      isOpen = false
    }
  }, [config, exit])
  return state
}
