import type { SavingsTransfer } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { Card, Countdown, EmptyState, IconCircle, Money, Pill, Time } from '../../../ui/index.ts'

interface TransferRowProps {
  transfer: SavingsTransfer
  /** The time of an amount on its way has come. */
  onArrival: () => void
}

/** A transfer into or out of savings; one on its way counts down to its arrival. */
export function TransferRow({ transfer, onArrival }: TransferRowProps) {
  const { t } = useTranslation()
  const { direction, amount, asset, created_at, arrives_at, arrived_at } = transfer
  return (
    <Card className="flex flex-col items-end gap-1">
      <div className="flex w-full items-center gap-3">
        <IconCircle icon={direction === 'in' ? 'receive' : 'send'} />
        <div className="min-w-0 flex-1">
          <p className="text-16">{t(`savings.${direction}.action`)}</p>
          <p className="text-14 text-muted *:whitespace-normal">
            <Time value={created_at} />
          </p>
        </div>
        <Money amount={amount} unit={asset} exact className="text-16" />
      </div>
      {arrived_at === null ? (
        <Pill tone="info">
          <span className="mr-1">{t('savings.list.arrivesIn')}</span>
          <Countdown until={arrives_at} onEnd={onArrival} />
        </Pill>
      ) : (
        direction === 'out' && <Pill tone="good">{t('savings.list.arrived')}</Pill>
      )}
    </Card>
  )
}

/** Nothing was saved or earned yet; the next step is to transfer something in. */
export function NothingYet({ title }: { title: string }) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="savings"
      title={title}
      hint={t('savings.list.hint')}
      next={{ to: '/pages/savings/in', label: t('savings.in.action') }}
    />
  )
}
