import type { MemberLabel, Side, TreeMember, TreeNode } from '@rif/api-schema'
import { useCallback, useRef, useState } from 'react'
import { call, formatCount, levelName, shortAddress, useTranslation } from '../../../lib/index.ts'
import { createTreeModel, hasBranch, isLoaded, MAX_SHOWN, type TreeEntry } from './tree-model.ts'

/** A free place. */
export interface FreePlace {
  parent: TreeEntry
  side: Side
}

/** Returns a node in words: label or wallet, level, and the number of members on each side. */
export function useNodeName(labels: ReadonlyMap<string, MemberLabel>) {
  const { t } = useTranslation()
  return (member: TreeMember) => {
    const label = labels.get(member.id)?.label
    const wallet = shortAddress(member.label)
    return t('tree.nodeName', {
      name: label ? `${label}, ${wallet}` : wallet,
      level: levelName(t, member.level),
      left: formatCount(member.left_team_size_all),
      right: formatCount(member.right_team_size_all),
    })
  }
}

/** The maximum number of nodes in one request for children, and of nodes returned. */
const SOURCES = 50
const PER_CALL = 1000

export interface Expansion {
  /** The number of nodes shown so far. */
  shown: number
  cancel: () => void
}

/** The shown tree, and the functions that fetch more of it. The API client has shown failures. */
export function useTree(own: TreeNode) {
  const [model] = useState(() => createTreeModel(own))
  const [activeId, setActiveId] = useState(own.id)
  const [expansion, setExpansion] = useState<Expansion | null>(null)
  const [isFull, setIsFull] = useState(false)
  const loading = useRef(new Set<string>())

  /** Opens or closes a branch, and fetches missing children. */
  const toggle = useCallback(
    async (entry: TreeEntry) => {
      if (!hasBranch(entry)) return
      if (isLoaded(entry)) return model.setOpen(entry, !entry.isOpen)
      const { id } = entry.member
      if (loading.current.has(id)) return
      loading.current.add(id)
      try {
        model.add(await call('tree', { query: { id, depth: 1 } }))
      } catch {
        // Shown; the branch stays closed and can be retried.
      } finally {
        loading.current.delete(id)
      }
    },
    [model],
  )

  /** Opens the path down to a team member, and selects it. */
  const jumpTo = useCallback(
    async (id: string): Promise<boolean> => {
      try {
        model.add(await call('tree', { query: { to: id } }))
        setActiveId(id)
        return true
      } catch {
        return false
      }
    },
    [model],
  )

  /** Opens the team generation by generation, until all is open, the limit is reached or it is cancelled. */
  const expandAll = useCallback(async () => {
    const stop = new AbortController()
    const cancel = () => stop.abort()
    setIsFull(false)
    try {
      for (;;) {
        const ids = model.openAll(SOURCES)
        const shown = model.shown()
        setExpansion({ shown, cancel })
        if (ids.length === 0) return
        if (shown >= MAX_SHOWN) return setIsFull(true)
        const limit = Math.min(PER_CALL, Math.max(2, MAX_SHOWN - shown))
        const { items } = await call(
          'treeBranches',
          { query: { ids: ids.join(','), limit } },
          { signal: stop.signal },
        )
        model.addFlat(items)
      }
    } catch {
      // Cancelled, or shown: open nodes stay open.
    } finally {
      setExpansion(null)
    }
  }, [model])

  return { model, activeId, setActiveId, expansion, isFull, toggle, jumpTo, expandAll }
}

export type Tree = ReturnType<typeof useTree>
