import type { ProposalPayload } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import { AppError } from '../../../lib/errors.ts'
import type { HashPowerGrants } from '../../hash-power/hash-power.grants.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import { change, type Kind, says } from '../proposals.kinds.ts'

/** Hash power for one member or for a file of members. Rules, section 11. */
export function hashPowerKind(deps: {
  grants: HashPowerGrants
  members: MembersService
}): Kind<ProposalPayload<'hash_power'>> {
  const { grants, members } = deps

  /**
   * Returns the member of each line. Throws MEMBER_NOT_FOUND with the numbers of the lines whose wallet has
   * no member.
   */
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
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, { batch, lines }) {
      const memberIds = await receivers(db, lines)
      const sum = lines.reduce((total, { amount }) => total + parseMicros(amount), 0n)
      return {
        subject: `hash-power/${batch}`,
        summary: `Grant ${formatMicros(sum)} RIF to ${lines.length} member(s), batch ${batch}`,
        headline: says('hash_power', { amount: formatMicros(sum), asset: 'RIF', count: `${lines.length}` }),
        difference: lines.map(({ address, amount, reason }, index) =>
          change('grant', null, `${amount} RIF`, `${index + 1}: ${address} (${reason})`),
        ),
        memberIds,
        amounts: [{ asset: 'RIF', micros: sum }],
      }
    },
    async apply(dbTx, { batch, lines }, { preparedBy, decidedBy }) {
      const memberIds = await receivers(dbTx, lines)
      const given = await grants.give(
        dbTx,
        { preparedBy, approvedBy: decidedBy },
        lines.map(({ amount, reason }, index) => ({
          key: `batch/${batch}/${index + 1}`,
          memberId: memberIds[index]!,
          reason,
          amountMicros: parseMicros(amount),
        })),
      )
      if (given < lines.length) throw new AppError('NOTHING_TO_REVIEW')
      return { grants: given }
    },
  }
}
