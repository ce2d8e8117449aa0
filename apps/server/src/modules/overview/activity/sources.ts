import type { Activity } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../../db/database.ts'
import type { HistoryEntry } from '../../books/ledger/ledger.service.ts'
import type { Fund } from '../../fund/fund.service.ts'
import type { AddressesService } from '../../leaving/leaving.addresses.service.ts'
import type { TransfersService } from '../../leaving/transfers/transfers.service.ts'
import type { WithdrawalsService } from '../../leaving/withdrawals/withdrawals.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { RewardsService } from '../../rewards/rewards.service.ts'
import type { SavingsAccounts } from '../../savings/savings.account.service.ts'
import type { Shop } from '../../shop/shop.service.ts'

export interface SourcesDeps {
  readonly members: Pick<MembersService, 'addresses'> & {
    readonly labels: Pick<MembersService['labels'], 'named'>
  }
  readonly contacts: Pick<AddressesService, 'labels'>
  readonly rewards: Pick<RewardsService, 'sharesOf'>
  readonly savingsAccounts: Pick<SavingsAccounts, 'interestOn'>
  readonly shop: Pick<Shop, 'packageNames' | 'namesOfOrders'>
  readonly transfers: Pick<TransfersService, 'counterpartsOf'>
  readonly withdrawals: Pick<WithdrawalsService, 'receiversOf'>
  readonly fund: { readonly overview: Pick<Fund['overview'], 'sourcesOf'> }
}

/** Describes a transaction with data from other modules. */
export type ActivityFacts = Pick<Activity, 'title' | 'reward_id' | 'due' | 'source'>

const NUMBER = /^[1-9][0-9]{0,17}$/

/** Returns the numbers of the causes of one type, as far as they are numbers. */
function idsOf(entries: readonly HistoryEntry[], type: string): bigint[] {
  const ids = entries.filter(({ cause }) => cause.type === type && NUMBER.test(cause.id))
  return [...new Set(ids.map(({ cause }) => BigInt(cause.id)))]
}

const idOf = ({ cause }: HistoryEntry, type: string): bigint | null =>
  cause.type === type && NUMBER.test(cause.id) ? BigInt(cause.id) : null

/**
 * Creates the reader of the causes of transactions and of the amounts due: records of rewards, interest and
 * departures.
 */
export function createSources(deps: SourcesDeps) {
  const { members, contacts, rewards, savingsAccounts, shop, transfers, withdrawals, fund } = deps

  async function read(db: Db, memberId: bigint, entries: readonly HistoryEntry[]) {
    const interestDays = entries.filter(isInterest).map(({ accountingDay }) => accountingDay)
    const [shares, titles, interest, counterparts, receivers, products] = await Promise.all([
      rewards.sharesOf(
        db,
        memberId,
        entries.map(({ key }) => key),
      ),
      shop.packageNames(db, memberId, idsOf(entries, 'order')),
      savingsAccounts.interestOn(db, memberId, interestDays),
      transfers.counterpartsOf(db, memberId, idsOf(entries, 'transfer')),
      withdrawals.receiversOf(db, memberId, idsOf(entries, 'withdrawal')),
      fund.overview.sourcesOf(db, memberId, {
        orderIds: idsOf(entries, 'fund_order'),
        redemptionIds: idsOf(entries, 'fund_redemption'),
      }),
    ])
    const orders = [...shares.values()].flatMap(({ sourceMemberId, orderId }) =>
      sourceMemberId === null || orderId === null ? [] : [{ memberId: sourceMemberId, orderId }],
    )
    const others = [
      ...orders.map((order) => order.memberId),
      ...counterparts.values(),
      ...products.flatMap(({ sourceMemberId }) => sourceMemberId ?? []),
    ]
    const [packages, addresses, labels] = await Promise.all([
      shop.namesOfOrders(db, orders),
      others.length === 0 ? new Map<bigint, string>() : members.addresses(db, [...new Set(others)]),
      members.labels.named(db, memberId, others),
    ])
    const names = await contacts.labels(db, memberId, [...addresses.values(), ...receivers.values()])
    return { shares, titles, interest, counterparts, receivers, products, packages, addresses, labels, names }
  }

  type Found = Awaited<ReturnType<typeof read>>

  /**
   * Returns the counterparty of a transaction, a member or the wallet of a withdrawal, with the member's own
   * name for it.
   */
  function otherSide(
    entry: HistoryEntry,
    facts: Found,
  ): { address?: string | undefined; label?: string | undefined } {
    const transfer = idOf(entry, 'transfer')
    const withdrawal = idOf(entry, 'withdrawal')
    const other =
      facts.shares.get(entry.key)?.sourceMemberId ??
      (transfer === null ? null : facts.counterparts.get(transfer)) ??
      productOf(entry, facts)?.sourceMemberId
    const address =
      other != null
        ? facts.addresses.get(other)
        : withdrawal === null
          ? undefined
          : facts.receivers.get(withdrawal)
    if (address === undefined) return {}
    return { address, label: (other != null && facts.labels.get(other)) || facts.names.get(address) }
  }

  function dueOf(entry: HistoryEntry, { shares, interest }: Found): Activity['due'] {
    const share = shares.get(entry.key)
    if (share !== undefined)
      return [{ asset: 'USDT', due: formatMicros(share.dueMicros), paid: formatMicros(share.paidMicros) }]
    if (!isInterest(entry)) return []
    return interest
      .filter(({ day }) => day === entry.accountingDay)
      .map(({ asset, dueMicros, paidMicros }) => ({
        asset,
        due: formatMicros(dueMicros),
        paid: formatMicros(paidMicros),
      }))
  }

  /** Returns the facts of some transactions of a member, in their order. */
  return async (db: Db, memberId: bigint, entries: readonly HistoryEntry[]): Promise<ActivityFacts[]> => {
    const facts = await read(db, memberId, entries)
    return entries.map((entry) => {
      const share = facts.shares.get(entry.key)
      const order = idOf(entry, 'order')
      const { address, label } = otherSide(entry, facts)
      const bought = share?.orderId == null ? undefined : facts.packages.get(share.orderId)
      return {
        title: order === null ? null : (facts.titles.get(order) ?? null),
        reward_id: share?.single == null ? null : `${share.single.rewardId}`,
        due: dueOf(entry, facts),
        source: {
          address: address === undefined ? null : getAddress(address as Hex),
          label: label ?? null,
          name: bought ?? productOf(entry, facts)?.productName ?? null,
          rewards: share?.count ?? 0,
          base: share?.single == null ? null : formatMicros(share.single.baseMicros),
          ratio_ppm: share?.single?.ratioPpm ?? null,
        },
      }
    })
  }
}

const isInterest = ({ kind }: HistoryEntry) => kind === 'savings_interest'

/** The fund product of a transaction. An income belongs to the redemption of another member. */
function productOf(
  entry: HistoryEntry,
  { products }: { products: Awaited<ReturnType<Fund['overview']['sourcesOf']>> },
) {
  const isIncome = entry.kind === 'fund_income'
  return products.find(
    ({ type, id, sourceMemberId }) => idOf(entry, type) === id && (sourceMemberId !== null) === isIncome,
  )
}
