import type { TreeMember, TreeNode } from '@rif/api-schema'
import { describe, expect, it } from 'vitest'
import { fittingView, openReadable } from './tree-camera.ts'
import { between, CELL_EDGES, cellAt, layOut, NODE_HEIGHT, ROW_HEIGHT } from './tree-layout.ts'
import { createTreeModel } from './tree-model.ts'

function member(
  id: string,
  pid: string | null,
  side: 'left' | 'right' | null,
  sizes: [number, number],
): TreeMember {
  const counts = {
    invited_count_all: 0,
    invited_count_valid: 0,
    left_team_size_valid: 0,
    right_team_size_valid: 0,
  }
  return {
    id,
    pid,
    side,
    section: side,
    label: `0x${id.padStart(40, '0')}`,
    join_time: '2026-01-01T00:00:00Z',
    expand: false,
    isLeaf: sizes[0] + sizes[1] === 0,
    inviter_address: null,
    level: 0,
    state: 'active',
    valid: false,
    investment: '0',
    left_team_investment: '0',
    right_team_investment: '0',
    ...counts,
    left_team_size_all: sizes[0],
    right_team_size_all: sizes[1],
  }
}

const node = (own: TreeMember, children: TreeNode[] = []): TreeNode => ({
  ...own,
  expand: children.length > 0,
  children,
})
const small = () =>
  createTreeModel(
    node(member('1', null, null, [1, 2]), [
      node(member('2', '1', 'left', [0, 0])),
      node(member('3', '1', 'right', [1, 0])),
    ]),
  )

describe('the model of the tree', () => {
  it('opens nodes that came with their children, and requests the rest', () => {
    const model = small()
    expect(model.outline().map(({ entry, depth }) => [entry.member.id, depth])).toEqual([
      ['1', 0],
      ['2', 1],
      ['3', 1],
    ])
    expect(model.openAll(10)).toEqual(['3'])
    model.addFlat([member('4', '3', 'left', [0, 0])])
    expect(model.openAll(10)).toEqual([])
    expect(model.shown()).toBe(4)
    model.closeAll()
    expect(model.shown()).toBe(3)
  })

  it('does not open a node with a missing child', () => {
    const model = createTreeModel(node(member('1', null, null, [1, 1])))
    model.addFlat([member('2', '1', 'left', [0, 0])])
    expect(model.root().isOpen).toBe(false)
    expect(model.openAll(10)).toEqual(['1'])
    model.addFlat([member('3', '1', 'right', [0, 0])])
    expect(model.root().isOpen).toBe(true)
  })

  it('shows all expanded nodes in the canvas, or the root if they are too many', () => {
    const model = small()
    model.addFlat([member('4', '3', 'left', [0, 0])])
    model.openAll(10)
    const layout = layOut(model.root())
    const [width, height] = [358, 420]
    const view = fittingView(layout, width, height)
    for (const cell of layout.cells.values()) {
      const x = view.x + cell.x * view.scale
      const y = view.y + (cell.depth * ROW_HEIGHT + NODE_HEIGHT) * view.scale
      expect(x).toBeGreaterThan(0)
      expect(x).toBeLessThan(width)
      expect(y).toBeLessThan(height)
    }
    const narrow = fittingView(layout, 60, height)
    expect(narrow.x + layout.root.x * narrow.scale).toBeCloseTo(30)
  })

  it('opens as many generations as are readable in the available width', () => {
    const seven = (): TreeNode =>
      node(member('1', null, null, [3, 3]), [
        node(member('2', '1', 'left', [1, 1]), [
          node(member('4', '2', 'left', [0, 0])),
          node(member('5', '2', 'right', [0, 0])),
        ]),
        node(member('3', '1', 'right', [1, 1]), [
          node(member('6', '3', 'left', [0, 0])),
          node(member('7', '3', 'right', [0, 0])),
        ]),
      ])
    const shown = (width: number) => {
      const model = createTreeModel(seven())
      openReadable(model, width)
      return model.shown()
    }
    expect([shown(100), shown(288), shown(358), shown(1200)]).toEqual([3, 3, 7, 7])
  })

  it('starts at the start of a deep path, and at the own node again', () => {
    const model = small()
    model.add(node(member('90', '89', 'left', [1, 0]), [node(member('91', '90', 'left', [0, 0]))]))
    expect(model.root().member.id).toBe('90')
    model.showOwn()
    expect(model.root().member.id).toBe('1')
  })
})

describe('the layout', () => {
  it('keeps sides apart, even for an only child, without overlaps', () => {
    const model = small()
    model.addFlat([member('4', '3', 'left', [0, 0])])
    const layout = layOut(model.root())
    expect(layout.rows.map((row) => row.map((cell) => cell.entry?.member.id ?? null))).toEqual([
      ['1'],
      ['2', '3'],
      ['4', null],
    ])
    for (const row of layout.rows) {
      for (const [index, cell] of row.slice(1).entries())
        expect(CELL_EDGES[0](cell)).toBeGreaterThan(CELL_EDGES[1](row[index]!))
    }
    const three = layout.cells.get(model.get('3')!)!
    expect(cellAt(layout, three.x, ROW_HEIGHT + 10)).toBe(three)
    expect(cellAt(layout, three.x, ROW_HEIGHT - 5)).toBeUndefined()
  })

  it('lays out a leg of 10,000, and finds the visible part', () => {
    const depth = 10_000
    const model = createTreeModel(node(member('1', null, null, [depth, 0])))
    const leg = Array.from({ length: depth }, (_, index) =>
      member(`${index + 2}`, `${index + 1}`, 'left', [depth - index - 1, 0]),
    )
    model.addFlat(leg)
    const { rows } = layOut(model.root())
    expect(rows).toHaveLength(depth + 1)
    const last = rows[depth]!
    expect(between(last, last[0]!.x, last[0]!.x, CELL_EDGES)).toEqual([last[0]])
  })
})
