import type { MemberLabel } from '@rif/api-schema'
import { formatAmount, formatCount } from '../../../lib/index.ts'
import {
  AVATAR,
  between,
  CELL_EDGES,
  type Cell,
  FREE_SIZE,
  LINE_EDGES,
  NODE_HEIGHT,
  NODE_WIDTH,
  ROW_HEIGHT,
  type TreeLayout,
  topOf,
} from './tree-layout.ts'
import { hasBranch, type TreeEntry, treeSizeOf } from './tree-model.ts'

/** The position of the drawing's origin in the picture, and the scale. */
export interface View {
  x: number
  y: number
  scale: number
}

/** The figure below the name of each node: the level, or the member's payments for packages. */
export type TreeFigure = 'members' | 'investment'

export interface Scene {
  readonly figure: TreeFigure
  readonly layout: TreeLayout
  readonly view: View
  readonly width: number
  readonly height: number
  readonly pixelRatio: number
  readonly active: TreeEntry | null
  readonly hasFocus: boolean
  readonly labels: ReadonlyMap<string, MemberLabel>
  readonly palette: Palette
  readonly words: TreeWords
  /** True while the scale is changing: every font size would be rendered anew. */
  readonly isZooming: boolean
}

export interface TreeWords {
  readonly own: string
  readonly free: string
  /** By level, from 0. */
  readonly levels: readonly string[]
}

const COLOURS = ['card', 'sunken', 'ink', 'on-ink', 'muted', 'line-strong', 'accent'] as const
export type Palette = Readonly<Record<(typeof COLOURS)[number] | 'font', string>>

/** The theme's colours and fonts for a canvas, computed by the browser for light or dark. */
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

/** Below this scale a text is unreadable; only boxes are drawn. */
const TEXT_FROM_SCALE = 0.42
/** The number of nodes that keep their texts while the scale changes. */
const TEXTS_WHILE_ZOOMING = 24
/** The opacity of members who are not valid. */
const FAINT = 0.45
/** The white ring around a picture. */
const RING = 2.5

/** Draws only the visible part of the tree, so that the work depends only on the size of the picture. */
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
  context.strokeStyle = palette['line-strong']
  context.lineWidth = Math.max(1.5, 0.75 / scale)
  context.stroke()
  drawWay(context, scene, [first, last + 1])

  const members: Cell[] = []
  const free: Cell[] = []
  for (let depth = first; depth <= last; depth++) {
    for (const cell of between(layout.rows[depth] ?? [], from, to, CELL_EDGES)) {
      ;(cell.entry === null ? free : members).push(cell)
    }
  }
  drawPictures(context, members, scene)
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

/** The path from the root to the current node, as far as visible. */
function drawWay(context: CanvasRenderingContext2D, scene: Scene, [first, last]: readonly [number, number]) {
  const { active, layout, palette, view } = scene
  let cell = active === null ? null : (layout.cells.get(active) ?? null)
  if (cell === null || cell.depth === 0) return
  context.beginPath()
  for (; cell !== null; cell = cell.parent)
    if (cell.depth >= first && cell.depth <= last) traceLine(context, cell)
  context.strokeStyle = palette.ink
  context.lineWidth = Math.max(2, 1.25 / view.scale)
  context.stroke()
}

const middleOf = (cell: Cell) => topOf(cell) + AVATAR / 2

function traceCircle(context: CanvasRenderingContext2D, cell: Cell, radius: number) {
  const y = middleOf(cell)
  context.moveTo(cell.x + radius, y)
  context.arc(cell.x, y, radius, 0, 2 * Math.PI)
}

function drawPictures(context: CanvasRenderingContext2D, cells: readonly Cell[], scene: Scene) {
  const { palette, active, hasFocus, view } = scene
  context.beginPath()
  for (const cell of cells) traceCircle(context, cell, AVATAR / 2 + RING)
  context.fillStyle = palette.card
  context.fill()
  for (const faint of [false, true]) {
    context.globalAlpha = faint ? FAINT : 1
    for (const cell of cells) {
      const { member } = cell.entry!
      if (member.valid === faint) continue
      context.drawImage(pictureOf(member.label), cell.x - AVATAR / 2, topOf(cell), AVATAR, AVATAR)
    }
  }
  context.globalAlpha = 1
  const chosen = cells.find((cell) => cell.entry === active)
  if (chosen === undefined) return
  const wide = 3 / Math.min(1, view.scale)
  context.lineWidth = wide
  context.beginPath()
  traceCircle(context, chosen, AVATAR / 2 + RING + 1)
  context.strokeStyle = palette.ink
  context.stroke()
  if (!hasFocus) return
  context.beginPath()
  traceCircle(context, chosen, AVATAR / 2 + RING + 1 + 2 * wide)
  context.strokeStyle = palette.accent
  context.stroke()
}

const pictures = new Map<string, HTMLCanvasElement>()
/**
 * The numbers of cached colours and rotations of pictures, because thousands of members share one drawing.
 */
const COLOURS_KEPT = 36
const TURNS_KEPT = 8
const PICTURE_PX = 3 * AVATAR

/**
 * Returns the small round picture of an address, like that of `Avatar` with its colour and rotation rounded.
 */
function pictureOf(address: string): HTMLCanvasElement {
  const part = (from: number) => (Number.parseInt(address.slice(from, from + 4), 16) || 0) % 360
  const hue = Math.floor((part(2) * COLOURS_KEPT) / 360) * (360 / COLOURS_KEPT)
  const turn = Math.floor((part(6) * TURNS_KEPT) / 360)
  const key = `${hue} ${turn}`
  const cachedPicture = pictures.get(key)
  if (cachedPicture !== undefined) return cachedPicture
  const picture = document.createElement('canvas')
  picture.width = PICTURE_PX
  picture.height = PICTURE_PX
  paintPicture(picture.getContext('2d')!, hue, (turn * 2 * Math.PI) / TURNS_KEPT)
  pictures.set(key, picture)
  return picture
}

/** Draws in the units of `Avatar`, which is 40 wide. */
function paintPicture(context: CanvasRenderingContext2D, hue: number, turn: number) {
  context.scale(PICTURE_PX / 40, PICTURE_PX / 40)
  context.arc(20, 20, 20, 0, 2 * Math.PI)
  context.clip()
  const colours = context.createLinearGradient(0, 0, 40, 7)
  colours.addColorStop(0, `hsl(${hue} 66% 49%)`)
  colours.addColorStop(1, `hsl(${(hue + 20) % 360} 90% 78%)`)
  context.fillStyle = colours
  context.fillRect(0, 0, 40, 40)
  context.translate(20, 20)
  context.rotate(turn)
  context.translate(-20, -20)
  context.fillStyle = '#ffffff33'
  context.fillRect(-20, 20, 80, 40)
  context.beginPath()
  context.arc(20, 16, 6, 0, 2 * Math.PI)
  context.fillStyle = '#ffffffd9'
  context.fill()
}

/** A dashed ring with a plus: a free place. */
function drawFree(
  context: CanvasRenderingContext2D,
  cells: readonly Cell[],
  { palette, words, view }: Scene,
) {
  if (cells.length === 0) return
  const radius = FREE_SIZE / 2 - 2
  context.beginPath()
  for (const cell of cells) traceCircle(context, cell, radius)
  context.fillStyle = palette.sunken
  context.fill()
  context.strokeStyle = palette.muted
  context.lineWidth = 1.5
  context.setLineDash([4, 3])
  context.stroke()
  context.setLineDash([])
  context.beginPath()
  for (const cell of cells) {
    const y = middleOf(cell)
    context.moveTo(cell.x - 6, y)
    context.lineTo(cell.x + 6, y)
    context.moveTo(cell.x, y - 6)
    context.lineTo(cell.x, y + 6)
  }
  context.stroke()
  if (view.scale < TEXT_FROM_SCALE) return
  context.font = `${FACT_FONT} ${palette.font}`
  context.fillStyle = palette.muted
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (const cell of cells) context.fillText(words.free, cell.x, topOf(cell) + NAME_AT)
}

const NAME_FONT = '600 13px'
const FACT_FONT = '12px'
/** The centres of both lines of text below the top of a node. */
const NAME_AT = AVATAR + 14
const FACT_AT = AVATAR + 31

/** One kind of text after the other, because changing font and colour costs as much as drawing. */
function drawTexts(context: CanvasRenderingContext2D, cells: readonly Cell[], scene: Scene) {
  const { palette, words, figure } = scene
  context.textBaseline = 'middle'
  context.textAlign = 'center'
  // The lines of the tree pass behind the texts.
  context.fillStyle = palette.sunken
  for (const cell of cells)
    if (cell.entry!.isOpen) context.fillRect(cell.x - 2, topOf(cell) + FACT_AT - 9, 4, 18)
  context.fillStyle = palette.ink
  context.font = `${NAME_FONT} ${palette.font}`
  for (const cell of cells)
    context.fillText(fitted(context, nameOf(cell, scene), NODE_WIDTH), cell.x, topOf(cell) + NAME_AT)
  context.font = `${FACT_FONT} ${palette.font}`
  context.fillStyle = palette.muted
  for (const cell of cells) {
    const { member } = cell.entry!
    const text = figure === 'members' ? (words.levels[member.level] ?? '') : formatAmount(member.investment)
    context.fillText(fitted(context, text, NODE_WIDTH), cell.x, topOf(cell) + FACT_AT)
  }
  drawSigns(context, cells, scene)
}

/** Returns the member's label of a node, the mark of the own node, or the first digits of the wallet. */
function nameOf({ entry }: Cell, { labels, words }: Scene): string {
  const { member, parent } = entry!
  const isOwn = parent === null && member.pid === null
  return labels.get(member.id)?.label || (isOwn ? words.own : member.label.slice(0, NAME_LETTERS))
}
const NAME_LETTERS = 6

const BADGE_HEIGHT = 18

/** Pins, and on closed branches the number of nodes below. */
function drawSigns(context: CanvasRenderingContext2D, cells: readonly Cell[], { labels, palette }: Scene) {
  context.beginPath()
  for (const cell of cells) {
    if (!labels.get(cell.entry!.member.id)?.pinned) continue
    const [x, y] = [cell.x - AVATAR / 2 + 4, topOf(cell) + 6]
    context.moveTo(x + 5, y)
    context.arc(x, y, 5, 0, 2 * Math.PI)
  }
  context.fillStyle = palette.accent
  context.fill()
  const closed = cells.filter(({ entry }) => hasBranch(entry!) && !entry!.isOpen)
  if (closed.length === 0) return
  context.font = `600 11px ${palette.font}`
  const badges = closed.map((cell) => {
    const text = `+${formatCount(treeSizeOf(cell.entry!, 'left') + treeSizeOf(cell.entry!, 'right'))}`
    const width = Math.max(BADGE_HEIGHT, widthOf(context, text) + 10)
    return { text, width, x: cell.x + AVATAR / 2 - 10, y: topOf(cell) + AVATAR - 16 }
  })
  context.beginPath()
  for (const { x, y, width } of badges) context.roundRect(x, y, width, BADGE_HEIGHT, BADGE_HEIGHT / 2)
  context.fillStyle = palette.ink
  context.fill()
  context.fillStyle = palette['on-ink']
  for (const { text, x, y, width } of badges)
    context.fillText(text, x + width / 2, y + BADGE_HEIGHT / 2 + 0.5)
}

const widths = new Map<string, number>()

function widthOf(context: CanvasRenderingContext2D, text: string): number {
  const key = `${context.font}/${text}`
  const width = widths.get(key) ?? context.measureText(text).width
  if (widths.size > 20_000) widths.clear()
  widths.set(key, width)
  return width
}

/** Cuts a text to a width, with an ellipsis. */
function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  const textWidth = widthOf(context, text)
  if (textWidth <= width) return text
  const letters = [...text]
  const keep = Math.max(1, Math.floor((letters.length * width) / textWidth) - 1)
  return `${letters.slice(0, keep).join('')}…`
}
