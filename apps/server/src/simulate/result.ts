import type { ErrorCode } from '@rif/api-schema'
import {
  ASSETS,
  type Asset,
  type Day,
  dayOf,
  formatMicros,
  MEMBER_ACCOUNTS,
  type Micros,
  type RewardKind,
  type Side,
} from '@rif/rules'
import { readMembers } from '../db/read.ts'
import { type RecordedReward, rewardHistory } from '../modules/rewards/history.ts'
import type { Services } from '../services.ts'

/** A member of the scenario, with its data in the services. */
export interface NamedMember {
  readonly name: string
  readonly memberId: bigint
  readonly address: string
}

/** The trace of an event in the result: a refusal, or the rewards of an order or of a settled day. */
export type Trace =
  | { readonly refused: ErrorCode; readonly line: number }
  | { readonly orderId: bigint }
  | { readonly settledDay: Day }

/** Lines of the result; amounts are decimal texts with 6 decimals. */
export interface RewardLine {
  readonly type: 'reward'
  readonly day: string
  readonly kind: RewardKind
  readonly member: string
  readonly source: string | null
  readonly base: string
  readonly ratio_ppm: number
  readonly value: string
  readonly coverage_ppm: number
  readonly usdt: string
  readonly amc: string
  readonly flushed: string
}

export interface RefusedLine {
  readonly type: 'refused'
  readonly line: number
  readonly error: string
}

export interface MemberLine {
  readonly type: 'member'
  readonly member: string
  readonly parent: string | null
  readonly side: Side | null
  readonly level: number
  readonly valid: boolean
  readonly balances: AmountsByAsset
  readonly left_team_investment: string
  readonly right_team_investment: string
  readonly carry_left: string
  readonly carry_right: string
  readonly team_size_all: number
  readonly team_size_valid: number
  readonly remaining_dividends: string
  readonly manage_award_base: string
  readonly manage_level: number
}

export interface TotalsLine {
  readonly type: 'totals'
  readonly accounts: AmountsByAsset
  readonly sum: Readonly<Record<Asset, string>>
}

export type AmountsByAsset = Readonly<Record<string, Readonly<Record<string, string>>>>
export type ResultLine = RewardLine | RefusedLine | MemberLine | TotalsLine

const SETTLEMENT_ORDER: readonly RewardKind[] = ['PairingReward', 'ManagementReward', 'Interest']
const MEMBERS_AT_ONCE = 1_000
const WHOLE_TREE = 2 ** 31 - 1

/** Rewards and refusals in the order in which they happened. */
export async function rewardLines(
  { db }: Services,
  members: readonly NamedMember[],
  trace: readonly Trace[],
): Promise<(RewardLine | RefusedLine)[]> {
  const names = new Map(members.map(({ memberId, name }) => [memberId, name]))
  const ofOrder = new Map<bigint, RecordedReward[]>()
  const ofDay = new Map<string, RecordedReward[]>()
  for (const reward of await rewardHistory(db)) {
    if (SETTLEMENT_ORDER.includes(reward.type)) addTo(ofDay, reward.day, reward)
    else addTo(ofOrder, reward.orderId!, reward)
  }
  for (const rewards of ofDay.values()) rewards.sort(inSettlementOrder)

  const toLine = (reward: RecordedReward): RewardLine => ({
    type: 'reward',
    day: reward.day,
    kind: reward.type,
    member: names.get(reward.memberId)!,
    source: reward.sourceMemberId === null ? null : names.get(reward.sourceMemberId)!,
    base: formatMicros(reward.baseMicros),
    ratio_ppm: reward.ratioPpm,
    value: formatMicros(reward.valueMicros),
    coverage_ppm: reward.coveragePpm,
    usdt: formatMicros(reward.usdtMicros),
    amc: formatMicros(reward.amcMicros),
    flushed: formatMicros(reward.flushedMicros),
  })
  return trace.flatMap((left): (RewardLine | RefusedLine)[] => {
    if ('refused' in left) return [{ type: 'refused', line: left.line, error: left.refused }]
    const rewards = 'orderId' in left ? ofOrder.get(left.orderId) : ofDay.get(left.settledDay)
    return (rewards ?? []).map(toLine)
  })
}

/**
 * By batch, then by member in the order of joining, then by package in the order of payment: ids grow with
 * both.
 */
function inSettlementOrder(a: RecordedReward, b: RecordedReward): number {
  return (
    SETTLEMENT_ORDER.indexOf(a.type) - SETTLEMENT_ORDER.indexOf(b.type) ||
    Number(a.memberId - b.memberId) ||
    Number((a.orderId ?? 0n) - (b.orderId ?? 0n))
  )
}

/** Returns the present state of the members, in the order of joining. */
export async function memberLines(
  services: Services,
  members: readonly NamedMember[],
): Promise<MemberLine[]> {
  const { db, now, placement, ledger, shop, plans } = services
  const root = members[0]
  if (root === undefined) return []
  const names = new Map(members.map(({ memberId, name }) => [memberId, name]))
  const plan = await plans.planAt(db, dayOf(now().getTime()))
  const places = await placement.branch(db, root.memberId, WHOLE_TREE)
  const placeOf = new Map(places.map((place) => [place.memberId, place]))
  const carried = await services.settlement.carried()
  const reads = {
    member: services.members.memberRead,
    team: placement.teamRead(),
    balances: ledger.balancesRead,
    investments: shop.investmentsRead(plan),
  }
  const lines: MemberLine[] = []
  for (let start = 0; start < members.length; start += MEMBERS_AT_ONCE) {
    const some = members.slice(start, start + MEMBERS_AT_ONCE)
    const { answers } = await readMembers(
      db,
      some.map(({ memberId }) => memberId),
      reads,
    )
    for (const { name, memberId } of some) {
      const { member, team, balances, investments } = answers(memberId)
      const { left, right } = team
      const { parentId, side } = placeOf.get(memberId)!
      const carry = carried.get(memberId)!
      lines.push({
        type: 'member',
        member: name,
        parent: parentId === null ? null : names.get(parentId)!,
        side: parentId === null ? null : (side as Side),
        level: member.level,
        valid: member.validAt !== null,
        balances: balancesView(balances),
        left_team_investment: formatMicros(left.volumeMicros),
        right_team_investment: formatMicros(right.volumeMicros),
        carry_left: formatMicros(carry.carryLeftMicros),
        carry_right: formatMicros(carry.carryRightMicros),
        team_size_all: left.membersAll + right.membersAll,
        team_size_valid: left.membersValid + right.membersValid,
        remaining_dividends: formatMicros(investments.remainingDividendsMicros),
        manage_award_base: formatMicros(carry.manageBaseMicros),
        manage_level: carry.manageLevel,
      })
    }
  }
  return lines
}

function balancesView(balances: Readonly<Record<Asset, Readonly<Record<string, Micros>>>>): AmountsByAsset {
  return byAsset(
    ASSETS.flatMap((asset) =>
      MEMBER_ACCOUNTS.map((account) => ({ asset, account, micros: balances[asset][account]! })),
    ),
  )
}

/** The operator's accounts, and the sum over all accounts, members' and operator's. */
export async function totalsLine(
  { db, ledger }: Services,
  products: ReadonlyMap<string, bigint>,
): Promise<TotalsLine> {
  const names = new Map([...products].map(([name, productId]) => [`${productId}`, name]))
  const totals = (await ledger.flows.accountsNow(db)).map(({ account, ...total }) => ({
    ...total,
    account: account.replace(/^(fund_custody:)(\d+)$/, (_all, kind, id) => `${kind}${names.get(id)}`),
  }))
  const memberAccounts: readonly string[] = MEMBER_ACCOUNTS
  const sumOf = (asset: Asset) =>
    totals.filter((total) => total.asset === asset).reduce((sum, { micros }) => sum + micros, 0n)
  return {
    type: 'totals',
    accounts: byAsset(totals.filter(({ account }) => !memberAccounts.includes(account))),
    sum: Object.fromEntries(ASSETS.map((asset) => [asset, formatMicros(sumOf(asset))])) as TotalsLine['sum'],
  }
}

/** Amounts without zeros, and without assets that have no balance. */
function byAsset(
  amounts: readonly { readonly asset: Asset; readonly account: string; readonly micros: Micros }[],
): AmountsByAsset {
  const result: Record<string, Record<string, string>> = {}
  for (const asset of ASSETS) {
    const assetAmounts = amounts.filter((amount) => amount.asset === asset && amount.micros !== 0n)
    if (assetAmounts.length > 0) {
      result[asset] = Object.fromEntries(
        assetAmounts.map(({ account, micros }) => [account, formatMicros(micros)]),
      )
    }
  }
  return result
}

function addTo<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [item])
  else group.push(item)
}
