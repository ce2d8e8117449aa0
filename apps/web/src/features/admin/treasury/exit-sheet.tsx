import type { ExitCall, TreasuryExit } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { AddressFact, Fact, MoneyFact } from '../../../ui/index.ts'
import { CallSheet } from '../emergency/send-sheet.tsx'

interface ExitSheetProps {
  exit: TreasuryExit
  step: ExitCall
  onClose: () => void
}

/** Explains a step of an exit, then opens the wallet with the checked transaction. */
export function ExitSheet({ exit, step, onClose }: ExitSheetProps) {
  const { t } = useTranslation()
  return (
    <CallSheet
      title={t(`admin.treasury.call.${step}`)}
      does={t(`admin.treasury.does.${step}`)}
      bank={exit.bank}
      refresh={['treasury', 'exits']}
      onClose={onClose}
      send={async (config) => {
        const { sendExitStep } = await import('../../../wallet/exit-calls.ts')
        return sendExitStep(config, exit, step)
      }}
    >
      <MoneyFact label={t('admin.treasury.amount')} amount={exit.amount} unit={exit.asset} />
      <Fact label={t('admin.treasury.to')}>{exit.destination_name}</Fact>
      <AddressFact label={t('admin.treasury.destination')} value={exit.destination} copy={false} />
    </CallSheet>
  )
}
