import type { ProposalPayload } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import { change, type Kind, says } from '../../proposal-kind.ts'
import { depositSubject } from '../../proposal-subjects.ts'
import type { AttestedRevenue } from '../../rewards/attested-revenue/attested-revenue.service.ts'
import { type Depositors, depositorText } from './treasury.depositors.service.ts'
import type { DestinationsService } from './treasury.destinations.service.ts'
import type { ExitsService } from './treasury.exits.service.ts'

interface Deps {
  readonly exits: Pick<ExitsService, 'approvePayout'>
  readonly exitDestinations: Pick<DestinationsService, 'nameOf' | 'approve'>
}

const TWO_PEOPLE = { prepare: 'operator', decide: 'approver', people: 2 } as const

/** A payout of revenue or fees from the bank contract to a listed destination. Rules, section 2. */
export function treasuryPayoutKind({
  exits,
  exitDestinations,
}: Deps): Kind<ProposalPayload<'treasury_payout'>> {
  return {
    ...TWO_PEOPLE,
    async preview(db, { source, asset, amount, destination, purpose, document_hash }) {
      const to = destination.toLowerCase()
      const name = await exitDestinations.nameOf(db, to)
      return {
        subject: `treasury/${source}/${asset}/${to}`,
        summary: `Pay ${amount} ${asset} of ${source} out of the bank to ${name} (${to}), for ${purpose}`,
        headline: says('treasury_payout', { amount, asset, name }),
        difference: [
          change('leaves_bank', null, `${amount} ${asset}`, source),
          change('destination', null, `${name} (${to})`, source),
          change('purpose', null, purpose, source),
          change('document_hash', null, document_hash, source),
        ],
        payees: [to],
        amounts: [{ asset, micros: parseMicros(amount) }],
      }
    },
    async apply(dbTx, payload, { preparedBy, decidedBy }) {
      const { source, asset, amount, destination, purpose, document_hash } = payload
      const exit = await exits.approvePayout(dbTx, {
        source,
        asset,
        amountMicros: parseMicros(amount),
        destination: destination.toLowerCase(),
        purpose,
        documentHash: document_hash.toLowerCase(),
        preparedBy,
        approvedBy: decidedBy,
      })
      return { exit_id: `${exit.exitId}`, onchain_id: exit.onchainId }
    },
  }
}

/**
 * The owner of an exit destination's wallet. The default admin of the bank contract then announces the
 * destination there. Rules, section 2.
 */
export function exitDestinationKind({
  exitDestinations,
}: Pick<Deps, 'exitDestinations'>): Kind<ProposalPayload<'exit_destination'>> {
  return {
    ...TWO_PEOPLE,
    async preview(_db, { address, name, purpose }) {
      const to = address.toLowerCase()
      return {
        subject: `destination/${to}`,
        summary: `Exits may go to ${to}, the wallet of ${name}, for ${purpose}`,
        headline: says('exit_destination', { name }),
        difference: [change('name', null, name, to), change('purpose', null, purpose, to)],
        payees: [to],
      }
    },
    apply: (dbTx, { address, name, purpose }, { preparedBy, decidedBy }) =>
      exitDestinations.approve(dbTx, {
        address: address.toLowerCase(),
        name,
        purpose,
        preparedBy,
        approvedBy: decidedBy,
      }),
  }
}

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
      const poolMicros = (await deps.ledger.pools.balances(db, pool))[asset]
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
              before: formatMicros(poolMicros),
              after: formatMicros(poolMicros + parseMicros(amount)),
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
