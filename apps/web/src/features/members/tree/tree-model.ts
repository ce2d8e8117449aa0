import type { Side, TreeMember, TreeNode } from '@rif/api-schema'
import { createStore, type StoreApi } from 'zustand'

/** The number of generations fetched initially. */
export const FIRST_DEPTH = 3
/** The maximum number of nodes shown at once; deeper ones are opened branch by branch. */
export const MAX_SHOWN = 10_000

export interface TreeEntry {
  member: TreeMember
  left: TreeEntry | null
  right: TreeEntry | null
  parent: TreeEntry | null
  isOpen: boolean
}

/** Returns the number of members on a side of a node. */
export const treeSizeOf = ({ member }: TreeEntry, side: Side) =>
  side === 'left' ? member.left_team_size_all : member.right_team_size_all

export const hasBranch = (entry: TreeEntry) => treeSizeOf(entry, 'left') + treeSizeOf(entry, 'right') > 0

/** Reports whether all children of a node have loaded. */
export const isLoaded = (entry: TreeEntry) =>
  (entry.left !== null || treeSizeOf(entry, 'left') === 0) &&
  (entry.right !== null || treeSizeOf(entry, 'right') === 0)

/**
 * The fetched part of the tree, and its open branches. It is changed in place, because a change affects a few
 * of ten thousand nodes; `version` notifies renderers.
 */
export function createTreeModel(own: TreeNode) {
  const entries = new Map<string, TreeEntry>()
  const version: StoreApi<number> = createStore(() => 0)
  const changed = () => version.setState(version.getState() + 1)

  function put(member: TreeMember): TreeEntry {
    const oldEntry = entries.get(member.id)
    if (oldEntry !== undefined) {
      oldEntry.member = member
      return oldEntry
    }
    const parent = member.pid === null ? undefined : entries.get(member.pid)
    const entry: TreeEntry = { member, left: null, right: null, parent: parent ?? null, isOpen: false }
    entries.set(member.id, entry)
    if (parent !== undefined && member.side !== null) parent[member.side] = entry
    return entry
  }

  function putNested(top: TreeNode): TreeEntry {
    const first = put(top)
    const rest: TreeNode[] = [top]
    for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
      const entry = put(node)
      for (const child of node.children) put(child)
      rest.push(...node.children)
      if (node.expand && isLoaded(entry)) entry.isOpen = true
    }
    return first
  }

  let root = putNested(own)
  const ownId = own.id

  return {
    version,
    ownId,
    root: () => root,
    get: (id: string) => entries.get(id),

    /** Adds a branch with its children; nodes that arrived with their children are open. */
    add(branch: TreeNode) {
      const top = putNested(branch)
      root = branch.pid === null || top.parent !== null ? entries.get(ownId)! : top
      changed()
    },

    /** Adds nodes of branches, parents first, and opens every node whose children are all loaded. */
    addFlat(members: readonly TreeMember[]) {
      for (const member of members) {
        const { parent } = put(member)
        if (parent !== null && isLoaded(parent)) parent.isOpen = true
      }
      changed()
    },

    setOpen(entry: TreeEntry, isOpen: boolean) {
      entry.isOpen = isOpen && isLoaded(entry)
      changed()
    },

    /** Opens the first loaded generations, and closes those below. */
    openTo(depth: number) {
      let generation = [root]
      for (let level = 0; generation.length > 0; level++) {
        for (const entry of generation) entry.isOpen = level < depth && isLoaded(entry)
        generation = generation.flatMap(({ left, right }) => [left, right]).filter((entry) => entry !== null)
      }
      changed()
    },

    /** Starts with the own node again. */
    showOwn() {
      root = entries.get(ownId)!
      changed()
    },

    /**
     * Opens loaded nodes, and returns those whose children are still to be fetched, nearest to the root
     * first.
     */
    openAll(limit: number): string[] {
      const unloaded: string[] = []
      for (const entry of walk(root)) {
        if (!hasBranch(entry)) continue
        if (isLoaded(entry)) entry.isOpen = true
        else if (unloaded.length < limit) unloaded.push(entry.member.id)
      }
      changed()
      return unloaded
    },

    closeAll() {
      for (const entry of entries.values()) entry.isOpen = false
      root.isOpen = isLoaded(root)
      changed()
    },

    /** Yields every shown node before those below it, left before right, with its generation. */
    outline(): { entry: TreeEntry; depth: number }[] {
      const lines: { entry: TreeEntry; depth: number }[] = []
      const stack = [{ entry: root, depth: 0 }]
      for (let line = stack.pop(); line !== undefined; line = stack.pop()) {
        lines.push(line)
        const { entry, depth } = line
        if (!entry.isOpen) continue
        if (entry.right !== null) stack.push({ entry: entry.right, depth: depth + 1 })
        if (entry.left !== null) stack.push({ entry: entry.left, depth: depth + 1 })
      }
      return lines
    },

    /** The number of shown nodes. */
    shown(): number {
      let count = 0
      for (const _ of walk(root)) count++
      return count
    },
  }
}

export type TreeModel = ReturnType<typeof createTreeModel>

/** Returns the shown nodes below an entry by generation, the entry itself first. */
function* walk(top: TreeEntry): Generator<TreeEntry> {
  let generation = [top]
  while (generation.length > 0) {
    const next: TreeEntry[] = []
    for (const entry of generation) {
      yield entry
      if (!entry.isOpen) continue
      if (entry.left !== null) next.push(entry.left)
      if (entry.right !== null) next.push(entry.right)
    }
    generation = next
  }
}
