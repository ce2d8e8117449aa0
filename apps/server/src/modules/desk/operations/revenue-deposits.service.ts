import type { RevenueDeposit, RevenueDepositsQuery } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { getAddress, type Hex, hexToString } from 'viem'
import type { Db } from '../../../db/database.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import type { Depositors } from '../../fund/treasury/treasury.depositors.service.ts'
import type { AttestedRevenue } from '../../rewards/attested-revenue/attested-revenue.service.ts'
import { depositSubject, type ProposalsService } from '../proposals/proposals.service.ts'

interface Deps {
  readonly db: Db
  readonly attestedRevenue: Pick<AttestedRevenue, 'deposits' | 'countWaiting'>
  readonly depositors: Depositors
  readonly proposals: Pick<ProposalsService, 'openBySubject'>
}

export type RevenueDeposits = ReturnType<typeof createRevenueDeposits>

/** Creates the list of on-chain revenue for those who attest it. Rules, section 2. */
export function createRevenueDeposits({ db, attestedRevenue, depositors, proposals }: Deps) {
  return {
    /** Returns a page of final deposits, newest first, each with its use or the open proposal about it. */
    async list(query: RevenueDepositsQuery) {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const [rows, waiting] = await Promise.all([
        attestedRevenue.deposits(db, { ...query, before, limit: query.limit + 1 }),
        attestedRevenue.countWaiting(db),
      ])
      const subjects = rows.map(({ depositId }) => depositSubject(depositId))
      const open = await proposals.openBySubject(db, 'attestation', subjects)
      const wallets = [...new Set(rows.map(({ depositor }) => depositor))]
      const facts = new Map(
        await Promise.all(
          wallets.map(async (wallet) => [wallet, await depositors.facts(db, wallet)] as const),
        ),
      )
      const page = toPage(
        rows,
        query.limit,
        (row): RevenueDeposit => {
          const proposalId = open.get(depositSubject(row.depositId))
          return {
            deposit_id: row.depositId,
            from: getAddress(row.depositor as Hex),
            label: textOf(row.label),
            depositor: facts.get(row.depositor)!,
            asset: row.asset,
            amount: formatMicros(row.amountMicros),
            document_hash: row.documentHash,
            tx_hash: row.txHash,
            deposited_at: row.depositedAt.toISOString(),
            attested: row.pool === null ? null : { pool: row.pool, source: row.source!, day: row.day! },
            divested: row.isDivested,
            proposal_id: proposalId === undefined ? null : `${proposalId}`,
          }
        },
        (row) => encodeCursor(BigInt(row.depositId)),
      )
      return { ...page, waiting }
    },
  }
}

/** Returns a label as text if all of it is printable ASCII, nothing if it is empty, otherwise unchanged. */
function textOf(label: string): string {
  const text = hexToString(label as Hex).replace(/\0+$/, '')
  return /^[\x20-\x7e]*$/.test(text) ? text : label
}
