import type { AttestedPool, ProposalPayload } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import { AppError } from '../../../lib/errors.ts'
import type { HashPowerGrants } from '../../hash-power/hash-power.grants.service.ts'
import { custodyAccount, type PoolAccount } from '../../ledger/ledger.accounts.ts'
import type { LedgerService } from '../../ledger/ledger.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { AttestationsService } from '../../rewards/rewards.attestations.service.ts'
import { change, type Kind } from '../proposals.kinds.ts'

/** What a proposal about a deposit is about. */
export const depositSubject = (depositId: string) => `deposit/${depositId}`

/** Revenue earned elsewhere, equal to a deposit that is final on chain. Rules, section 2. */
export function attestationKind(deps: {
  attestations: AttestationsService
  ledger: Pick<LedgerService, 'poolBalances'>
}): Kind<ProposalPayload<'attestation'>> {
  return {
    ...{ prepare: 'operator', decide: 'approver', people: 2 },
    async preview(db, { pool, product_id, asset, amount, source, document_hash, deposit_id }) {
      const into = product_id === undefined ? pool : `${pool} of product ${product_id}`
      const held = (await deps.ledger.poolBalances(db, accountOf(pool, product_id)))[asset]
      return {
        subject: depositSubject(deposit_id),
        summary: `${amount} ${asset} of deposit ${deposit_id} (${source}) enter ${into}`,
        difference: [
          change('attested', null, `${amount} ${asset}`, into),
          change('source', null, source, into),
          change('document_hash', null, document_hash, into),
          change('deposit', null, deposit_id, into),
        ],
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
      const { attestationId } = await deps.attestations.prepare(dbTx, {
        ...{ pool: payload.pool, asset: payload.asset, source: payload.source, actor: preparedBy },
        ...(payload.product_id !== undefined && { productId: BigInt(payload.product_id) }),
        amountMicros: parseMicros(payload.amount),
        documentHash: payload.document_hash,
        depositId: BigInt(payload.deposit_id),
      })
      await deps.attestations.approve(dbTx, { attestationId, actor: decidedBy })
      return { attestation_id: `${attestationId}` }
    },
  }
}

function accountOf(pool: AttestedPool, productId: string | undefined): PoolAccount {
  if (pool !== 'fund_proceeds') return pool
  if (productId === undefined)
    throw new AppError('VALIDATION_FAILED', { field: 'product_id', problem: 'is missing' })
  return custodyAccount(BigInt(productId), 'proceeds')
}

/** Hash power for one member or a file of them. Rules, section 11. */
export function hashPowerKind(deps: {
  grants: HashPowerGrants
  members: MembersService
}): Kind<ProposalPayload<'hash_power'>> {
  const { grants, members } = deps

  /** The member of each line. Throws MEMBER_NOT_FOUND with the numbers of the lines whose wallet is no member. */
  async function receivers(db: Db, lines: readonly { address: string }[]): Promise<bigint[]> {
    const found = await members.byAddresses(
      db,
      lines.map(({ address }) => address),
    )
    const ids = lines.map(({ address }) => found.get(address.toLowerCase()))
    const unknown = ids.flatMap((memberId, index) => (memberId === undefined ? [index + 1] : []))
    if (unknown.length > 0) {
      throw new AppError('MEMBER_NOT_FOUND', { line: unknown[0]!, lines: unknown.join(',') })
    }
    return ids as bigint[]
  }

  return {
    ...{ prepare: 'operator', decide: 'approver', people: 2 },
    async preview(db, { batch, lines }) {
      const memberIds = await receivers(db, lines)
      const sum = lines.reduce((total, { amount }) => total + parseMicros(amount), 0n)
      return {
        subject: `hash-power/${batch}`,
        summary: `Grant ${formatMicros(sum)} RIF to ${lines.length} member(s), batch ${batch}`,
        difference: lines.map(({ address, amount, reason }, index) =>
          change('grant', null, `${amount} RIF`, `${index + 1}: ${address} (${reason})`),
        ),
        memberIds,
      }
    },
    async apply(dbTx, { batch, lines }, { preparedBy, decidedBy }) {
      const memberIds = await receivers(dbTx, lines)
      const given = await grants.give(
        dbTx,
        { preparedBy, approvedBy: decidedBy },
        lines.map(({ amount, reason }, index) => ({
          ...{ key: `batch/${batch}/${index + 1}`, memberId: memberIds[index]!, reason },
          amountMicros: parseMicros(amount),
        })),
      )
      if (given < lines.length) throw new AppError('NOTHING_TO_REVIEW')
      return { grants: given }
    },
  }
}
