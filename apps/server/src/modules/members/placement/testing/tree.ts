import type { Side, SideChoice } from '@rif/rules'

export interface TreeNode {
  readonly index: number
  readonly parent: TreeNode | null
  readonly side: Side | null
  left: TreeNode | null
  right: TreeNode | null
  valid: boolean
  volume: bigint
  readonly monthVolume: Map<number, bigint>
}

export interface SideTotals {
  all: number
  valid: number
  volume: bigint
  month: bigint
}

/** The rules of the tree (section 3) as a naive implementation: a tree of objects, counted by walking it. */
export function createTree() {
  const nodes: TreeNode[] = [node(0, null, null)]

  function* below(top: TreeNode | null): Generator<TreeNode> {
    const stack = top === null ? [] : [top]
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      yield next
      if (next.left !== null) stack.push(next.left)
      if (next.right !== null) stack.push(next.right)
    }
  }

  function totals(index: number, side: Side, month: number): SideTotals {
    const sum: SideTotals = { all: 0, valid: 0, volume: 0n, month: 0n }
    for (const member of below(nodes[index]![side])) {
      sum.all += 1
      sum.valid += member.valid ? 1 : 0
      sum.volume += member.volume
      sum.month += member.monthVolume.get(month) ?? 0n
    }
    return sum
  }

  return {
    nodes,
    totals,

    join(sponsor: number, choice: SideChoice): TreeNode {
      const left = choice === 'auto' && totals(sponsor, 'left', 0).all <= totals(sponsor, 'right', 0).all
      const side = choice === 'auto' ? (left ? 'left' : 'right') : choice
      let parent = nodes[sponsor]!
      for (let next = parent[side]; next !== null; next = parent[side]) parent = next
      const joined = node(nodes.length, parent, side)
      parent[side] = joined
      nodes.push(joined)
      return joined
    },

    buy(index: number, base: bigint, month: number): void {
      const buyer = nodes[index]!
      buyer.valid = true
      buyer.volume += base
      buyer.monthVolume.set(month, (buyer.monthVolume.get(month) ?? 0n) + base)
    },

    /** All members of one side of a team. */
    members: (index: number, side: Side): number[] =>
      [...below(nodes[index]![side])].map((member) => member.index),
  }
}

function node(index: number, parent: TreeNode | null, side: Side | null): TreeNode {
  return { index, parent, side, left: null, right: null, valid: false, volume: 0n, monthVolume: new Map() }
}
