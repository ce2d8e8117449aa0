import type { MemberLabel } from '@rif/api-schema'
import { TOP_LEVEL } from '@rif/rules'
import { type RefObject, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { levelName, useTheme, useTranslation } from '../../../lib/index.ts'
import { createTreeCamera, openReadable, type TreeCamera } from './tree-camera.ts'
import { listenToGestures, onTreeKey } from './tree-gestures.ts'
import { cellAt } from './tree-layout.ts'
import { hasBranch, type TreeEntry } from './tree-model.ts'
import type { TreeFigure, TreeWords } from './tree-painter.ts'
import { type FreePlace, type Tree, useNodeName } from './use-tree.ts'

export interface TreeCanvasProps {
  tree: Tree
  labels: ReadonlyMap<string, MemberLabel>
  figure: TreeFigure
  camera: RefObject<TreeCamera | null>
  /** Called with the node's box on the screen. */
  onMenu: (entry: TreeEntry, box: DOMRect) => void
  onFree: (place: FreePlace) => void
}

const STEP = 1.25

/**
 * The tree as a drawing: only the visible part is painted, and only the nodes around the current one are in
 * the page.
 */
export function TreeCanvas({ tree, labels, figure, camera, onMenu, onFree }: TreeCanvasProps) {
  const { model, activeId } = tree
  const host = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [hasFocus, setHasFocus] = useState(false)
  const version = useStore(model.version)
  const theme = useTheme()
  const words = useWords()
  const root = model.root()
  const active = model.get(activeId) ?? root
  const facts = { labels, words, active, hasFocus, figure }
  const kept = useRef<TreeEntry | null>(null)

  const openMenu = (entry: TreeEntry) => {
    const box = camera.current?.boxOf(entry)
    const frame = host.current?.getBoundingClientRect()
    if (box == null || frame === undefined) return
    tree.setActiveId(entry.member.id)
    onMenu(entry, new DOMRect(frame.left + box.x, frame.top + box.y, box.width, box.height))
  }
  const toggle = (entry: TreeEntry) => {
    kept.current = entry
    void tree.toggle(entry)
  }
  const at = (x: number, y: number) => {
    const view = camera.current
    if (view === null) return undefined
    const point = view.toDrawing(x, y)
    return cellAt(view.layout(), point.x, point.y)
  }
  const onGesture = useEffectEvent((kind: 'press' | 'tap' | 'doubleTap' | 'menu', x: number, y: number) => {
    const cell = at(x, y)
    if (cell === undefined) return
    if (cell.entry === null) {
      if (kind === 'tap') onFree({ parent: cell.parent!.entry!, side: cell.side! })
      return
    }
    if (kind === 'press') tree.setActiveId(cell.entry.member.id)
    if (kind === 'tap') toggle(cell.entry)
    if (kind === 'menu') openMenu(cell.entry)
    if (kind === 'doubleTap') {
      camera.current?.restore()
      camera.current?.focus(cell.entry)
    }
  })
  const start = useEffectEvent(() => {
    // Once: branches that the member has opened or closed stay so, also after showing the list.
    if (version === 0) openReadable(model, host.current!.clientWidth)
    return createTreeCamera(canvas.current!, root, facts)
  })

  useEffect(() => {
    const element = host.current!
    const view = start()
    camera.current = view
    const observer = new ResizeObserver(() => view.resize(element.clientWidth, element.clientHeight))
    observer.observe(element)
    const stop = listenToGestures(canvas.current!, {
      pan: view.pan,
      zoom: view.zoom,
      press: (x, y) => onGesture('press', x, y),
      tap: (x, y) => onGesture('tap', x, y),
      doubleTap: (x, y) => onGesture('doubleTap', x, y),
      menu: (x, y) => onGesture('menu', x, y),
    })
    return () => {
      stop()
      observer.disconnect()
      view.close()
      camera.current = null
    }
  }, [camera])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the model is changed in place, and its version tells
  useEffect(() => {
    camera.current?.lay(root, kept.current ?? active)
    kept.current = null
  }, [version, root, camera])
  useEffect(() => {
    camera.current?.tell({ labels, words, active, hasFocus, figure })
  }, [labels, words, active, hasFocus, figure, camera])
  useEffect(() => camera.current?.reveal(active), [active, camera])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read anew with each theme
  useEffect(() => {
    camera.current?.repaint()
    const media = matchMedia('(prefers-color-scheme: dark)')
    const repaint = () => camera.current?.repaint()
    media.addEventListener('change', repaint)
    return () => media.removeEventListener('change', repaint)
  }, [theme, camera])

  const { t } = useTranslation()
  const prefix = useId()
  return (
    <div ref={host} className="relative size-full overflow-hidden">
      <div aria-hidden="true">
        <canvas
          ref={canvas}
          className="absolute inset-0 size-full cursor-grab touch-none active:cursor-grabbing"
        />
      </div>
      <div
        role="tree"
        tabIndex={0}
        aria-label={t('tree.title')}
        aria-activedescendant={`${prefix}${active.member.id}`}
        className="pointer-events-none absolute inset-0 rounded-12"
        onFocus={(event) => setHasFocus(event.currentTarget.matches(':focus-visible'))}
        onBlur={() => setHasFocus(false)}
        onKeyDown={(event) => {
          const view = camera.current
          if (view === null) return
          setHasFocus(true)
          onTreeKey(event, view.layout(), active, {
            moveTo: (entry) => tree.setActiveId(entry.member.id),
            toggle,
            menu: openMenu,
            zoom: (direction) => view.step(direction === 1 ? STEP : 1 / STEP),
            restore: view.restore,
          })
        }}
      >
        <NearNodes active={active} root={root} labels={labels} prefix={prefix} />
      </div>
    </div>
  )
}

function useWords(): TreeWords {
  const { t } = useTranslation()
  return useMemo(
    () => ({
      own: t('tree.own'),
      free: t('tree.free'),
      // Computed once: the drawing uses it for every node.
      levels: Array.from({ length: TOP_LEVEL + 1 }, (_, level) =>
        level > 0 ? levelName(t, level) : t('team.noPackage'),
      ),
    }),
    [t],
  )
}

interface NearNodesProps {
  active: TreeEntry
  root: TreeEntry
  labels: ReadonlyMap<string, MemberLabel>
  prefix: string
}

/** The tree for screen readers: the current node, its parent, sibling and children. */
function NearNodes({ active, root, labels, prefix }: NearNodesProps) {
  const nameOf = useNodeName(labels)
  const parent = active === root ? null : active.parent
  const beside = parent === null ? [active] : [parent.left, parent.right]
  const below = active.isOpen ? [active.left, active.right] : []
  const depthOf = (entry: TreeEntry) => {
    let depth = 1
    for (let above = entry; above !== root && above.parent !== null; above = above.parent) depth++
    return depth
  }
  const level = depthOf(active)
  const groups: [number, (TreeEntry | null)[]][] = [
    [level - 1, [parent]],
    [level, beside],
    [level + 1, below],
  ]
  return groups.map(([depth, group]) => {
    const nodes = group.filter((entry) => entry !== null)
    return nodes.map((entry, index) => (
      <div
        key={entry.member.id}
        id={`${prefix}${entry.member.id}`}
        role="treeitem"
        className="sr-only"
        tabIndex={-1}
        aria-level={depth}
        aria-setsize={nodes.length}
        aria-posinset={index + 1}
        aria-selected={entry === active}
        {...(hasBranch(entry) && { 'aria-expanded': entry.isOpen })}
      >
        {nameOf(entry.member)}
      </div>
    ))
  })
}
