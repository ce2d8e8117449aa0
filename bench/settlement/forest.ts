/** The shape of a tree: `random`, or `one-leg`, in which everyone joins on the same side. */
export type TreeShape = 'random' | 'one-leg'

/**
 * The places of members, by number from 1: sponsor, parent (0 for the root), side (1 is right), legs. A leg has the number of the member
 * from whom it starts; the root's own leg is 0.
 */
export interface Forest {
  readonly sponsor: Int32Array
  readonly parent: Int32Array
  readonly side: Uint8Array
  readonly leg: Int32Array
  readonly position: Int32Array
}

const NEAR = 100

/**
 * Places members as the rules do, by outer-leg spillover (section 3). `random`: half of the members were invited by
 * one of the hundred who joined before them, half by any earlier member, on a random side. `one-leg`: each was
 * invited by the member before, always on the left.
 */
export function growForest(members: number, shape: TreeShape): Forest {
  const ints = () => new Int32Array(members + 1)
  const forest = {
    sponsor: ints(),
    parent: ints(),
    side: new Uint8Array(members + 1),
    leg: ints(),
    position: ints(),
  }
  const tail = new Int32Array(members + 2)
  const length = new Int32Array(members + 2)
  tail.fill(1, 0, 2)
  const random = randomNumbers()
  for (let member = 2; member <= members; member++) {
    const earlier = member - 1
    const near = random(2) === 0
    const sponsor =
      shape === 'one-leg' ? earlier : near ? earlier - random(Math.min(NEAR, earlier)) : 1 + random(earlier)
    const side = shape === 'one-leg' ? 0 : random(2)
    const leg = side === forest.side[sponsor] ? forest.leg[sponsor]! : sponsor
    forest.sponsor[member] = sponsor
    forest.parent[member] = tail[leg]!
    forest.side[member] = side
    forest.leg[member] = leg
    forest.position[member] = ++length[leg]!
    tail[leg] = member
    tail[member] = member
  }
  return forest
}

/**
 * A generator of random numbers that are the same in every run, so that runs can be compared (mulberry32).
 */
function randomNumbers(): (below: number) => number {
  let state = 0x5eed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
