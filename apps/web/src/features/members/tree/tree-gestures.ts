import type { KeyboardEvent } from 'react'
import type { TreeLayout } from './tree-layout.ts'
import type { TreeEntry } from './tree-model.ts'

/** The handlers of touch, mouse and wheel; positions are pixels from the upper left corner of the drawing. */
export interface GestureHandlers {
  pan(dx: number, dy: number): void
  zoom(factor: number, x: number, y: number): void
  /** Called at the first click; `tap` follows if no second click comes. */
  press(x: number, y: number): void
  tap(x: number, y: number): void
  doubleTap(x: number, y: number): void
  menu(x: number, y: number): void
}

/** The time within which a second click makes a double click. Specification section 9. */
export const CLICK_DELAY_MS = 260
const LONG_PRESS_MS = 500
const DRAG_FROM_PX = 6

type Point = { x: number; y: number }

/**
 * Listens to an element: drag, pinch, wheel, click, double click, long press and context menu. Returns the
 * function that stops it.
 */
export function listenToGestures(element: HTMLElement, handlers: GestureHandlers): () => void {
  const pointers = new Map<number, Point>()
  let start: Point | null = null
  let isDrag = false
  let clickTimer: ReturnType<typeof setTimeout> | undefined
  let pressTimer: ReturnType<typeof setTimeout> | undefined
  let lastTap: (Point & { at: number }) | null = null
  const stop = new AbortController()
  const at = (event: MouseEvent): Point => {
    const box = element.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }

  function down(event: PointerEvent) {
    if (event.button !== 0) return
    element.setPointerCapture(event.pointerId)
    const point = at(event)
    pointers.set(event.pointerId, point)
    start = point
    isDrag = pointers.size > 1
    clearTimeout(pressTimer)
    if (!isDrag && event.pointerType !== 'mouse') {
      pressTimer = setTimeout(() => {
        isDrag = true
        handlers.menu(point.x, point.y)
      }, LONG_PRESS_MS)
    }
  }

  function move(event: PointerEvent) {
    const before = pointers.get(event.pointerId)
    if (before === undefined || start === null) return
    const point = at(event)
    if (!isDrag && Math.hypot(point.x - start.x, point.y - start.y) < DRAG_FROM_PX) return
    isDrag = true
    clearTimeout(pressTimer)
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
    pointers.set(event.pointerId, point)
    if (other === undefined) return handlers.pan(point.x - before.x, point.y - before.y)
    const [was, is] = [distance(before, other), distance(point, other)]
    handlers.pan((point.x - before.x) / 2, (point.y - before.y) / 2)
    if (was > 0) handlers.zoom(is / was, (point.x + other.x) / 2, (point.y + other.y) / 2)
  }

  function up(event: PointerEvent) {
    clearTimeout(pressTimer)
    const point = pointers.get(event.pointerId)
    pointers.delete(event.pointerId)
    if (point === undefined || isDrag || event.type === 'pointercancel') return
    clearTimeout(clickTimer)
    const isSecond =
      lastTap !== null && event.timeStamp - lastTap.at < CLICK_DELAY_MS && distance(lastTap, point) < 24
    if (isSecond) {
      lastTap = null
      return handlers.doubleTap(point.x, point.y)
    }
    lastTap = { ...point, at: event.timeStamp }
    handlers.press(point.x, point.y)
    clickTimer = setTimeout(() => handlers.tap(point.x, point.y), CLICK_DELAY_MS)
  }

  function wheel(event: WheelEvent) {
    event.preventDefault()
    const { x, y } = at(event)
    // A wheel line counts as 16 px; a touchpad's pinch arrives as small steps with Ctrl.
    const step = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY
    handlers.zoom(Math.exp(-step * (event.ctrlKey ? 0.01 : 0.0015)), x, y)
  }

  function contextMenu(event: MouseEvent) {
    event.preventDefault()
    if ((event as PointerEvent).pointerType === 'touch') return
    const { x, y } = at(event)
    handlers.menu(x, y)
  }

  const { signal } = stop
  element.addEventListener('pointerdown', down, { signal })
  element.addEventListener('pointermove', move, { signal })
  element.addEventListener('pointerup', up, { signal })
  element.addEventListener('pointercancel', up, { signal })
  element.addEventListener('wheel', wheel, { signal, passive: false })
  element.addEventListener('contextmenu', contextMenu, { signal })
  return () => {
    stop.abort()
    clearTimeout(clickTimer)
    clearTimeout(pressTimer)
  }
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)

export interface TreeKeyActions {
  moveTo(entry: TreeEntry): void
  toggle(entry: TreeEntry): void
  menu(entry: TreeEntry): void
  zoom(direction: 1 | -1): void
  restore(): void
}

/**
 * Handles the keys of the drawn tree: arrows move in their direction (up to the node above, down to the first
 * below, left and right along the generation), Enter and Space open and close, Home goes to the root, the
 * menu key or Shift+F10 opens the menu.
 */
export function onTreeKey(
  event: KeyboardEvent,
  layout: TreeLayout,
  active: TreeEntry,
  actions: TreeKeyActions,
) {
  const move = target(event.key, layout, active)
  if (move !== undefined) {
    event.preventDefault()
    if (move !== null) actions.moveTo(move)
    return
  }
  const act = action(event, active, actions)
  if (act === undefined) return
  event.preventDefault()
  act()
}

/** Undefined: not a movement key; null: no node there. */
function target(key: string, layout: TreeLayout, active: TreeEntry): TreeEntry | null | undefined {
  switch (key) {
    case 'ArrowUp':
      return active === layout.root.entry ? null : active.parent
    case 'ArrowDown':
      return active.isOpen ? (active.left ?? active.right) : null
    case 'ArrowLeft':
      return beside(layout, active, -1)
    case 'ArrowRight':
      return beside(layout, active, 1)
    case 'Home':
      return layout.root.entry
    default:
      return undefined
  }
}

function beside(layout: TreeLayout, active: TreeEntry, step: 1 | -1): TreeEntry | null {
  const cell = layout.cells.get(active)
  if (cell === undefined) return null
  const row = layout.rows[cell.depth]!
  for (let index = row.indexOf(cell) + step; index >= 0 && index < row.length; index += step) {
    const { entry } = row[index]!
    if (entry !== null) return entry
  }
  return null
}

function action(event: KeyboardEvent, active: TreeEntry, actions: TreeKeyActions) {
  switch (event.key) {
    case 'Enter':
    case ' ':
      return () => actions.toggle(active)
    case 'ContextMenu':
      return () => actions.menu(active)
    case 'F10':
      return event.shiftKey ? () => actions.menu(active) : undefined
    case '+':
    case '=':
      return () => actions.zoom(1)
    case '-':
      return () => actions.zoom(-1)
    case '0':
      return actions.restore
    default:
      return undefined
  }
}
