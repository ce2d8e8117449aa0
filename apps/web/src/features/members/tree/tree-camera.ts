import { createStore, type StoreApi } from 'zustand'
import { type Cell, layOut, NODE_HEIGHT, NODE_WIDTH, type TreeLayout, topOf } from './tree-layout.ts'
import { FIRST_DEPTH, type TreeEntry, type TreeModel } from './tree-model.ts'
import { type Palette, paint, readPalette, type Scene, type View } from './tree-painter.ts'

export const MIN_SCALE = 0.3
export const MAX_SCALE = 3
/** Below this scale, no more generations are opened initially. */
const READABLE_SCALE = 0.8
/** Below this scale, texts are unreadable: the initial view is not shrunk to fit. */
const SMALLEST_BEGINNING = 0.6
const TOP_MARGIN = 32
const EDGE = 24
/** The time after its last step at which a zoom ends. */
const ZOOM_REST_MS = 120

/** The screen's inputs to the drawing; the camera itself holds the layout and the view. */
export type SceneFacts = Pick<Scene, 'labels' | 'words' | 'active' | 'hasFocus' | 'figure'>

/**
 * Returns the view that shows the whole layout; if that is below the smallest scale, the one with the root in
 * the middle of the top.
 */
export function fittingView(
  { cells, root }: Pick<TreeLayout, 'cells' | 'root'>,
  width: number,
  height: number,
): View {
  let deepest = 0
  for (const cell of cells.values()) deepest = Math.max(deepest, topOf(cell) + NODE_HEIGHT)
  const fit = Math.min(1, width / root.width, (height - TOP_MARGIN - EDGE) / deepest)
  const scale = Math.max(MIN_SCALE, fit)
  return { scale, x: width / 2 - (fit < MIN_SCALE ? root.x : root.width / 2) * scale, y: TOP_MARGIN }
}

export type TreeCamera = ReturnType<typeof createTreeCamera>

/**
 * Opens as many of the first generations as are readable side by side in this width, and always the first.
 */
export function openReadable(model: TreeModel, width: number) {
  for (let depth = FIRST_DEPTH; depth > 1; depth--) {
    model.openTo(depth)
    if (layOut(model.root()).root.width * READABLE_SCALE <= width) return
  }
  model.openTo(1)
}

/**
 * Creates the view of the tree on a canvas. A movement costs one drawing of the visible part, in the
 * browser's next frame, and no work of React's.
 */
export function createTreeCamera(canvas: HTMLCanvasElement, top: TreeEntry, firstFacts: SceneFacts) {
  const context = canvas.getContext('2d', { alpha: true })!
  const view: View = { x: 0, y: TOP_MARGIN, scale: 1 }
  const percent: StoreApi<number> = createStore(() => 100)
  let layout: TreeLayout = layOut(top)
  let facts = firstFacts
  let palette: Palette | null = null
  let width = 0
  let height = 0
  let frame = 0
  let zoomEnd: ReturnType<typeof setTimeout> | undefined

  function draw() {
    frame = 0
    palette ??= readPalette(canvas.parentElement!)
    const pixelRatio = Math.min(window.devicePixelRatio, 2)
    const isZooming = zoomEnd !== undefined
    paint(context, { ...facts, layout, view, width, height, pixelRatio, palette, isZooming })
  }

  function request() {
    frame ||= requestAnimationFrame(draw)
  }

  function zoomAt(factor: number, x: number, y: number) {
    const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, view.scale * factor))
    view.x = x - ((x - view.x) * scale) / view.scale
    view.y = y - ((y - view.y) * scale) / view.scale
    view.scale = scale
    percent.setState(Math.round(scale * 100))
    request()
  }

  /** Shows all open nodes if they are readable; otherwise the root at 100%. */
  function begin() {
    const scale = Math.min(1, width / layout.root.width)
    if (scale < SMALLEST_BEGINNING) return centre(layout.root)
    view.scale = scale
    view.x = (width - layout.root.width * scale) / 2
    view.y = TOP_MARGIN
    percent.setState(Math.round(scale * 100))
  }

  function centre(cell: Cell) {
    view.x = width / 2 - cell.x * view.scale
    const middle = height / 2 - (topOf(cell) + NODE_HEIGHT / 2) * view.scale
    view.y = cell.depth === 0 ? TOP_MARGIN : Math.min(TOP_MARGIN, middle)
    request()
  }

  return {
    percent,
    layout: () => layout,

    /** The size of the picture in CSS pixels. */
    resize(nextWidth: number, nextHeight: number) {
      const isFirst = width === 0
      const pixelRatio = Math.min(window.devicePixelRatio, 2)
      canvas.width = Math.round(nextWidth * pixelRatio)
      canvas.height = Math.round(nextHeight * pixelRatio)
      view.x += (nextWidth - width) / 2
      width = nextWidth
      height = nextHeight
      if (isFirst) begin()
      draw()
    },

    /** Shows another tree, or other open branches; the node `kept` stays at its position. */
    lay(nextTop: TreeEntry, kept: TreeEntry | null) {
      const before = kept === null ? undefined : layout.cells.get(kept)
      layout = layOut(nextTop)
      const after = kept === null ? undefined : layout.cells.get(kept)
      if (before !== undefined && after !== undefined) {
        view.x += (before.x - after.x) * view.scale
        view.y += (topOf(before) - topOf(after)) * view.scale
        request()
      } else centre(layout.root)
    },

    tell(next: SceneFacts) {
      facts = next
      request()
    },

    /** After a change of theme. */
    repaint() {
      palette = null
      request()
    },

    pan(dx: number, dy: number) {
      view.x += dx
      view.y += dy
      request()
    },

    /** One of many zoom steps by wheel or fingers, around a point. */
    zoom(factor: number, x: number, y: number) {
      clearTimeout(zoomEnd)
      zoomEnd = setTimeout(() => {
        zoomEnd = undefined
        request()
      }, ZOOM_REST_MS)
      zoomAt(factor, x, y)
    },

    /** A zoom step by the buttons, around the middle. */
    step(factor: number) {
      zoomAt(factor, width / 2, height / 2)
    },

    /** 100%, the root in the middle of the upper edge. */
    restore() {
      view.scale = 1
      percent.setState(100)
      centre(layout.root)
    },

    /** Shows all open nodes, as large as possible; if they would be unreadable, starts at the top. */
    fit() {
      Object.assign(view, fittingView(layout, width, height))
      percent.setState(Math.round(view.scale * 100))
      request()
    },

    focus(entry: TreeEntry) {
      const cell = layout.cells.get(entry)
      if (cell !== undefined) centre(cell)
    },

    /** Moves only if the node is not completely visible. */
    reveal(entry: TreeEntry) {
      const box = this.boxOf(entry)
      if (box === null) return
      const isIn =
        box.x >= EDGE / 2 &&
        box.y >= 0 &&
        box.x + box.width <= width - EDGE / 2 &&
        box.y + box.height <= height
      if (!isIn) this.focus(entry)
    },

    /** Returns the position of a node in the picture. */
    boxOf(entry: TreeEntry): { x: number; y: number; width: number; height: number } | null {
      const cell = layout.cells.get(entry)
      if (cell === undefined) return null
      return {
        x: (cell.x - NODE_WIDTH / 2) * view.scale + view.x,
        y: topOf(cell) * view.scale + view.y,
        width: NODE_WIDTH * view.scale,
        height: NODE_HEIGHT * view.scale,
      }
    },

    /** Converts a point of the picture to a point of the drawing. */
    toDrawing: (x: number, y: number) => ({ x: (x - view.x) / view.scale, y: (y - view.y) / view.scale }),

    close() {
      cancelAnimationFrame(frame)
      clearTimeout(zoomEnd)
    },
  }
}
