import type { ProposalPayload } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { AttestedRevenue } from '../../attested-revenue/attested-revenue.service.ts'
import type { LedgerService } from '../../ledger/ledger.service.ts'
import { type Depositors, depositorText } from '../proposals.depositors.service.ts'
import { change, type Kind, says } from '../proposals.kinds.ts'
import { depositSubject } from '../proposals.subjects.ts'

/** Revenue earned elsewhere, equal to a deposit that is final on chain. Rules, section 2. */
export function attestedRevenueKind(deps: {
  attestedRevenue: AttestedRevenue
  ledger: Pick<LedgerService, 'pools'>
  depositors: Depositors
}): Kind<ProposalPayload<'attestation'>> {
  const { attestedRevenue, depositors } = deps
  const describe = async (db: Db, depositId: string) => {
    const deposit = await attestedRevenue.depositorOf(db, depositId)
    if (deposit === undefined) return 'an unknown deposit'
    return `${deposit.depositor} (${depositorText(await depositors.facts(db, deposit.depositor, depositId))})`
  }
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async gather(db, { deposit_id: depositId }) {
      const deposit = await attestedRevenue.depositorOf(db, depositId)
      if (deposit !== undefined) await depositors.look({ depositId, ...deposit })
    },
    async preview(db, { pool, asset, amount, source, document_hash, deposit_id }) {
      const held = (await deps.ledger.pools.balances(db, pool))[asset]
      const from = await describe(db, deposit_id)
      return {
        subject: depositSubject(deposit_id),
        summary: `${amount} ${asset} of deposit ${deposit_id} (${source}), from ${from}, enter ${pool}`,
        headline: says('attestation', { amount, asset, pool }),
        difference: [
          change('attested', null, `${amount} ${asset}`, pool),
          change('source', null, source, pool),
          change('document_hash', null, document_hash, pool),
          change('deposit', null, deposit_id, pool),
          change('depositor', null, from, pool),
        ],
        amounts: [{ asset, micros: parseMicros(amount) }],
        effects: [
          {
            name: 'pool_holds',
            values: {
              pool,
              asset,
              before: formatMicros(held),
              after: formatMicros(held + parseMicros(amount)),
            },
          },
        ],
      }
    },
    async apply(dbTx, payload, { preparedBy, decidedBy }) {
      const { attestationId } = await attestedRevenue.prepare(dbTx, {
        pool: payload.pool,
        asset: payload.asset,
        source: payload.source,
        actor: preparedBy,
        amountMicros: parseMicros(payload.amount),
        documentHash: payload.document_hash,
        depositId: BigInt(payload.deposit_id),
      })
      await attestedRevenue.approve(dbTx, { attestationId, actor: decidedBy })
      return { attestation_id: `${attestationId}` }
    },
  }
}
