import type { ProposalPayload } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { MembersService } from '../members/members.service.ts'
import { change, type Kind, says } from '../proposal-kind.ts'
import type { LaunchReview } from './exchange.launch-review.service.ts'
import type { ExchangeTerms } from './exchange.terms.service.ts'
import type { HashPowerGrants } from './hash-power/hash-power.grants.service.ts'

/** The terms of exchange for RIF. Rules, section 11. */
export function exchangeTermsKind(deps: {
  now: Now
  terms: ExchangeTerms
}): Kind<ProposalPayload<'exchange_terms'>> {
  const { now, terms } = deps
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, { asset, rate, day_cap, valid_from }) {
      const before = await terms.at(db, asset, valid_from === undefined ? now() : new Date(valid_from))
      const cap = before.dayCapMicros === null ? null : formatMicros(before.dayCapMicros)
      return {
        subject: `exchange/${asset}${valid_from ? `/${valid_from}` : ''}`,
        summary: `1 RIF gives ${rate} ${asset}, day cap ${day_cap ?? 'none'}, ${valid_from ? `from ${valid_from} on` : 'from now on'}`,
        headline: says('exchange_terms', { rate, asset }),
        difference: [
          change('rate', formatMicros(before.rateMicros), rate, asset),
          change('day_cap', cap, day_cap, asset),
        ],
      }
    },
    async apply(dbTx, { asset, rate, day_cap, valid_from }, { preparedBy, decidedBy }) {
      const { termsId } = await terms.prepare(dbTx, {
        asset,
        rateMicros: parseMicros(rate),
        actor: preparedBy,
        dayCapMicros: day_cap === null ? null : parseMicros(day_cap),
        ...(valid_from !== undefined && { validFrom: new Date(valid_from) }),
      })
      await terms.review(dbTx, { termsId, approve: true, actor: decidedBy })
      return { terms_id: `${termsId}` }
    },
  }
}

/** A VC launch, visible to members from its approval on. */
export function launchKind({ review }: { review: LaunchReview }): Kind<ProposalPayload<'launch'>> {
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(_db, launch) {
      return {
        subject: `launch/${launch.name}/${launch.starts_at}`,
        summary: `Launch ${launch.name}: ${launch.allocation} units at ${launch.price} VC, ${launch.starts_at} to ${launch.ends_at}`,
        headline: says('launch', { name: launch.name }),
        difference: Object.entries(launch).map(([field, value]) => change(field, null, value)),
      }
    },
    async apply(dbTx, launch, { preparedBy, decidedBy }) {
      const { launchId } = await review.prepare(dbTx, {
        name: launch.name,
        introduction: launch.introduction,
        actor: preparedBy,
        allocationMicros: parseMicros(launch.allocation),
        priceMicros: parseMicros(launch.price),
        startsAt: new Date(launch.starts_at),
        endsAt: new Date(launch.ends_at),
      })
      await review.review(dbTx, { launchId, approve: true, actor: decidedBy })
      return { launch_id: `${launchId}` }
    },
  }
}

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
    const idsByAddress = await members.byAddresses(
      db,
      lines.map(({ address }) => address),
    )
    const ids = lines.map(({ address }) => idsByAddress.get(address.toLowerCase()))
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
      const grantCount = await grants.give(
        dbTx,
        { preparedBy, approvedBy: decidedBy },
        lines.map(({ amount, reason }, index) => ({
          key: `batch/${batch}/${index + 1}`,
          memberId: memberIds[index]!,
          reason,
          amountMicros: parseMicros(amount),
        })),
      )
      if (grantCount < lines.length) throw new AppError('NOTHING_TO_REVIEW')
      return { grants: grantCount }
    },
  }
}
