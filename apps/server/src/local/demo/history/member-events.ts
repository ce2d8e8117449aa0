import { formatMicros, parseMicros } from '@rif/rules'
import { transferSubject } from '../../../modules/desk/proposals/proposals.service.ts'
import { decideTogether } from '../decisions.ts'
import { exchangeOnce } from '../exchanges.ts'
import { payTogether } from '../purchases.ts'
import { decide, requestOnce } from '../withdrawals.ts'
import type { Happening } from './frame.ts'
import { orRefused, shareOf, tryOut, type World } from './world.ts'

type Of<What extends Happening['do']> = Extract<Happening, { do: What }>

/** Members do not bother with smaller amounts. */
const LEAST = parseMicros('8')
const LEAST_TRANSFER = parseMicros('2')

/** Orders a package, pays for it on chain and books it. */
export async function order({ services, chain, team }: World, { purchase }: Of<'order'>): Promise<void> {
  await payTogether(services, chain, team, [purchase])
  await chain.finalise()
}

/** Moves a share of the available balance into savings, or a share of savings out of them. */
export async function save(world: World, event: Of<'save'>): Promise<void> {
  const { member, asset, direction, sharePpm } = event
  const account = direction === 'in' ? 'available' : 'savings'
  const amountMicros = await shareOf(world, member, { asset, sharePpm, account })
  if (amountMicros < LEAST) return
  const { memberId } = world.team.get(member)!
  const { transferIn, transferOut } = world.unsigned.savings
  const transfer = direction === 'in' ? transferIn : transferOut
  await tryOut(world, (dbTx) => transfer(dbTx, memberId, { asset, amountMicros }))
}

/** Requests a withdrawal and claims it on chain, or lets two admins reject it. */
export async function withdrawSome(
  world: World,
  { member: name, sharePpm, outcome }: Of<'withdraw'>,
): Promise<void> {
  const { services, chain, team, accounts } = world
  const amountMicros = await shareOf(world, name, { asset: 'USDT', sharePpm })
  if (amountMicros < LEAST) return
  const member = team.get(name)!
  const planned = { member: name, amount: formatMicros(amountMicros), outcome } as const
  const reason = 'The member did not answer the call about this address'
  const foreign = outcome === 'reject' ? { foreign: true as const, reason } : {}
  const key = `history/withdrawal/${world.nextNumber()}`
  const withdrawal = await orRefused(() =>
    requestOnce(services, chain, member, {
      key,
      planned: { ...planned, ...foreign },
      stranger: accounts.stranger,
    }),
  )
  if (withdrawal === undefined) return
  await decide(services, chain, member, { planned: { ...planned, ...foreign }, withdrawal })
  if (withdrawal.status !== 'Withdrawable') return
  const { tx } = await services.claims.voucher(services.db, member.memberId, BigInt(withdrawal.withdraw_id))
  await chain.mineTogether([{ from: member.wallet, tx }])
  await chain.finalise()
}

/**
 * Sends a share of USDT to another member. The first transfer to a receiver is held, and two admins release
 * it.
 */
export async function transfer(world: World, { from, to, sharePpm }: Of<'transfer'>): Promise<void> {
  const { services, chain, team } = world
  const { db, consents, transfers } = services
  const amountMicros = await shareOf(world, from, { asset: 'USDT', sharePpm })
  if (amountMicros < LEAST_TRANSFER) return
  const sender = team.get(from)!
  const { memberId, wallet } = sender
  const { address } = team.get(to)!
  const wish = { kind: 'transfer', asset: 'USDT', amount: formatMicros(amountMicros), to: address } as const
  const consent = await consents.signWith(sender, wish, (typedData) => chain.signTyped(wallet, typedData))
  const sent = await tryOut(world, (dbTx) =>
    transfers.transfer(dbTx, memberId, { asset: 'USDT', amountMicros, address }, { consent }),
  )
  if (sent?.status !== 'Auditing') return
  const [row] = (await transfers.list(db, memberId, { direction: 'out', limit: 1 })).items
  const payload = { approve: true, transfers: [{ member_id: `${memberId}`, transfer_id: row!.transfer_id }] }
  await decideTogether(services, chain, {
    kind: 'transfers',
    payload,
    reason: 'Both members know each other',
    subject: transferSubject(memberId, row!.transfer_id),
  })
}

/** Exchanges hash power, up to the member's balance. */
export async function exchangeSome(world: World, { member, to, rif }: Of<'exchange'>): Promise<void> {
  const { unsigned, team } = world
  if (!team.has(member)) return
  const key = `history/${world.nextNumber()}`
  await tryOut(world, (dbTx) => exchangeOnce(unsigned, dbTx, team, { key, exchange: { member, to, rif } }))
}
