import type { ProposalPayload } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import { type ContractAddresses, readWallet } from '../../../chain/banks.ts'
import { readMember } from '../../../db/read.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { AdminLogService } from '../../admin-log/admin-log.service.ts'
import type { AdminsService } from '../../admins/admins.service.ts'
import { freezeReason, isUnopened, listPauses, pause, resume, setFrozen } from '../../gates/gates.service.ts'
import type { LeavingService } from '../../leaving/leaving.service.ts'
import type { LedgerService } from '../../ledger/ledger.service.ts'
import type { DayCapsService } from '../../rewards/rewards.day-caps.service.ts'
import { change, type Kind, says } from '../proposals.kinds.ts'

interface RoleDeps {
  readonly admins: AdminsService
  readonly contracts: ContractAddresses
}

/**
 * A role for a wallet, or its removal. The person concerned cannot decide, and neither prepares nor approves the
 * first role of a new person. Two owners always remain. Rules, section 12.
 */
export function roleKind({ admins, contracts }: RoleDeps): Kind<ProposalPayload<'role'>> {
  return {
    prepare: 'owner',
    decide: 'owner',
    people: 2,
    async preview(db, { address, role, person: choice }) {
      readWallet({ contracts }, address)
      const before = await admins.find(db, address)
      const wallet = getAddress(address as Hex)
      if (role === null && before === undefined) throw new AppError('NOT_FOUND')
      const { number, name: person } = await admins.named(db, address, choice)
      const shown = number === null ? `NEW PERSON ${person}` : `person ${number}, ${person}`
      const given = number === null ? 'role_given_new' : 'role_given'
      // The named person owns the new wallet too; otherwise that person could appoint and keep it.
      const others = number === null ? [] : await admins.walletsOf(db, number)
      return {
        subject: `admin/${address.toLowerCase()}`,
        summary: `${wallet} (${shown}): ${before?.role ?? 'no role'} -> ${role ?? 'no role'}`,
        headline: role === null ? says('role_taken', { person }) : says(given, { person, role }),
        difference: [
          change('role', before?.role ?? null, role, wallet),
          change(
            'person',
            before === undefined ? null : `person ${before.personId}, ${before.person}`,
            role && shown,
            wallet,
          ),
        ],
        payees: [address.toLowerCase(), ...others],
        notOfPreparer: number === null ? [address.toLowerCase()] : [],
      }
    },
    async apply(dbTx, { address, role, person }, { proposalId, preparedBy, decidedBy }) {
      // Two owners vouch for a new person, so the one who prepared must still be one.
      if ('new_name' in person && proposalId !== null) {
        const preparer = await admins.find(dbTx, preparedBy)
        if (preparer?.role !== 'owner') throw new AppError('PROPOSAL_CHANGED')
      }
      await admins.set(dbTx, { address, role, person, actor: decidedBy })
    },
  }
}

/** One owner may pause an area; resuming it needs two. */
export function pauseKind(deps: { now: Now; adminLog: AdminLogService }): Kind<ProposalPayload<'pause'>> {
  return {
    prepare: 'owner',
    decide: 'owner',
    people: 1,
    async preview(db, { area }) {
      const paused = (await listPauses(db)).some((one) => one.area === area)
      if (paused) throw new AppError('PAUSED', { area })
      const difference = [change('state', 'running', 'paused', area)]
      return {
        subject: `pause/${area}`,
        summary: `Stop ${area.replace('_', '-')} at once`,
        difference,
        headline: says('pause', { area }),
      }
    },
    async apply(dbTx, { area }, { decidedBy, reason }) {
      const stopped = await pause(dbTx, { area, reason, pausedBy: decidedBy, pausedAt: deps.now() })
      if (!stopped) throw new AppError('PAUSED', { area })
      await deps.adminLog.record(dbTx, {
        actor: decidedBy,
        action: 'emergency.pause',
        subject: `pause/${area}`,
        reason,
      })
    },
  }
}

export function resumeKind({ adminLog }: { adminLog: AdminLogService }): Kind<ProposalPayload<'resume'>> {
  return {
    prepare: 'owner',
    decide: 'owner',
    people: 2,
    async preview(db, { area }) {
      if (await isUnopened(db)) throw new AppError('NOT_READY_TO_OPEN', { missing: 'opening' })
      const paused = (await listPauses(db)).find((one) => one.area === area)
      if (paused === undefined) throw new AppError('NOT_FOUND')
      const difference = [change('state', 'paused', 'running', area)]
      return {
        subject: `pause/${area}`,
        summary: `Let ${area.replace('_', '-')} go on`,
        difference,
        headline: says('resume', { area }),
      }
    },
    async apply(dbTx, { area }, { decidedBy, reason }) {
      if (!(await resume(dbTx, area))) throw new AppError('NOT_FOUND')
      await adminLog.record(dbTx, {
        actor: decidedBy,
        action: 'emergency.resume',
        subject: `pause/${area}`,
        reason,
      })
    },
  }
}

export function unfreezeKind(deps: {
  ledger: LedgerService
  adminLog: AdminLogService
}): Kind<ProposalPayload<'unfreeze'>> {
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, { member_id }) {
      const before = await freezeReason(db, BigInt(member_id))
      if (before === null) throw new AppError('NOT_FOUND')
      return {
        subject: `member/${member_id}`,
        summary: `Member ${member_id} may act again (frozen: ${before})`,
        headline: says('unfreeze', { member: member_id }),
        difference: [change('state', 'frozen', 'active', `member ${member_id}`)],
        memberIds: [BigInt(member_id)],
      }
    },
    async apply(dbTx, { member_id }, { decidedBy, reason }) {
      await setFrozen(dbTx, deps.ledger, { memberId: BigInt(member_id), reason: null })
      await deps.adminLog.record(dbTx, {
        actor: decidedBy,
        action: 'member.unfreeze',
        subject: `member/${member_id}`,
        reason,
      })
    },
  }
}

export function unflagKind(deps: { leaving: LeavingService }): Kind<ProposalPayload<'unflag'>> {
  return {
    prepare: 'operator',
    decide: 'approver',
    people: 2,
    async preview(db, { member_id }) {
      if (!(await deps.leaving.isFlagged(db, BigInt(member_id)))) throw new AppError('NOT_FOUND')
      return {
        subject: `member/${member_id}`,
        summary: `Withdrawals and transfers of member ${member_id} are no longer held for review`,
        headline: says('unflag', { member: member_id }),
        difference: [change('risk_flag', 'held', 'free', `member ${member_id}`)],
        memberIds: [BigInt(member_id)],
      }
    },
    apply: (dbTx, { member_id }, { decidedBy, reason }) =>
      deps.leaving.flag(dbTx, { memberId: BigInt(member_id), flagged: false, actor: decidedBy, reason }),
  }
}

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
