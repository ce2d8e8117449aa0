import {
  type FoundAddress,
  type FoundOrder,
  type RouteData,
  type RouteRequest,
  SEARCH_SHOWN,
} from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import { unpackFundOrderId, unpackOnChainId } from '../../../chain/onchain-id.ts'
import type { Db } from '../../../db/database.ts'
import type { Fund } from '../../fund/fund.service.ts'
import type { AddressesService } from '../../leaving/leaving.addresses.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { Shop } from '../../shop/shop.service.ts'
import type { ActivityService } from '../activity/activity.service.ts'

interface Deps {
  readonly activity: Pick<ActivityService, 'list'>
  readonly shop: Pick<Shop, 'foundOrders'>
  readonly fund: { readonly orders: Pick<Fund['orders'], 'search'> }
  readonly contacts: Pick<AddressesService, 'knownAddresses'>
  readonly members: Pick<MembersService, 'team' | 'teamSearch'>
}

/** The records that a search text may identify, besides parts of words. */
interface Wanted {
  readonly text: string
  /** The number of an order; null for other texts. */
  readonly orderId: bigint | null
  /** The kind of order that an on-chain id belongs to. */
  readonly only: FoundOrder['kind'] | null
  readonly txHash: string | null
}

export type MemberSearchService = ReturnType<typeof createMemberSearch>

/** Creates the search of a member's own activity, orders and addresses. Each group is read up to a limit. */
export function createMemberSearch({ activity, shop, fund, contacts, members }: Deps) {
  async function orders(db: Db, memberId: bigint, { only, ...wanted }: Wanted): Promise<FoundOrder[]> {
    const most = SEARCH_SHOWN + 1
    const [packages, units] = await Promise.all([
      only === 'fund' ? [] : shop.foundOrders(db, memberId, wanted, most),
      only === 'package' ? [] : fund.orders.search(db, memberId, wanted, most),
    ])
    const foundOrders: FoundOrder[] = [
      ...packages.map((row) => ({
        kind: 'package' as const,
        order_id: `${row.order_id}`,
        name: row.package_name,
        status: row.status,
        amount: formatMicros(row.price_micros),
        at: row.created_at.toISOString(),
      })),
      ...units.map((row) => ({
        kind: 'fund' as const,
        order_id: `${row.orderId}`,
        name: row.name,
        status: row.status,
        amount: formatMicros(row.worthMicros),
        at: row.at.toISOString(),
      })),
    ]
    return foundOrders.sort((order, other) => other.at.localeCompare(order.at))
  }

  /** Returns addresses with a name or note or that were used, followed by team members. */
  async function addresses(db: Db, memberId: bigint, { text }: Wanted): Promise<FoundAddress[]> {
    const [knownAs, search] = await Promise.all([
      contacts.knownAddresses(db, memberId),
      members.teamSearch(db, memberId, text),
    ])
    const team = await members.team(db, { memberId, scope: 'all', search, limit: SEARCH_SHOWN + 1 })
    const teamIds = new Map(team.items.map(({ member }) => [member.address, `${member.memberId}`]))
    const wanted = text.toLowerCase()
    const isMatch = ([address, { name, note }]: readonly [
      string,
      { name: string | null; note: string | null },
    ]) => [address, name, note].some((part) => part?.toLowerCase().includes(wanted))
    const matches = new Set([...[...knownAs].filter(isMatch).map(([address]) => address), ...teamIds.keys()])
    return [...matches].slice(0, SEARCH_SHOWN + 1).map((address) => ({
      address: getAddress(address as Hex),
      name: knownAs.get(address)?.name ?? null,
      note: knownAs.get(address)?.note ?? null,
      member_id: teamIds.get(address) ?? null,
    }))
  }

  return {
    /**
     * Searches a member's own records: activity by amount, number, claim or package, and by `kinds`; orders
     * by number, hash or name; addresses by name, note, number or prefix. Returns at most `SEARCH_SHOWN` of
     * each; `more` is true if there are others.
     */
    async find(
      db: Db,
      memberId: bigint,
      { q, kinds }: RouteRequest<'memberSearch'>['query'],
    ): Promise<RouteData<'memberSearch'>> {
      const wanted = readWanted(q, memberId)
      const [events, foundOrders, foundAddresses] = await Promise.all([
        activity.list(db, memberId, { q: wanted.text, kinds, limit: SEARCH_SHOWN }),
        orders(db, memberId, wanted),
        addresses(db, memberId, wanted),
      ])
      return {
        activity: { items: events.items, more: events.next !== null },
        orders: shown(foundOrders),
        addresses: shown(foundAddresses),
      }
    },
  }
}

const shown = <T>(items: T[]) => ({ items: items.slice(0, SEARCH_SHOWN), more: items.length > SEARCH_SHOWN })

/** Parses a number, an on-chain id, which also contains the member, or a transaction hash. */
function readWanted(q: string, memberId: bigint): Wanted {
  const text = q.trim()
  const nothing = { text, orderId: null, only: null, txHash: null }
  if (/^0x[0-9a-f]{64}$/i.test(text)) return { ...nothing, txHash: text.toLowerCase() }
  if (!/^[1-9][0-9]*$/.test(text)) return nothing
  if (text.length <= 18) return { ...nothing, orderId: BigInt(text) }
  try {
    const fund = unpackFundOrderId(BigInt(text))
    const { memberId: owner, id } = fund ?? unpackOnChainId(BigInt(text))
    if (owner !== memberId) return nothing
    return { text: `${id}`, orderId: id, only: fund === null ? 'package' : 'fund', txHash: null }
  } catch {
    return nothing
  }
}
