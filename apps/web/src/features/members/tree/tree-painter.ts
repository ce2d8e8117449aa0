import type { MemberLabel } from '@rif/api-schema'
import { formatCount } from '../../../lib/index.ts'
import {
  between,
  CELL_EDGES,
  type Cell,
  type Layout,
  LINE_EDGES,
  NODE_HEIGHT,
  NODE_WIDTH,
  ROW_HEIGHT,
  topOf,
} from './tree-layout.ts'
import { hasBranch, type TreeEntry } from './tree-model.ts'

/** The position of the drawing's origin in the picture, and the scale. */
export interface View {
  x: number
  y: number
  scale: number
}

export interface Scene {
  readonly layout: Layout
  readonly view: View
  readonly width: number
  readonly height: number
  readonly pixelRatio: number
  readonly active: TreeEntry | null
  readonly hasFocus: boolean
  readonly labels: ReadonlyMap<string, MemberLabel>
  readonly palette: Palette
  readonly words: Words
  /** The scale is still changing: every size of a letter would be drawn anew. */
  readonly isZooming: boolean
}

export interface Words {
  readonly own: string
  readonly left: string
  readonly right: string
  /** By level, from 0. */
  readonly levels: readonly string[]
}

const COLOURS = ['card', 'sunken', 'ink', 'muted', 'line', 'accent', 'accent-soft', 'good'] as const
export type Palette = Readonly<Record<(typeof COLOURS)[number] | 'font', string>>

/** The theme's colours and type as a canvas needs them: worked out by the browser, light or dark. */
export function readPalette(host: HTMLElement): Palette {
  const probe = document.createElement('span')
  probe.hidden = true
  host.append(probe)
  const colours = COLOURS.map((name) => {
    probe.style.color = `var(--${name})`
    return [name, getComputedStyle(probe).color]
  })
  probe.remove()
  return { ...Object.fromEntries(colours), font: getComputedStyle(host).fontFamily }
}

/** Below this a text could not be read; only boxes are drawn. */
const TEXT_FROM_SCALE = 0.45
/** So many nodes keep their texts while the scale changes. */
const TEXTS_WHILE_ZOOMING = 24
const RADIUS = 12

/** Draws what of the tree is in the picture, and nothing else: the work depends on the picture's size alone. */
export function paint(context: CanvasRenderingContext2D, scene: Scene) {
  const { view, width, height, pixelRatio, layout, palette } = scene
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
  context.clearRect(0, 0, width, height)
  const { scale } = view
  context.setTransform(pixelRatio * scale, 0, 0, pixelRatio * scale, pixelRatio * view.x, pixelRatio * view.y)
  const [from, to] = [-view.x / scale, (width - view.x) / scale]
  const first = Math.max(0, Math.floor(-view.y / scale / ROW_HEIGHT))
  const last = Math.min(layout.rows.length - 1, Math.ceil((height - view.y) / scale / ROW_HEIGHT))

  context.beginPath()
  for (let depth = first; depth <= last + 1; depth++) {
    for (const cell of between(layout.rows[depth] ?? [], from, to, LINE_EDGES)) traceLine(context, cell)
  }
  context.strokeStyle = palette.line
  context.lineWidth = Math.max(1.5, 0.75 / scale)
  context.stroke()

  const members: Cell[] = []
  const free: Cell[] = []
  for (let depth = first; depth <= last; depth++) {
    for (const cell of between(layout.rows[depth] ?? [], from, to, CELL_EDGES)) {
      ;(cell.entry === null ? free : members).push(cell)
    }
  }
  drawBoxes(context, members, scene)
  drawFree(context, free, scene)
  const isCalm = !scene.isZooming || members.length <= TEXTS_WHILE_ZOOMING
  if (scale >= TEXT_FROM_SCALE && isCalm) drawTexts(context, members, scene)
}

function traceLine(context: CanvasRenderingContext2D, cell: Cell) {
  if (cell.parent === null) return
  const start = topOf(cell.parent) + NODE_HEIGHT
  const bend = start + (ROW_HEIGHT - NODE_HEIGHT) / 2
  context.moveTo(cell.parent.x, start)
  context.lineTo(cell.parent.x, bend)
  context.lineTo(cell.x, bend)
  context.lineTo(cell.x, topOf(cell))
}

function drawBoxes(context: CanvasRenderingContext2D, cells: readonly Cell[], scene: Scene) {
  const { palette, active, hasFocus, view } = scene
  context.beginPath()
  for (const cell of cells) traceBox(context, cell, 0)
  context.fillStyle = palette.card
  context.fill()
  context.beginPath()
  for (const { entry, x, depth } of cells) {
    if (entry?.member.valid) {
      context.roundRect(x - NODE_WIDTH / 2, depth * ROW_HEIGHT + 16, 4, NODE_HEIGHT - 32, 2)
    }
  }
  context.fillStyle = palette.good
  context.fill()
  const chosen = cells.find((cell) => cell.entry === active)
  if (chosen === undefined) return
  context.beginPath()
  traceBox(context, chosen, hasFocus ? 3 : 0)
  context.strokeStyle = palette.accent
  context.lineWidth = (hasFocus ? 3 : 2) / Math.min(1, view.scale)
  context.stroke()
}

function traceBox(context: CanvasRenderingContext2D, cell: Cell, margin: number) {
  const left = cell.x - NODE_WIDTH / 2 - margin
  context.roundRect(left, topOf(cell) - margin, NODE_WIDTH + 2 * margin, NODE_HEIGHT + 2 * margin, RADIUS)
}

/** A dashed ring with a plus: nobody stands here. */
function drawFree(context: CanvasRenderingContext2D, cells: readonly Cell[], { palette }: Scene) {
  if (cells.length === 0) return
  context.beginPath()
  for (const cell of cells) {
    const y = topOf(cell) + 22
    context.moveTo(cell.x + 20, y)
    context.arc(cell.x, y, 20, 0, 2 * Math.PI)
  }
  context.strokeStyle = palette.muted
  context.lineWidth = 1.5
  context.setLineDash([4, 3])
  context.stroke()
  context.setLineDash([])
  context.beginPath()
  for (const cell of cells) {
    const y = topOf(cell) + 22
    context.moveTo(cell.x - 6, y)
    context.lineTo(cell.x + 6, y)
    context.moveTo(cell.x, y - 6)
    context.lineTo(cell.x, y + 6)
  }
  context.stroke()
}

const NAME_FONTS = { named: '600 14px', plain: '600 12px' }
const FACT_FONT = '12px'

/** One kind of text after the other: changing font and colour costs as much as drawing. */
function drawTexts(context: CanvasRenderingContext2D, cells: readonly Cell[], scene: Scene) {
  const { palette, words } = scene
  const named = cells.map((cell) => ({ cell, name: nameOf(cell, scene) }))
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  context.fillStyle = palette.ink
  for (const kind of ['plain', 'named'] as const) {
    context.font = `${NAME_FONTS[kind]} ${palette.font}`
    for (const { cell, name } of named) {
      if ((name === '') !== (kind === 'plain')) continue
      drawLine(context, cell, 19, kind === 'plain' ? walletOf(cell, 10, 6) : name)
    }
  }
  context.font = `${FACT_FONT} ${palette.font}`
  context.fillStyle = palette.muted
  for (const { cell, name } of named) {
    const { member } = cell.entry!
    const level = words.levels[member.level] ?? ''
    const wallet = walletOf(cell, 6, 4)
    const below = name === '' ? level : member.level > 0 ? `${level} · ${wallet}` : wallet
    drawLine(context, cell, 40, below)
    context.fillText(
      `${words.left} ${formatCount(member.left_team_size_all)}`,
      leftOf(cell),
      topOf(cell) + 61,
    )
  }
  context.textAlign = 'center'
  for (const cell of cells) {
    const { right_team_size_all: count } = cell.entry!.member
    context.fillText(`${words.right} ${formatCount(count)}`, cell.x + 16, topOf(cell) + 61)
  }
  drawSigns(context, cells, scene)
}

/** Returns the member's label of a node, or the mark of the own node; empty for most. */
function nameOf({ entry }: Cell, { labels, words }: Scene): string {
  const { member, parent } = entry!
  const isOwn = parent === null && member.pid === null
  return labels.get(member.id)?.label || (isOwn ? words.own : '')
}

/** The wallet as far as it fits a node: the specification's short forms would be cut once more. */
function walletOf({ entry }: Cell, head: number, tail: number): string {
  const { label } = entry!.member
  return `${label.slice(0, head)}…${label.slice(-tail)}`
}

const leftOf = (cell: Cell) => cell.x - NODE_WIDTH / 2 + 14
const rightOf = (cell: Cell) => cell.x + NODE_WIDTH / 2 - 12

function drawLine(context: CanvasRenderingContext2D, cell: Cell, down: number, text: string) {
  const left = leftOf(cell)
  context.fillText(fitted(context, text, rightOf(cell) - left), left, topOf(cell) + down)
}

/** Pins, and the arrows of branches. */
function drawSigns(context: CanvasRenderingContext2D, cells: readonly Cell[], { labels, palette }: Scene) {
  context.beginPath()
  for (const cell of cells) {
    if (!labels.get(cell.entry!.member.id)?.pinned) continue
    const [x, y] = [rightOf(cell) - 2, topOf(cell) + 19]
    context.moveTo(x + 4, y)
    context.arc(x, y, 4, 0, 2 * Math.PI)
  }
  context.fillStyle = palette.accent
  context.fill()
  context.beginPath()
  for (const cell of cells) {
    if (hasBranch(cell.entry!)) traceHandle(context, rightOf(cell) - 6, topOf(cell) + 61, cell.entry!.isOpen)
  }
  context.strokeStyle = palette.accent
  context.lineWidth = 2
  context.stroke()
}

/** An arrow that points down where a branch can be opened, and up where it can be closed. */
function traceHandle(context: CanvasRenderingContext2D, x: number, y: number, isOpen: boolean) {
  const bend = isOpen ? -3 : 3
  context.moveTo(x - 5, y - bend)
  context.lineTo(x, y + bend)
  context.lineTo(x + 5, y - bend)
}

const widths = new Map<string, number>()

/** A text cut to a width, with an ellipsis. */
function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  const key = `${context.font}/${text}`
  const known = widths.get(key) ?? context.measureText(text).width
  if (widths.size > 20_000) widths.clear()
  widths.set(key, known)
  if (known <= width) return text
  const letters = [...text]
  const keep = Math.max(1, Math.floor((letters.length * width) / known) - 1)
  return `${letters.slice(0, keep).join('')}…`
}
