import type { SavingsDirection } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { Button, Fact, Facts, Money, Sheet } from '../../../ui/index.ts'
import type { JudgedSavings } from '../savings-draft.ts'
import { ArrivalTime } from './arrival-time.tsx'

interface ConfirmSheetProps {
  direction: SavingsDirection
  judged: Extract<JudgedSavings, { ok: true }>
  isBusy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Amount, fee, what arrives, where and when; then the one confirmation. */
export function ConfirmSheet({ direction, judged, isBusy, onConfirm, onClose }: ConfirmSheetProps) {
  const { t } = useTranslation()
  const { amount, asset } = judged.request
  return (
    <Sheet open onClose={onClose} dismissible={!isBusy} title={t(`savings.${direction}.confirm`)}>
      <div className="flex flex-col gap-5 pt-2">
        <Facts>
          <Fact label={t('savings.amount')}>
            <Money amount={amount} unit={asset} exact />
          </Fact>
          <Fact label={t('savings.fee')}>{t('savings.noFee')}</Fact>
          <Fact label={t(`savings.${direction}.arrives`)}>
            <Money amount={amount} unit={asset} exact className="text-20 font-semibold" />
          </Fact>
          <Fact label={t('savings.when')}>
            <ArrivalTime delayMs={judged.delayMs} />
          </Fact>
        </Facts>
        <p className="text-12 text-muted">{t(`savings.${direction}.note`)}</p>
        <Button block busy={isBusy} onClick={onConfirm}>
          {t(`savings.${direction}.submit`)}
        </Button>
      </div>
    </Sheet>
  )
}
