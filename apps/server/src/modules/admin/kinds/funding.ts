import type { AttestedPool, ProposalPayload } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
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
  return {
    ...{ prepare: 'operator', decide: 'approver', people: 2 },
    async preview(db, { batch, lines }) {
      const found = await Promise.all(lines.map(({ address }) => members.findByAddress(db, address)))
      const unknown = found.flatMap((member, index) => (member === undefined ? [index + 1] : []))
      if (unknown.length > 0)
        throw new AppError('MEMBER_NOT_FOUND', { line: unknown[0]!, lines: unknown.join(',') })
      const sum = lines.reduce((total, { amount }) => total + parseMicros(amount), 0n)
      return {
        subject: `hash-power/${batch}`,
        summary: `Grant ${formatMicros(sum)} RIF to ${lines.length} member(s), batch ${batch}`,
        difference: lines.map(({ address, amount, reason }, index) =>
          change('grant', null, `${amount} RIF`, `${index + 1}: ${address} (${reason})`),
        ),
        memberIds: found.map((member) => member!.memberId),
      }
    },
    async apply(dbTx, { batch, lines }, { preparedBy, decidedBy }) {
      for (const [index, { address, amount, reason }] of lines.entries()) {
        const member = await members.findByAddress(dbTx, address)
        if (member === undefined) throw new AppError('MEMBER_NOT_FOUND', { line: index + 1 })
        const { grantId } = await grants.prepare(dbTx, {
          ...{ key: `batch/${batch}/${index + 1}`, memberId: member.memberId, reason, actor: preparedBy },
          amountMicros: parseMicros(amount),
        })
        await grants.review(dbTx, { grantId, approve: true, actor: decidedBy })
      }
      return { grants: lines.length }
    },
  }
}
