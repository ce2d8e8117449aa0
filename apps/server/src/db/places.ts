import { MEMBER_VIEWS, TABLE_CLASSES, type TableClass } from './table-classes.ts'

/** Where the tables of a statement stand: on the coordinator, with their member, or both. */
export type Place = 'coordinator' | 'members' | 'both'

const anyOf = (names: readonly string[]) => new RegExp(`\\b(${names.join('|')})\\b`)
const tablesOf = (kind: TableClass) =>
  Object.keys(TABLE_CLASSES).filter((table) => TABLE_CLASSES[table] === kind)
const COORDINATORS = anyOf(tablesOf('coordinator'))
const MEMBERS = anyOf([...tablesOf('distributed'), ...MEMBER_VIEWS])
const VIEWS = anyOf(MEMBER_VIEWS)

/** Returns where the tables that a statement names stand. A name in another meaning makes it `both`, which is always right. */
export function placeOf(text: string): Place {
  if (!MEMBERS.test(text)) return 'coordinator'
  return COORDINATORS.test(text) ? 'both' : 'members'
}

/** Returns whether a statement names a view of members' rows, of which a shard has none. */
export const namesView = (text: string): boolean => VIEWS.test(text)

/** Returns whether a statement names what the machine of a member does not have. */
export const isOfCoordinator = (text: string): boolean => COORDINATORS.test(text) || namesView(text)
