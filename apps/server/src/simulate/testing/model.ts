import { arrive, exchange, finish, join, order, save, transfer, withdraw } from './model-events.ts'
import { fundActions, payRedemptions } from './model-fund.ts'
import { addCarries, settle } from './model-settlement.ts'
import {
  createWorld,
  DEFAULT_TERMS,
  dayAfter,
  type Event,
  micros,
  type Person,
  part,
  Refused,
  sum,
  type Terms,
  team,
  text,
  type World,
} from './model-world.ts'

/** Creates the oracle: its world, and `act`, which applies an event or throws `Refused`. */
export function createModel(firstDay: string, terms: Terms = DEFAULT_TERMS) {
  const world = createWorld(terms)
  const actions = createActions(world, firstDay)
  return { world, act: (event: Event): void => actions[event.type]!(event) }
}

/** Returns the expected result lines of a scenario; null stands for a blank line. */
export function expectedLines(events: (Event | null)[], terms?: Terms): Event[] {
  const { world, act } = createModel(events.find((event) => event !== null)!.at.slice(0, 10), terms)
  for (const [index, event] of events.entries()) {
    if (event === null) continue
    arrive(world, Date.parse(event.at))
    payRedemptions(world, Date.parse(event.at))
    try {
      act(event)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      world.lines.push({ type: 'refused', line: index + 1, error: error.message })
    }
    payRedemptions(world, Date.parse(event.at))
  }

  return [...world.lines, ...finalLines(world, events.at(-1)!.at.slice(0, 10))]
}

/** Creates the action of each type of event. */
function createActions(world: World, firstDay: string) {
  const { named, give, book, bookPool, prices } = world
  world.settled = dayAfter(firstDay, -1)
  const actions: Record<string, (event: Event) => void> = {
    join: (event) => join(world, event),
    order: (event) => order(world, event),
    withdraw: (event) => withdraw(world, event),
    savings: (event) => save(world, event),
    transfer: (event) => transfer(world, event),
    exchange: (event) => exchange(world, event),
    ...fundActions(world),
    price(event) {
      if (event.asset !== 'AMC' && event.asset !== 'RIF') throw new Refused('ASSET_NOT_ALLOWED')
      if (micros(event.usdt) <= 0n) throw new Refused('INVALID_AMOUNT')
      prices.push({ asset: event.asset, price: micros(event.usdt), at: Date.parse(event.at) })
    },
    grant(event) {
      const person = named(event.member)
      if (event.asset === 'VC' || event.asset === 'DIV') throw new Refused('ASSET_NOT_ALLOWED')
      fromOutside(world, event.asset, micros(event.amount))
      give(person, `${event.asset} available`, micros(event.amount))
      book(`${event.asset} external`, -micros(event.amount))
    },
    attest(event) {
      if (event.asset !== 'USDT' && event.asset !== 'AMC') throw new Refused('ASSET_NOT_ALLOWED')
      fromOutside(world, event.asset, micros(event.amount))
      bookPool(event.pool, event.asset, event.at.slice(0, 10), micros(event.amount))
      book(`${event.asset} external`, -micros(event.amount))
    },
    management(event) {
      named(event.member).pauses.push({ day: event.at.slice(0, 10), paused: event.action === 'pause' })
    },
    cap(event) {
      named(event.member).caps.push({ day: event.at.slice(0, 10), cap: event.cap })
    },
    withdraw_review: (event) =>
      finish(
        world,
        event,
        ['Auditing'],
        'NOTHING_TO_REVIEW',
        event.decision === 'approve' ? 'Withdrawable' : 'Rejected',
      ),
    withdraw_cancel: (event) =>
      finish(world, event, ['Auditing', 'Withdrawable'], 'NOTHING_TO_CANCEL', 'Cancelled'),
    claim: (event) => finish(world, event, ['Withdrawable'], 'NOTHING_TO_CLAIM', 'Success'),
    close_day({ day, at }) {
      if (at < `${dayAfter(day)}T`) throw new Refused('DAY_NOT_ENDED')
      if (day > dayAfter(world.settled)) throw new Refused('DAY_OUT_OF_ORDER')
      if (day <= world.settled) return
      settle(world, day)
      world.settled = day
    },
  }
  return actions
}

/** Refuses an amount that is out of range, or that would take `external` out of its range. */
function fromOutside({ accounts }: World, asset: string, amount: bigint): void {
  const isAmount = amount > 0n && amount < 2n ** 63n
  if (!isAmount || (accounts[`${asset} external`] ?? 0n) - amount < -(2n ** 63n))
    throw new Refused('INVALID_AMOUNT')
}

/** Returns the members and totals at the end of the last day. */
function finalLines(world: World, last: string): Event[] {
  const { terms, people, accounts, levelAt } = world
  const lines: Event[] = []
  for (let day = dayAfter(world.settled); day <= last; day = dayAfter(day)) {
    addCarries(world, day, (person, side, amount) => {
      person.carry[side] += amount
    })
  }
  const nested = (amounts: Record<string, bigint>) => {
    const result: Record<string, Record<string, string>> = {}
    for (const [key, amount] of Object.entries(amounts)) {
      // The name of a product may have spaces.
      const [asset, account] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)]
      if (amount !== 0n) result[asset] = { ...result[asset], [account]: text(amount) }
    }
    return result
  }
  const volume = (side: Person | undefined) =>
    text(sum(team(side).flatMap((person) => person.orders.map((entry) => entry.base))))
  for (const person of people) {
    const below = team(person).slice(1)
    lines.push({
      type: 'member',
      member: person.name,
      parent: person.parent?.name ?? null,
      side: person.side,
      level: levelAt(person, '9999'),
      valid: person.orders.length > 0,
      balances: nested(person.balances),
      left_team_investment: volume(person.left),
      right_team_investment: volume(person.right),
      carry_left: text(person.carry.left),
      carry_right: text(person.carry.right),
      team_size_all: below.length,
      team_size_valid: below.filter((entry) => entry.orders.length > 0).length,
      remaining_dividends: text(
        sum(person.orders.map((entry) => part(entry.price, terms.interestCap) - entry.staticPaid)),
      ),
      manage_award_base: text(person.base),
      manage_level: terms.ranks.filter(([from]) => person.base >= from).length,
    })
  }
  const sums = Object.fromEntries(['USDT', 'AMC', 'RIF', 'VC', 'DIV'].map((asset) => [asset, '0.000000']))
  lines.push({ type: 'totals', accounts: nested(accounts), sum: sums })
  return lines
}
