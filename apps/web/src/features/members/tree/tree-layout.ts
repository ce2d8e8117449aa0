import type { Side } from '@rif/api-schema'
import type { TreeEntry } from './tree-model.ts'

/** The picture of a member, and below it a name and a figure. */
export const AVATAR = 48
export const NODE_WIDTH = 84
export const NODE_HEIGHT = 92
export const ROW_HEIGHT = 128
export const FREE_SIZE = 44
const FREE_WIDTH = 52
const GAP = 8

/**
 * A node of the drawing: a member, or the free place that keeps left and right apart beside an only child.
 */
export interface Cell {
  readonly entry: TreeEntry | null
  readonly parent: Cell | null
  readonly side: Side | null
  readonly depth: number
  /** Its centre, and the width of its whole branch. */
  x: number
  width: number
}

export interface TreeLayout {
  readonly root: Cell
  /** One row per generation, from left to right. */
  readonly rows: readonly (readonly Cell[])[]
  readonly cells: ReadonlyMap<TreeEntry, Cell>
}

export const topOf = (cell: Cell) => cell.depth * ROW_HEIGHT

/**
 * Assigns every shown node its place: a branch is as wide as its two sides together, and a node is centred
 * above its children. A left child is on the left even if it is alone, which a general tidy tree does not do.
 */
export function layOut(top: TreeEntry): TreeLayout {
  const root: Cell = { entry: top, parent: null, side: null, depth: 0, x: 0, width: 0 }
  const order: Cell[] = [root]
  const rows: Cell[][] = []
  const cells = new Map<TreeEntry, Cell>()
  const children = new Map<Cell, [Cell, Cell]>()
  const stack = [root]
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    const row = rows[cell.depth]
    if (row === undefined) rows.push([cell])
    else row.push(cell)
    if (cell.entry === null) continue
    cells.set(cell.entry, cell)
    if (!cell.entry.isOpen) continue
    const left = childCell(cell, 'left')
    const right = childCell(cell, 'right')
    children.set(cell, [left, right])
    order.push(left, right)
    stack.push(right, left)
  }
  for (let index = order.length - 1; index >= 0; index--) {
    const cell = order[index]!
    const below = children.get(cell)
    const own = (cell.entry === null ? FREE_WIDTH : NODE_WIDTH) + GAP
    cell.width = below === undefined ? own : Math.max(own, below[0].width + below[1].width)
  }
  place(root, children)
  return { root, rows, cells }
}

function childCell(parent: Cell, side: Side): Cell {
  return { entry: parent.entry![side], parent, side, depth: parent.depth + 1, x: 0, width: 0 }
}

/** Converts widths to places, without recursion: a leg may be thousands deep. */
function place(root: Cell, children: ReadonlyMap<Cell, readonly [Cell, Cell]>) {
  const starts = new Map<Cell, number>([[root, 0]])
  const down: Cell[] = [root]
  for (let index = 0; index < down.length; index++) {
    const cell = down[index]!
    const below = children.get(cell)
    if (below === undefined) continue
    const start = starts.get(cell)!
    starts.set(below[0], start)
    starts.set(below[1], start + below[0].width)
    down.push(below[0], below[1])
  }
  for (let index = down.length - 1; index >= 0; index--) {
    const cell = down[index]!
    const below = children.get(cell)
    cell.x = below === undefined ? starts.get(cell)! + cell.width / 2 : (below[0].x + below[1].x) / 2
  }
}

/** Returns the cells of a row between two places, by binary search: a row may have thousands. */
export function between(
  row: readonly Cell[],
  from: number,
  to: number,
  [left, right]: readonly [(cell: Cell) => number, (cell: Cell) => number],
): readonly Cell[] {
  let low = 0
  let high = row.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (right(row[middle]!) < from) low = middle + 1
    else high = middle
  }
  let end = low
  while (end < row.length && left(row[end]!) <= to) end++
  return row.slice(low, end)
}

const halfOf = (cell: Cell) => (cell.entry === null ? FREE_WIDTH : NODE_WIDTH) / 2
/** Returns the edges of a cell itself. */
export const CELL_EDGES = [
  (cell: Cell) => cell.x - halfOf(cell),
  (cell: Cell) => cell.x + halfOf(cell),
] as const
/** Returns the ends of the line from a parent to a cell. */
export const LINE_EDGES = [
  (cell: Cell) => Math.min(cell.x, cell.parent?.x ?? cell.x),
  (cell: Cell) => Math.max(cell.x, cell.parent?.x ?? cell.x),
] as const

/** Returns the cell at a point of the drawing, with a tolerance around free places. */
export function cellAt({ rows }: TreeLayout, x: number, y: number): Cell | undefined {
  const row = rows[Math.floor(y / ROW_HEIGHT)]
  if (row === undefined || y % ROW_HEIGHT > NODE_HEIGHT) return undefined
  return between(row, x, x, CELL_EDGES)[0]
}
