import type { KeyboardEvent } from 'react'
import type { Layout } from './tree-layout.ts'
import type { TreeEntry } from './tree-model.ts'

export interface TreeKeyActions {
  moveTo(entry: TreeEntry): void
  toggle(entry: TreeEntry): void
  menu(entry: TreeEntry): void
  zoom(direction: 1 | -1): void
  restore(): void
}

/**
 * The keys of the drawn tree: arrows go where they point (up to the node above, down to the first below, left and right
 * along the generation), Enter and Space open and close, Home goes to the root, the menu key or Shift+F10 opens the menu.
 */
export function onTreeKey(event: KeyboardEvent, layout: Layout, active: TreeEntry, actions: TreeKeyActions) {
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

/** Undefined: no key that moves; null: nothing there. */
function target(key: string, layout: Layout, active: TreeEntry): TreeEntry | null | undefined {
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

function beside(layout: Layout, active: TreeEntry, step: 1 | -1): TreeEntry | null {
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
