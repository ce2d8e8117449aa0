import type { MemberLabel } from '@rif/api-schema'
import { formatCount, shortAddress } from '../../../lib/format.ts'
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

/** Where the drawing's origin is in the picture, and how large a pixel of it is. */
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
}

export interface Words {
  readonly own: string
  readonly left: string
  readonly right: string
  level(level: number): string
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
  if (scale >= TEXT_FROM_SCALE) for (const cell of members) drawText(context, cell, scene)
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

function drawText(context: CanvasRenderingContext2D, cell: Cell, scene: Scene) {
  const { palette, labels, words } = scene
  const { member, parent } = cell.entry!
  const left = cell.x - NODE_WIDTH / 2 + 14
  const top = topOf(cell)
  const right = cell.x + NODE_WIDTH / 2 - 12
  const note = labels.get(member.id)
  const isOwn = parent === null && member.pid === null
  const name = note?.label || (isOwn ? words.own : '')
  context.textBaseline = 'middle'
  context.textAlign = 'left'
  context.fillStyle = palette.ink
  context.font = `600 ${name === '' ? 12 : 14}px ${palette.font}`
  context.fillText(
    fitted(context, name === '' ? shortAddress(member.label) : name, right - left),
    left,
    top + 19,
  )
  context.font = `12px ${palette.font}`
  context.fillStyle = palette.muted
  const wallet = `${member.label.slice(0, 6)}…${member.label.slice(-4)}`
  const below =
    name === ''
      ? words.level(member.level)
      : member.level > 0
        ? `${words.level(member.level)} · ${wallet}`
        : wallet
  context.fillText(fitted(context, below, right - left), left, top + 40)
  context.fillText(`${words.left} ${formatCount(member.left_team_size_all)}`, left, top + 61)
  context.textAlign = 'center'
  context.fillText(`${words.right} ${formatCount(member.right_team_size_all)}`, cell.x + 16, top + 61)
  if (note?.pinned) {
    context.beginPath()
    context.arc(right - 2, top + 19, 4, 0, 2 * Math.PI)
    context.fillStyle = palette.accent
    context.fill()
  }
  if (hasBranch(cell.entry!)) drawHandle(context, right - 6, top + 61, cell.entry!.isOpen, palette)
}

/** An arrow that points down where a branch can be opened, and up where it can be closed. */
function drawHandle(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  isOpen: boolean,
  palette: Palette,
) {
  const bend = isOpen ? -3 : 3
  context.beginPath()
  context.moveTo(x - 5, y - bend)
  context.lineTo(x, y + bend)
  context.lineTo(x + 5, y - bend)
  context.strokeStyle = palette.accent
  context.lineWidth = 2
  context.stroke()
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
