import { getAddress, type Hex } from 'viem'
import type { Db } from '../../../../db/database.ts'
import type { TransfersService } from '../../../leaving/transfers/transfers.service.ts'
import type { WithdrawalsService } from '../../../leaving/withdrawals/withdrawals.service.ts'
import type { MembersService } from '../../../members/members.service.ts'
import type { StatementEntryRow } from './books.repository.ts'

export interface OthersDeps {
  readonly members: Pick<MembersService, 'addresses'> & {
    readonly labels: Pick<MembersService['labels'], 'named'>
  }
  readonly transfers: Pick<TransfersService, 'counterpartsOf'>
  readonly withdrawals: Pick<WithdrawalsService, 'receiversOf'>
}

/** The counterparty of an entry, if it is a wallet: its address, and the member's own name for it. */
export interface Other {
  readonly address: string
  readonly name: string
}

/** Reads the counterparties of some entries of a member. */
export type Others = (
  db: Db,
  memberId: bigint,
  entries: readonly StatementEntryRow[],
) => Promise<(entry: StatementEntryRow) => Other>

const NOBODY: Other = { address: '', name: '' }
const NUMBER = /^[1-9][0-9]{0,17}$/

/** Creates the reader of counterparties: the other member of a transfer, and the wallet of a withdrawal. */
export function createOthers({ members, transfers, withdrawals }: OthersDeps): Others {
  return async (db, memberId, entries) => {
    const causes = (type: string) => [
      ...new Set(
        entries.flatMap(({ causeType, causeId }) =>
          causeType === type && NUMBER.test(causeId) ? [BigInt(causeId)] : [],
        ),
      ),
    ]
    const counterparts = await transfers.counterpartsOf(db, memberId, causes('transfer'))
    const receivers = await withdrawals.receiversOf(db, memberId, causes('withdrawal'))
    const ids = [...new Set(counterparts.values())]
    const addresses = ids.length === 0 ? new Map<bigint, string>() : await members.addresses(db, ids)
    const labels =
      ids.length === 0 ? new Map<bigint, string>() : await members.labels.named(db, memberId, ids)
    return ({ causeType, causeId }) => {
      const isTransfer = causeType === 'transfer'
      if ((!isTransfer && causeType !== 'withdrawal') || !NUMBER.test(causeId)) return NOBODY
      const other = isTransfer ? counterparts.get(BigInt(causeId)) : undefined
      const address = isTransfer ? addresses.get(other ?? 0n) : receivers.get(BigInt(causeId))
      if (address === undefined) return NOBODY
      return {
        address: getAddress(address as Hex),
        name: other === undefined ? '' : (labels.get(other) ?? ''),
      }
    }
  }
}
