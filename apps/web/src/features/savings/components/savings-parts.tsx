import type { SavingsTransfer } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, PageLink, useTranslation } from '../../../lib/index.ts'
import { Countdown, EmptyState, IconCircle, Money, Pill, Recent, Time } from '../../../ui/index.ts'

interface TransferRowProps {
  transfer: SavingsTransfer
  /** True if the arrival time of a pending amount has come. */
  onArrival: () => void
}

/** A transfer into or out of savings; a pending one counts down to its arrival. */
export function SavingsTransferRow({ transfer, onArrival }: TransferRowProps) {
  const { t } = useTranslation()
  const { direction, amount, asset, created_at } = transfer
  return (
    <div className="flex flex-col items-end gap-1 py-2">
      <div className="flex w-full items-center gap-3">
        <span className="max-[359px]:hidden">
          <IconCircle icon={direction === 'in' ? 'receive' : 'send'} />
        </span>
        <div className="min-w-0 flex-1">
          <p className="text-16 font-medium">{t(`savings.${direction}.action`)}</p>
          <p className="text-13 text-muted *:whitespace-normal">
            <Time value={created_at} />
          </p>
        </div>
        <Money amount={amount} unit={asset} exact className="text-16 font-medium" />
      </div>
      {direction === 'out' && <Arrival transfer={transfer} onArrival={onArrival} />}
    </div>
  )
}

/** Returns the name of a transfer's direction. */
export function TransferName({ transfer: { direction } }: Pick<TransferRowProps, 'transfer'>) {
  const { t } = useTranslation()
  return (
    <span className="flex items-center gap-3 font-medium">
      <IconCircle icon={direction === 'in' ? 'receive' : 'send'} />
      {t(`savings.${direction}.action`)}
    </span>
  )
}

/** Shows that a transfer has arrived, or how long it still takes. */
export function Arrival({ transfer: { arrives_at, arrived_at }, onArrival }: TransferRowProps) {
  const { t } = useTranslation()
  if (arrived_at !== null) return <Pill tone="good">{t('savings.list.arrived')}</Pill>
  return (
    <Pill tone="info">
      <span className="mr-1">{t('savings.list.arrivesIn')}</span>
      <Countdown until={arrives_at} onEnd={onArrival} />
    </Pill>
  )
}

const RECENT = 3

/** The last transfers, beside the form. */
export function RecentSavings() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('savingsTransfers', { query: { limit: RECENT } }))
  return (
    <Recent
      title={t('savings.list.title')}
      all={<PageLink to="/pages/savings/list">{t('common.all')}</PageLink>}
      query={query}
      keyOf={({ transfer_id }) => transfer_id}
      render={(transfer) => <SavingsTransferRow transfer={transfer} onArrival={() => void query.refetch()} />}
      none={t('savings.list.hint')}
    />
  )
}

/** Shown if nothing was saved or earned yet; the next step is to transfer something in. */
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
