import type { Refusal, RefusalLevel, RouteData } from '@rif/api-schema'
import type { Db } from '../../../db/database.ts'
import { forAll } from '../../../db/lanes.ts'
import { type Read, read } from '../../../db/read.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import { sharedFor } from '../../../lib/shared-for.ts'
import type { Entry, ReachList } from './reach.repository.ts'
import * as repository from './reach.repository.ts'

/** A change of a list that two persons approved. */
export interface ReachChange {
  readonly list: ReachList
  readonly action: 'refuse' | 'serve'
  /** Countries (ISO 3166-1 alpha-2), or wallets in lower case. */
  readonly values: readonly string[]
  readonly level: RefusalLevel
  readonly reason: string
  readonly approvedBy: string
}

/** The origin of a request: the country stated by the proxy, and the wallet in lower case. */
export interface Visitor {
  readonly country: string | null
  readonly address?: string | undefined
}

/** The time for which the edge caches the lists. Operations that take money read the database. */
const KEPT_MS = 5_000

/** Throws NOT_SERVED for a refused wallet in lower case; with `level`, only for that level of refusal. */
export async function requireAddressServed(db: Db, address: string, level?: RefusalLevel): Promise<void> {
  const refusal = await repository.ofAddress(db, address)
  if (level === undefined || refusal?.level === level) refuse(refusal)
}

/** Returns the read of the reason why a wallet in lower case is refused; null for all others. */
export const addressRefusalRead = (address: string): Read<Refusal | null> =>
  read<Refusal, Refusal | null>(
    () => repository.refusalOfAddress(address),
    (refusal) => refusal ?? null,
  )

/** Throws NOT_SERVED with the refusal, if there is one. */
export function refuse(refusal: Refusal | null | undefined): void {
  if (refusal) throw new AppError('NOT_SERVED', { ...refusal })
}

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Reports whether a text is a country code. */
export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && !['ZZ', 'XA', 'XB'].includes(code) && REGIONS.of(code) !== undefined

export type ReachService = ReturnType<typeof createReach>

/** Creates the service of countries and wallets that the operator may not serve. */
export function createReach({ db, now }: { db: Db; now: Now }) {
  const load = async () => {
    const [countries, addresses] = await Promise.all([
      repository.entries(db, 'countries'),
      repository.entries(db, 'addresses'),
    ])
    const byValue = (list: Entry[]) => new Map(list.map((item) => [item.value, item]))
    return { countries: byValue(countries), addresses: byValue(addresses) }
  }
  const read = () => sharedFor(KEPT_MS, () => forAll('reads', load))
  let lists = read()

  return {
    entries: repository.entries,

    /**
     * Returns the reason why a visitor is not served, the stricter one of two; null for all others. At most 5
     * s old.
     */
    async refusalOf({ country, address }: Visitor): Promise<Refusal | null> {
      if (country === null && address === undefined) return null
      const { countries, addresses } = await lists()
      const refusal = (by: Refusal['by'], entry: Entry | undefined): Refusal[] =>
        entry === undefined ? [] : [{ by, level: entry.level, value: entry.value, reason: entry.reason }]
      const refusals = [
        ...refusal('address', address === undefined ? undefined : addresses.get(address)),
        ...refusal('country', country === null ? undefined : countries.get(country)),
      ]
      return refusals.find(({ level }) => level === 'no_service') ?? refusals[0] ?? null
    },

    /** Applies a list change that two persons approved. */
    async change(dbTx: Db, { list, action, values, ...entry }: ReachChange): Promise<{ values: string[] }> {
      const rows = values.map((value) => ({ value, ...entry, changedAt: now() }))
      if (action === 'refuse') await repository.putRefusal(dbTx, list, rows)
      else await repository.removeRefusal(dbTx, list, values)
      // Before the commit, so the lists may be read once more in their old state; they are cached for five
      // seconds.
      lists = read()
      return { values: [...values] }
    },

    async view(knowsCountry: boolean): Promise<RouteData<'reach'>> {
      const viewOf = ({ value, level, reason, approvedBy, changedAt }: Entry) => ({
        value,
        level,
        reason,
        approved_by: approvedBy,
        changed_at: changedAt.toISOString(),
      })
      const [countries, addresses] = await Promise.all([
        repository.entries(db, 'countries'),
        repository.entries(db, 'addresses'),
      ])
      return {
        knows_country: knowsCountry,
        countries: countries.map(viewOf),
        addresses: addresses.map(viewOf),
      }
    },
  }
}
