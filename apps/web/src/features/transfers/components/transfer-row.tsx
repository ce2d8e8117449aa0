import type { Transfer, TransferStatus } from '@rif/api-schema'
import { formatTime, useTranslation } from '../../../lib/index.ts'
import { Address, IconCircle, Money, Pill, type Tone } from '../../../ui/index.ts'

/** The colour of each status, which repeats its text. */
const TONES: Readonly<Record<TransferStatus, Tone>> = {
  Auditing: 'warn',
  Success: 'good',
  Rejected: 'bad',
  Cancelled: 'neutral',
}

/** The state of a transfer in the words of the member. */
export function TransferState({ status }: { status: TransferStatus }) {
  const { t } = useTranslation()
  return <Pill tone={TONES[status]}>{t(`transfers.status.${status}`)}</Pill>
}

/** Returns the amount with the sign of its direction. */
export const signedAmount = ({ direction, amount }: Transfer) => (direction === 'in' ? amount : `-${amount}`)

export interface TransferRowProps {
  transfer: Transfer
  onOpen: (transfer: Transfer) => void
}

/** A transfer on one line, which opens it. */
export function TransferRow({ transfer, onOpen }: TransferRowProps) {
  const { t } = useTranslation()
  const { direction, counterpart, label, asset, status, created_at } = transfer
  return (
    <button
      type="button"
      className="flex min-h-16 w-full items-center gap-3 py-2 text-left"
      onClick={() => onOpen(transfer)}
    >
      <span className="max-[359px]:hidden">
        <IconCircle icon={direction === 'in' ? 'receive' : 'send'} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-16 font-medium">{t(`transfers.list.${direction}`)}</span>
        <span className="block wrap-anywhere text-13 text-muted">
          {label ?? <Address value={counterpart} form="ends" copy={false} />}
        </span>
        <span className="block text-13 text-muted">{formatTime(created_at)}</span>
        {status !== 'Success' && <TransferState status={status} />}
      </span>
      <span className="text-16 font-medium">
        <Money amount={signedAmount(transfer)} unit={asset} signed exact />
      </span>
    </button>
  )
}
