import { MEMBER_VIEWS, TABLE_CLASSES, type TableClass } from './table-classes.ts'

/** The location of a statement's tables: on the coordinator, with their member, or both. */
export type Place = 'coordinator' | 'members' | 'both'

const anyOf = (names: readonly string[]) => new RegExp(`\\b(${names.join('|')})\\b`)
const tablesOf = (kind: TableClass) =>
  Object.keys(TABLE_CLASSES).filter((table) => TABLE_CLASSES[table] === kind)
const COORDINATORS = anyOf(tablesOf('coordinator'))
const MEMBERS = anyOf([...tablesOf('distributed'), ...MEMBER_VIEWS])
const VIEWS = anyOf(MEMBER_VIEWS)

/**
 * Returns the location of the tables named in a statement. A name used with another meaning makes it `both`,
 * which is always correct.
 */
export function placeOf(text: string): Place {
  if (!MEMBERS.test(text)) return 'coordinator'
  return COORDINATORS.test(text) ? 'both' : 'members'
}

/** Returns whether a statement uses a view of members' rows, which shards do not have. */
export const namesView = (text: string): boolean => VIEWS.test(text)

/** Returns whether a statement uses objects that the machine of a member does not have. */
export const isOfCoordinator = (text: string): boolean => COORDINATORS.test(text) || namesView(text)
