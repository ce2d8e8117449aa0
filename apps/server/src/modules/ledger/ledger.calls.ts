import { PAYMENT_ASSETS } from '@rif/rules'
import { isPoolAccount, type LedgerAccount } from './ledger.accounts.ts'

/** The lines of a transaction for `ledger_post`: one array element per line. */
export interface PostingArrays {
  readonly memberIds: readonly bigint[]
  readonly assets: readonly string[]
  readonly sources: readonly string[]
  readonly destinations: readonly string[]
  readonly amounts: readonly bigint[]
}

export interface PostCall extends PostingArrays {
  readonly key: string
  readonly kind: string
  readonly causeType: string
  readonly causeId: string
  readonly accountingDay: string
  readonly at: Date
  readonly reversesKey: string | null
}

/**
 * A posting function of the database. Its call has a constant text, so that it is prepared once per
 * connection.
 */
interface PostFunction {
  readonly text: string
}

/** A call of a posting function. */
interface FunctionCall extends PostFunction {
  readonly values: readonly unknown[]
}

const postFunction = (name: string, ...types: readonly string[]): PostFunction => {
  const places = types.map((_, index) => `$${index + 1}`)
  return { text: `select ${name}(${places.join(', ')}) as posted` }
}

const CAUSE = ['text', 'text', 'date', 'timestamptz'] as const
const TRANSFER = postFunction(
  ...(['ledger_post_transfer', 'text', ...CAUSE, 'bigint', 'bigint', 'text', 'bigint'] as const),
)
const OWN = postFunction(
  ...([
    'ledger_post_own',
    'text',
    'text',
    ...CAUSE,
    'bigint',
    'text',
    'text',
    'text',
    'bigint',
    'text',
    'bigint',
  ] as const),
)
const ANY = postFunction(
  ...([
    'ledger_post',
    'text',
    'text',
    ...CAUSE,
    'bigint[]',
    'text[]',
    'text[]',
    'text[]',
    'bigint[]',
    'text',
  ] as const),
)

/**
 * Returns the call that posts a transaction. All three functions do the same; the two for the usual shapes take single values, which
 * cost the database a third less than arrays (decision 3).
 */
export function functionCallOf(call: PostCall): FunctionCall {
  const { key, kind, causeType, causeId, accountingDay, at, reversesKey } = call
  const { memberIds, assets, sources, destinations, amounts } = call
  if (isTransfer(call)) {
    const values = [key, causeType, causeId, accountingDay, at, ...memberIds, assets[0], amounts[0]]
    return { ...TRANSFER, values }
  }
  const common = [key, kind, causeType, causeId, accountingDay, at]
  if (isOwn(call)) {
    const first = [memberIds[0], assets[0], sources[0], destinations[0], amounts[0]]
    return { ...OWN, values: [...common, ...first, destinations[1] ?? '', amounts[1] ?? 0n] }
  }
  return { ...ANY, values: [...common, memberIds, assets, sources, destinations, amounts, reversesKey] }
}

/** Reports whether a transaction has the shape of a transfer for `ledger_post_transfer`. */
function isTransfer({
  kind,
  memberIds,
  assets,
  sources,
  destinations,
  amounts,
  reversesKey,
}: PostCall): boolean {
  return (
    kind === 'transfer' &&
    reversesKey === null &&
    `${sources} ${destinations}` === 'available,clearing clearing,available' &&
    memberIds[0] !== memberIds[1] &&
    assets[0] === assets[1] &&
    (PAYMENT_ASSETS as readonly (string | undefined)[]).includes(assets[0]) &&
    amounts[0] === amounts[1]
  )
}

/**
 * Reports whether a transaction moves one asset of one member from one account, other than a pool, to at most
 * two others.
 */
function isOwn({ memberIds, assets, sources, destinations, reversesKey }: PostCall): boolean {
  const { length } = memberIds
  return (
    reversesKey === null &&
    (length === 1 ||
      (length === 2 &&
        memberIds[0] === memberIds[1] &&
        assets[0] === assets[1] &&
        sources[0] === sources[1])) &&
    !isPoolAccount(sources[0] as LedgerAccount) &&
    !destinations.includes('clearing')
  )
}
