import type { TreasuryExit } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import { actorText } from '../../operators/admin-log/admin-log.service.ts'
import type { ExitRow } from './treasury.repository.ts'

const text = (at: Date | null) => at?.toISOString() ?? null

/** Returns an exit in the API's format, with the sender of its cancellation if that is known. */
export function exitView(exit: ExitRow, cancelledBy: string | null = null): TreasuryExit {
  return {
    exit_id: `${exit.exitId}`,
    bank: getAddress(exit.bank as Hex),
    onchain_id: exit.onchainId,
    kind: exit.kind,
    source: exit.source,
    asset: exit.asset,
    amount: formatMicros(exit.amountMicros),
    product_id: exit.productId === null ? null : `${exit.productId}`,
    destination: getAddress(exit.destination as Hex),
    destination_name: exit.destinationName,
    purpose: exit.purpose,
    document_hash: exit.documentHash,
    prepared_by: actorText(exit.preparedBy),
    approved_by: actorText(exit.approvedBy),
    approved_at: exit.approvedAt.toISOString(),
    state: exit.state,
    seen: exit.seenStep === null ? null : { step: exit.seenStep, tx_hash: exit.seenTx! },
    announced_tx: exit.announcedTx,
    ended_tx: exit.endedTx,
    executable_at: text(exit.executableAt),
    expires_at: text(exit.expiresAt),
    ended_at: text(exit.endedAt),
    released_at: text(exit.releasedAt),
    cancelled_by: cancelledBy,
  }
}
