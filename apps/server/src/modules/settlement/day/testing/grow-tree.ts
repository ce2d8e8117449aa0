import type { Side } from '@rif/rules'
import { attach, createMembers, NOBODY, type TreeMembers } from '../tree.ts'

/** Where a member is placed: from whom to go down, and on which side. */
export type Place = readonly [from: number, side: Side]

/** Creates a tree in which everybody is placed by going down a side from a member to the first free place. */
export function growTree(places: readonly Place[], valid: readonly boolean[]): TreeMembers {
  const members = createMembers(places.length + 1)
  places.forEach(([from, side], index) => {
    let parent = from % (index + 1)
    const children = members[side]
    while (children[parent] !== NOBODY) parent = children[parent]!
    attach(members, index + 1, parent, side)
  })
  valid.forEach((isValid, member) => {
    if (isValid && member < members.count) members.level[member] = 1
  })
  return members
}
