import { dayOf, isExchangeTarget, isWalletAddress } from '@rif/rules'
import { applyFinal } from '../chain/indexer/events.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import type { Services } from '../services.ts'
import {
  type Actions,
  holderActions,
  type Products,
  productActions,
  requireFromOutside,
  treasuryActions,
} from './fund-actions.ts'
import type { NamedMember, Trace } from './result.ts'
import { addressOf, createBankEvents, hashOfText } from './simulated-chain.ts'

export interface ActionDeps {
  readonly services: Services
  /** Filled by `join`, in the order of joining. */
  readonly members: Map<string, NamedMember>
  readonly products: Products
  /** Receives the causes of rewards: the paid orders. */
  readonly trace: Trace[]
}

/**
 * Returns the wallet that an address of a scenario stands for. The format accepts any address: also one in mixed case
 * without a valid checksum, and one kept for precompiles, which the product refuses and the format has no code for.
 */
function walletOf(address: string): string {
  const lower = address.toLowerCase()
  return isWalletAddress(lower) ? lower : lower.replace('0x0', '0xf')
}

/** More withdrawals than a member can have in a scenario. */
const ALL = 2 ** 31 - 2

/**
 * Each event in terms of the services; an event without an action cannot be simulated yet. The actions decide
 * only on matters of the format: which member a name refers to, and which of several withdrawals an event
 * concerns.
 */
export function createActions({ services, members, products, trace }: ActionDeps): Actions {
  const { ledger, shop, plans, pricing, hashPowerGrants, exchange, now } = services
  const bankEvents = createBankEvents(services.chain)

  function memberNamed(name: string): NamedMember {
    const member = members.get(name)
    if (member === undefined) throw new AppError('MEMBER_NOT_FOUND')
    return member
  }

  return {
    async price(dbTx, { asset, usdt }) {
      if (asset !== 'AMC' && asset !== 'RIF') throw new AppError('ASSET_NOT_ALLOWED')
      await pricing.publish(dbTx, { asset, priceMicros: usdt, actor: 'scenario' })
    },

    async join(dbTx, { member: name, sponsor, side }) {
      const sponsorId = sponsor === null ? null : members.get(sponsor)?.memberId
      if (sponsorId === undefined) throw new AppError('SPONSOR_NOT_FOUND')
      if (members.has(name)) throw new AppError('MEMBER_EXISTS')
      const address = addressOf(name)
      const joined =
        sponsorId === null
          ? await services.members.createRoot(dbTx, address)
          : await services.members.join(dbTx, { address, sponsorId, side })
      members.set(name, { name, memberId: joined.memberId, address: joined.address })
    },

    async order(dbTx, { member: name, package: packageName, hash_power: useHashRate, at }) {
      const member = memberNamed(name)
      const plan = await plans.planAt(dbTx, dayOf(at.getTime()))
      const terms = plan.packages.find((candidate) => candidate.name === packageName)
      if (terms === undefined) throw new AppError('PACKAGE_NOT_FOUND')
      const order = await shop.create(dbTx, member, { productId: BigInt(terms.level), useHashRate })
      await applyFinal(services.eventHandlers, dbTx, [bankEvents.orderPaid(order, at)])
      trace.push({ orderId: BigInt(order.order_id) })
    },

    async grant(dbTx, { member: name, asset, amount: amountMicros, line }) {
      const { memberId } = memberNamed(name)
      const key = `scenario/${line}`
      if (asset === 'VC' || asset === 'DIV') throw new AppError('ASSET_NOT_ALLOWED')
      await requireFromOutside(dbTx, services, asset, amountMicros)
      if (asset === 'RIF') {
        const by = { preparedBy: 'preparer', approvedBy: 'approver' }
        await hashPowerGrants.give(dbTx, by, [{ key, memberId, amountMicros, reason: key }])
        return
      }
      const at = now()
      await ledger.post(dbTx, {
        key: `grant/${key}`,
        kind: 'grant',
        cause: { type: 'scenario', id: `${line}` },
        accountingDay: dayOf(at.getTime()),
        at,
        lines: [{ memberId, asset, source: 'external', destination: 'available', amountMicros }],
      })
    },

    async attest(dbTx, event) {
      const { pool, asset, amount: amountMicros, at, line } = event
      if (asset !== 'USDT' && asset !== 'AMC') throw new AppError('ASSET_NOT_ALLOWED')
      await requireFromOutside(dbTx, services, asset, amountMicros)
      const deposit = {
        asset,
        amountMicros,
        documentHash: hashOfText(`document ${line}`),
        depositId: BigInt(line),
      }
      const source = `line ${line}`
      const draft = { ...deposit, pool, source, actor: 'preparer' }
      const { attestationId } = await services.attestedRevenue.prepare(dbTx, draft)
      const deposited = bankEvents.revenueDeposited({ ...deposit, label: hashOfText(source) }, at)
      await applyFinal(services.eventHandlers, dbTx, [deposited])
      await services.attestedRevenue.approve(dbTx, { attestationId, actor: 'approver' })
    },

    async exchange(dbTx, { member: name, to, amount: rifMicros }) {
      const { memberId } = memberNamed(name)
      if (!isExchangeTarget(to)) throw new AppError('ASSET_NOT_ALLOWED')
      const { quote_id } = await exchange.quote(dbTx, memberId, { to, rifMicros })
      await exchange.make(dbTx, memberId, BigInt(quote_id))
    },

    async management(dbTx, { member: name, action }) {
      await services.management.set(dbTx, memberNamed(name).memberId, action === 'pause')
    },

    async savings(dbTx, { member: name, asset, amount: amountMicros, direction }) {
      const { memberId } = memberNamed(name)
      if (asset !== 'USDT' && asset !== 'AMC') throw new AppError('ASSET_NOT_ALLOWED')
      const { transferIn, transferOut } = services.savings
      await (direction === 'in' ? transferIn : transferOut)(dbTx, memberId, { asset, amountMicros })
    },

    async transfer(dbTx, { from, to, asset, amount: amountMicros }) {
      const { memberId } = memberNamed(from)
      // The address of an unknown name is one that is not registered.
      const address = members.get(to)?.address ?? addressOf(to)
      await services.transfers.transfer(dbTx, memberId, { asset, amountMicros, address })
    },

    ...withdrawalActions(services, memberNamed, bankEvents),
    ...productActions(services, products),
    ...holderActions(services, memberNamed, products),
    ...treasuryActions(services),
  }
}

function withdrawalActions(
  services: Services,
  memberNamed: (name: string) => NamedMember,
  bankEvents: ReturnType<typeof createBankEvents>,
): Actions {
  const { withdrawals, withdrawalReview } = services

  /** Returns the oldest of a member's withdrawals in one of the given states. */
  async function oldest(dbTx: Db, memberId: bigint, statuses: readonly ('Auditing' | 'Withdrawable')[]) {
    const { items } = await withdrawals.list(dbTx, memberId, { limit: ALL })
    return items.findLast((item) => statuses.some((status) => status === item.status))
  }

  return {
    async withdraw(dbTx, { member: name, asset, amount: amountMicros, to }) {
      const { memberId } = memberNamed(name)
      if (asset !== 'USDT' && asset !== 'AMC') throw new AppError('ASSET_NOT_ALLOWED')
      const address = to == null || to === name ? undefined : walletOf(to)
      await withdrawals.request(dbTx, memberId, { asset, amountMicros, address })
    },

    async withdraw_review(dbTx, { member: name, decision, line }) {
      const { memberId } = memberNamed(name)
      const withdrawal = await oldest(dbTx, memberId, ['Auditing'])
      if (withdrawal === undefined) throw new AppError('NOTHING_TO_REVIEW')
      await withdrawalReview.decide(dbTx, {
        memberId,
        withdrawalId: BigInt(withdrawal.withdraw_id),
        approve: decision === 'approve',
        actor: 'scenario',
        reason: `line ${line}`,
      })
    },

    async withdraw_cancel(dbTx, { member: name }) {
      const { memberId } = memberNamed(name)
      const withdrawal = await oldest(dbTx, memberId, ['Auditing', 'Withdrawable'])
      if (withdrawal === undefined) throw new AppError('NOTHING_TO_CANCEL')
      const withdrawalId = BigInt(withdrawal.withdraw_id)
      await withdrawals.cancel(
        dbTx,
        memberId,
        await withdrawals.requireUnclaimed(dbTx, memberId, withdrawalId),
      )
    },

    async claim(dbTx, { member: name, at }) {
      const { memberId } = memberNamed(name)
      const withdrawal = await oldest(dbTx, memberId, ['Withdrawable'])
      if (withdrawal === undefined) throw new AppError('NOTHING_TO_CLAIM')
      await applyFinal(services.eventHandlers, dbTx, [bankEvents.claimed(withdrawal, at)])
    },
  }
}
