import type { ProposalContent, ProposalPayload, RiskReason } from '@rif/api-schema'
import type { Db } from '../../../db/database.ts'
import type { DepartureQueue } from '../../leaving/leaving.queue.service.ts'
import type { ProposalRow } from './proposals.repository.ts'

/** The withdrawals or transfers that a proposal decides on. */
export interface DecidedDepartures {
  readonly is: 'withdrawal' | 'transfer'
  readonly keys: readonly { readonly memberId: bigint; readonly id: bigint }[]
}

/** Returns the withdrawals or transfers that a proposal decides on; null for a proposal about something else. */
export function departuresOf({ kind, payload }: Pick<ProposalContent, 'kind' | 'payload'>) {
  if (kind === 'withdrawals') {
    const { withdrawals } = payload as ProposalPayload<'withdrawals'>
    return keysOf(
      'withdrawal',
      withdrawals.map((withdrawal) => [withdrawal.member_id, withdrawal.withdraw_id]),
    )
  }
  if (kind !== 'transfers') return null
  const { transfers } = payload as ProposalPayload<'transfers'>
  return keysOf(
    'transfer',
    transfers.map((transfer) => [transfer.member_id, transfer.transfer_id]),
  )
}

const keysOf = (
  is: DecidedDepartures['is'],
  ids: readonly (readonly [memberId: string, id: string])[],
): DecidedDepartures => ({
  is,
  keys: ids.map(([memberId, id]) => ({ memberId: BigInt(memberId), id: BigInt(id) })),
})

export type ProposalRisks = ReadonlyMap<bigint, readonly RiskReason[]>

/**
 * Creates the reader of the risks behind proposals: those of the withdrawals and transfers that they release.
 */
export function createProposalRisks({ departureQueue }: { departureQueue: Pick<DepartureQueue, 'of'> }) {
  /**
   * Returns the risks of undecided proposals by their id, each risk once. The number of statements does not depend on the
   * number of proposals.
   */
  return async (db: Db, rows: readonly ProposalRow[]): Promise<ProposalRisks> => {
    const wanted = rows
      .filter(({ state }) => state === 'Open' || state === 'Approved')
      .flatMap(({ proposalId, content }) => {
        const departures = departuresOf(JSON.parse(content) as ProposalContent)
        return departures === null ? [] : [{ proposalId, ...departures }]
      })
    const risks = new Map<string, readonly RiskReason[]>()
    for (const is of ['withdrawal', 'transfer'] as const) {
      const keys = wanted.filter((item) => item.is === is).flatMap((item) => item.keys)
      if (keys.length === 0) continue
      for (const departure of await departureQueue.of(db, is, keys)) {
        risks.set(`${is}/${departure.member_id}/${departure.id}`, departure.reasons)
      }
    }
    return new Map(
      wanted.map(({ proposalId, is, keys }) => [
        proposalId,
        [...new Set(keys.flatMap(({ memberId, id }) => risks.get(`${is}/${memberId}/${id}`) ?? []))],
      ]),
    )
  }
}
