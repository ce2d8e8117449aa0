import type { ProposalPayload } from '@rif/api-schema'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { LedgerService } from '../books/ledger/ledger.service.ts'
import type { AdminLogService } from '../operators/admin-log/admin-log.service.ts'
import { change, type Kind, says } from '../proposal-kind.ts'
import { freezeReason, isUnopened, listPauses, pause, resume, setFrozen } from './gates/gates.service.ts'

/** One owner may pause an area; resuming it needs two. */
export function pauseKind(deps: { now: Now; adminLog: AdminLogService }): Kind<ProposalPayload<'pause'>> {
  return {
    prepare: 'owner',
    decide: 'owner',
    people: 1,
    async preview(db, { area }) {
      const paused = (await listPauses(db)).some((pause) => pause.area === area)
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
      const paused = (await listPauses(db)).find((pause) => pause.area === area)
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
