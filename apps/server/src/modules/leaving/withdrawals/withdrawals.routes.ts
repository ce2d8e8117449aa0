import type { RouteData, RouteRequest } from '@rif/api-schema'
import { formatMicros, parseMicros, withdrawalWish } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { getAddress, type Hex } from 'viem'
import { secondsOf } from '../../../chain/confirmations.ts'
import { type Db, inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { idempotent } from '../../../lib/idempotency.ts'
import { registerCsv } from '../../../plugins/csv.ts'
import { register } from '../../../plugins/route.ts'
import type { Consent, ConsentsService, MemberWallet } from '../leaving.consents.service.ts'
import { WITHDRAWAL_COLUMNS } from './csv.ts'
import type { Claims } from './withdrawals.claims.service.ts'
import type {
  JudgedWithdrawal,
  WithdrawalLimit,
  WithdrawalOrder,
  WithdrawalsService,
} from './withdrawals.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly withdrawals: WithdrawalsService
  readonly claims: Claims
  readonly consents: ConsentsService
}

/** `withdraw...`. */
export function withdrawalRoutes(
  app: FastifyInstance,
  { db, now, withdrawals, claims, consents }: Deps,
): void {
  register(app, 'withdraw', async ({ session, body, idempotency }) => {
    const order = orderOf(body)
    const consent = await consentOf(consents, session, body, order)
    return inTx(db, (dbTx) =>
      idempotent(dbTx, idempotency, now(), () => withdrawals.request(dbTx, session.memberId, order, consent)),
    )
  })

  register(app, 'withdrawCheck', async ({ session, body }) => {
    const order = orderOf(body)
    return checkView(order, await withdrawals.judge(db, session.memberId, order))
  })

  register(app, 'withdrawLimit', async ({ session }) =>
    limitView(await withdrawals.limit(db, session.memberId)),
  )

  register(app, 'withdrawals', ({ session, query }) => withdrawals.list(db, session.memberId, query))
  registerCsv(app, 'withdrawals', WITHDRAWAL_COLUMNS, ({ memberId }, query) =>
    withdrawals.list(db, memberId, query),
  )

  register(app, 'withdrawal', ({ session, params }) =>
    withdrawals.get(db, session.memberId, BigInt(params.withdraw_id)),
  )

  register(app, 'claim', ({ session, params }) => claims.voucher(db, session.memberId, BigInt(params.id)))

  register(app, 'cancelWithdrawal', async ({ session, params, idempotency }) => {
    const unclaimed = await withdrawals.requireUnclaimed(db, session.memberId, BigInt(params.id))
    return inTx(db, (dbTx) =>
      idempotent(dbTx, idempotency, now(), () => withdrawals.cancel(dbTx, session.memberId, unclaimed)),
    )
  })
}

/** Checks the signature of a request, if it has one. The signed fee is the one in the request. */
async function consentOf(
  consents: ConsentsService,
  signer: MemberWallet,
  { signed }: RouteRequest<'withdraw'>['body'],
  order: WithdrawalOrder,
): Promise<Consent | undefined> {
  if (signed === undefined) return undefined
  const to = (order.address ?? signer.address).toLowerCase()
  return consents.check(signer, withdrawalWish(order, { feeMicros: parseMicros(signed.fee), to }), signed)
}

function orderOf(body: RouteRequest<'withdrawCheck'>['body']): WithdrawalOrder {
  return { asset: body.asset, amountMicros: parseMicros(body.amount), address: body.address }
}

function checkView(order: WithdrawalOrder, judged: JudgedWithdrawal): RouteData<'withdrawCheck'> {
  return {
    asset: order.asset,
    amount: formatMicros(order.amountMicros),
    refund: formatMicros(judged.refundMicros),
    fee: formatMicros(judged.feeMicros),
    receives: formatMicros(judged.netMicros),
    to: getAddress(judged.to as Hex),
    worth_usdt: formatMicros(judged.worthMicros),
    remaining_today: formatMicros(judged.remainingMicros),
    remaining_after: formatMicros(judged.remainingMicros - judged.worthMicros),
    status: judged.status,
    reasons: [...judged.auditReasons],
    needs_signature: judged.needsSignature,
  }
}

function limitView(limit: WithdrawalLimit): RouteData<'withdrawLimit'> {
  const { withdrawal } = limit.plan
  return {
    level: limit.level,
    limit: formatMicros(limit.limitMicros),
    used: formatMicros(limit.usedMicros),
    remaining: formatMicros(limit.remainingMicros),
    recent: formatMicros(limit.recentMicros),
    unsigned: formatMicros(limit.unsignedMicros),
    resets_at: limit.resetsAt.toISOString(),
    available: {
      USDT: formatMicros(limit.availableMicros.USDT),
      AMC: formatMicros(limit.availableMicros.AMC),
    },
    free_refunds: {
      USDT: formatMicros(limit.refundsMicros.USDT),
      AMC: formatMicros(limit.refundsMicros.AMC),
    },
    minimum_fee_usdt: formatMicros(withdrawal.minimumFeeMicros),
    fee_ppm: withdrawal.feePpm,
    audit_above_usdt: formatMicros(withdrawal.auditAboveMicros),
    sign_above_usdt: formatMicros(limit.plan.leaving.signAboveMicros),
    prices: { AMC: limit.amcPriceMicros === null ? null : formatMicros(limit.amcPriceMicros) },
    usual_review_seconds: secondsOf(limit.usualReviewMs),
  }
}
