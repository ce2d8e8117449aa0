import type { BankAlarmKind, DeskToday } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { Admin } from '../../lib/caller.ts'
import type { WithdrawalsService } from '../leaving/withdrawals/withdrawals.service.ts'
import type { BankWatch } from '../trust/bank-watch/bank-watch.service.ts'
import type { Guard } from '../trust/guard/guard.service.ts'
import type { OpeningService } from '../trust/opening/opening.service.ts'
import { createBriefing } from './desk.briefing.service.ts'
import * as repository from './desk.repository.ts'
import type { ProposalsService } from './proposals/proposals.service.ts'

type Deps = Parameters<typeof createBriefing>[0] & {
  readonly db: Db
  readonly proposals: Pick<ProposalsService, 'waitingFor' | 'content'>
  readonly guard: Pick<Guard, 'report'>
  readonly withdrawals: Pick<WithdrawalsService, 'refused'>
  readonly bankWatch: Pick<BankWatch, 'report'>
  readonly opening: Pick<OpeningService, 'steps' | 'lacksReceiver'>
}

export type DeskService = ReturnType<typeof createDesk>

/** Creates the service of the operators' desk: the tasks that wait for an admin, and the facts behind a proposal. */
export function createDesk(deps: Deps) {
  const { db, proposals } = deps
  return {
    /** Returns the number of tasks of each queue. Each is a sum over pending rows only. */
    async today(admin: Admin): Promise<DeskToday> {
      const [approvals, heldSum, redemptions, payments, guard, refused, watch] = await Promise.all([
        proposals.waitingFor(admin),
        repository.heldSum(db),
        repository.redemptionSum(db),
        repository.paymentSum(db),
        deps.guard.report(),
        deps.withdrawals.refused(db),
        deps.bankWatch.report(),
      ])
      const last = guard.audits.find((audit) => audit.ended_at !== null && audit.differences !== null)
      return {
        opening: await deps.opening.steps(db),
        lacks_receiver: deps.opening.lacksReceiver(),
        audit: last === undefined ? null : { ended_at: last.ended_at!, differences: last.differences! },
        gate: guard.causes.map(({ cause }) => cause),
        approvals: {
          count: approvals.count,
          more: approvals.more,
          oldest_at: timeText(approvals.oldest?.preparedAt),
          oldest_by: approvals.oldest?.by ?? null,
        },
        withdrawals: {
          count: heldSum.count,
          worth_usdt: formatMicros(heldSum.worthMicros),
          oldest_at: timeText(heldSum.oldestAt),
        },
        refused: {
          count: refused.count,
          worth_usdt: formatMicros(refused.worthMicros),
          oldest_at: timeText(refused.oldestAt),
        },
        signer: watch.alarms.filter(({ kind }) => SIGNER_ALARMS.includes(kind)),
        redemptions: {
          count: redemptions.count,
          units: `${redemptions.units}`,
          worth_usdt: formatMicros(redemptions.worthMicros),
          oldest_at: timeText(redemptions.oldestAt),
        },
        payments: {
          count: payments.count,
          proposed: payments.proposed,
          oldest_at: timeText(payments.oldestAt),
          usdt: formatMicros(payments.usdtMicros),
          amc: formatMicros(payments.amcMicros),
        },
      }
    },
    ...createBriefing(deps),
  }
}

const SIGNER_ALARMS: readonly BankAlarmKind[] = [
  ...(['signer_away', 'claim_signer_away', 'approvers_differ', 'signer_log'] as const),
]

const timeText = (at: Date | null | undefined) => at?.toISOString() ?? null
