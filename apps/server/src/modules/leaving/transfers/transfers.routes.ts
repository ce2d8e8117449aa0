import type { RouteData, RouteRequest } from '@rif/api-schema'
import { formatMicros, type MemberWish, parseMicros } from '@rif/rules'
import type { FastifyInstance } from 'fastify'
import { getAddress, type Hex } from 'viem'
import { type Db, inTx } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { idempotent } from '../../../lib/idempotency.ts'
import { registerCsv } from '../../../plugins/csv.ts'
import { register } from '../../../plugins/route.ts'
import { type AddressesService, readAddress } from '../leaving.addresses.service.ts'
import type { ConsentsService } from '../leaving.consents.service.ts'
import { TRANSFER_COLUMNS } from './csv.ts'
import type { JudgedTransfer, TransferOrder, TransfersService } from './transfers.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly transfers: TransfersService
  readonly contacts: AddressesService
  readonly consents: ConsentsService
}

/** `transfer...`. */
export function transferRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, now, transfers, contacts, consents } = deps

  register(app, 'transfer', async ({ session, body, idempotency }) => {
    const order = orderOf(body)
    const consent = body.signed && (await consents.check(session, transferWish(order), body.signed))
    return transfers.send(db, session.memberId, order, { consent, request: idempotency })
  })

  register(app, 'transferCheck', async ({ session, body }) => {
    const order = orderOf(body)
    return checkView(order, await transfers.judge(db, session.memberId, order))
  })

  register(app, 'cancelTransfer', ({ session, params, idempotency }) =>
    inTx(db, (dbTx) =>
      idempotent(dbTx, idempotency, now(), () =>
        transfers.cancel(dbTx, session.memberId, BigInt(params.transfer_id)),
      ),
    ),
  )

  register(app, 'transfers', ({ session, query }) => transfers.list(db, session.memberId, query))

  registerCsv(app, 'transfers', TRANSFER_COLUMNS, ({ memberId }, query) =>
    transfers.list(db, memberId, query),
  )

  register(app, 'receiver', ({ session, query }) => contacts.receiver(db, session.memberId, query.address))

  bookRoutes(app, deps)
}

/** The address book, whose changes the wallet signs, and the notes about addresses. */
function bookRoutes(app: FastifyInstance, { db, transfers, contacts, consents }: Deps): void {
  const withMinimum = async <T>(contactList: T) => ({
    ...contactList,
    minimum: formatMicros(await transfers.minimumMicros(db)),
  })

  register(app, 'contacts', async ({ session }) => withMinimum(await contacts.list(db, session.memberId)))

  register(app, 'names', async ({ session }) => ({ items: await contacts.names(db, session.memberId) }))

  register(app, 'setNote', ({ session, body }) => contacts.setNote(db, session.memberId, body))

  register(app, 'saveContact', async ({ session, body: { signed, address, label } }) => {
    const wish: MemberWish = { kind: 'save_address', address: readAddress(address), label }
    const consent = signed && (await consents.check(session, wish, signed))
    return withMinimum(await inTx(db, (dbTx) => contacts.save(dbTx, session, { address, label }, consent)))
  })

  register(app, 'removeContact', async ({ session, body: { signed, address } }) => {
    const wish: MemberWish = { kind: 'remove_address', address: readAddress(address) }
    const consent = signed && (await consents.check(session, wish, signed))
    return withMinimum(await inTx(db, (dbTx) => contacts.remove(dbTx, session, address, consent)))
  })

  register(app, 'setSavedOnly', async ({ session, body: { signed, on } }) => {
    const consent = signed && (await consents.check(session, { kind: 'saved_only', on }, signed))
    return withMinimum(await inTx(db, (dbTx) => contacts.setSavedOnly(dbTx, session, on, consent)))
  })
}

function orderOf(body: RouteRequest<'transferCheck'>['body']): TransferOrder {
  return { asset: body.asset, amountMicros: parseMicros(body.amount), address: body.address }
}

/** The statement of a transfer that the member's wallet signs. */
function transferWish({ asset, amountMicros, address }: TransferOrder): MemberWish {
  return { kind: 'transfer', asset, amount: formatMicros(amountMicros), to: address.toLowerCase() }
}

function checkView(order: TransferOrder, judged: JudgedTransfer): RouteData<'transferCheck'> {
  return {
    asset: judged.asset,
    amount: formatMicros(order.amountMicros),
    to: getAddress(judged.to.address as Hex),
    worth_usdt: formatMicros(judged.worthMicros),
    remaining_today: formatMicros(judged.remainingMicros),
    remaining_after: formatMicros(judged.remainingMicros - judged.worthMicros),
    status: judged.reasons.length > 0 ? 'Auditing' : 'Success',
    reasons: [...judged.reasons],
    needs_signature: judged.needsSignature,
  }
}
