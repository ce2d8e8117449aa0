import type { ProposalPayload } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { readMember } from '../../db/read.ts'
import { change, type Kind, says } from '../proposal-kind.ts'
import type { DayCapsService } from './rewards.day-caps.service.ts'

/** A member's own daily cap of pairing. Rules, section 5. */
export function dayCapKind({ dayCaps }: { dayCaps: DayCapsService }): Kind<ProposalPayload<'day_cap'>> {
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, { member_id, cap }) {
      const before = await readMember(db, BigInt(member_id), dayCaps.capRead)
      const old = before === null ? null : formatMicros(before)
      return {
        subject: `member/${member_id}`,
        summary: `Day cap of pairing of member ${member_id}: ${old ?? 'the level’s'} -> ${cap ?? 'the level’s'}`,
        headline:
          cap === null
            ? says('day_cap_lifted', { member: member_id })
            : says('day_cap', { member: member_id, cap }),
        difference: [change('day_cap', old, cap, `member ${member_id}`)],
        memberIds: [BigInt(member_id)],
      }
    },
    async apply(dbTx, { member_id, cap }, { decidedBy }) {
      const capMicros = cap === null ? null : parseMicros(cap)
      await dayCaps.set(dbTx, { memberId: BigInt(member_id), capMicros, actor: decidedBy })
    },
  }
}
