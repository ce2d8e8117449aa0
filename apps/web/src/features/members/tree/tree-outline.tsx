import type { MemberLabel } from '@rif/api-schema'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { cx, formatCount, levelName, shortAddress, useTranslation } from '../../../lib/index.ts'
import { Icon } from '../../../ui/index.ts'
import { hasBranch, type TreeEntry } from './tree-model.ts'
import { type Tree, useNodeName } from './use-tree.ts'

export interface TreeOutlineProps {
  tree: Tree
  labels: ReadonlyMap<string, MemberLabel>
  onMenu: (entry: TreeEntry, box: DOMRect) => void
}

const ROW_PX = 56
/** Deeper generations are shown by number, so that space remains for the text. */
const MAX_INDENT = 8

/** The same tree as a list: every shown node before those below it. Only visible lines are in the page. */
export function TreeOutline({ tree, labels, onMenu }: TreeOutlineProps) {
  const { t } = useTranslation()
  const { model, activeId } = tree
  const version = useStore(model.version)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the model is changed in place, and its version tells
  const lines = useMemo(() => model.outline(), [model, version])
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => lines[index]?.entry.member.id ?? index,
    overscan: 8,
  })
  const activeAt = useMemo(
    () => lines.findIndex(({ entry }) => entry.member.id === activeId),
    [lines, activeId],
  )
  useEffect(() => {
    if (activeAt > 0) virtualizer.scrollToIndex(activeAt, { align: 'auto' })
  }, [activeAt, virtualizer])
  return (
    <div ref={scroller} className="size-full overflow-y-auto overscroll-contain">
      <ul aria-label={t('tree.title')} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const { entry, depth } = lines[index]!
          return (
            <li
              key={key}
              aria-setsize={lines.length}
              aria-posinset={index + 1}
              className={cx(
                'absolute inset-x-0 flex h-14 items-center gap-1 border-b border-line pr-1',
                entry.member.id === activeId && 'bg-accent-soft',
              )}
              style={{
                transform: `translateY(${start}px)`,
                paddingLeft: 4 + Math.min(depth, MAX_INDENT) * 12,
              }}
            >
              <OutlineRow {...{ entry, depth, tree, labels, onMenu }} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function OutlineRow({
  entry,
  depth,
  tree,
  labels,
  onMenu,
}: TreeOutlineProps & { entry: TreeEntry; depth: number }) {
  const { t } = useTranslation()
  const nameOf = useNodeName(labels)
  const { member } = entry
  const name = labels.get(member.id)?.label || (entry.member.pid === null ? t('tree.own') : '')
  const canOpen = hasBranch(entry)
  return (
    <>
      <button
        type="button"
        className="flex min-h-11 min-w-0 flex-1 items-center gap-2 rounded-8 px-2 text-left text-14"
        aria-label={`${t('tree.generation', { depth })}, ${member.side === null ? '' : t(`side.${member.side}`)} ${nameOf(member)}`}
        {...(canOpen && { 'aria-expanded': entry.isOpen })}
        onClick={() => {
          tree.setActiveId(member.id)
          void tree.toggle(entry)
        }}
      >
        <Icon
          name={canOpen ? (entry.isOpen ? 'down' : 'forward') : 'my'}
          size={16}
          className={canOpen ? 'text-accent' : 'text-muted'}
        />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{name || shortAddress(member.label)}</span>
          <span className="block truncate text-12 text-muted">
            {depth}
            {member.side !== null && ` · ${t(`side.${member.side}`)}`}
            {member.level > 0 && ` · ${levelName(t, member.level)}`}
            {` · ${t('tree.l')} ${formatCount(member.left_team_size_all)} · ${t('tree.r')} ${formatCount(member.right_team_size_all)}`}
          </span>
        </span>
      </button>
      <button
        type="button"
        aria-label={t('tree.menuOf', { name: name || shortAddress(member.label) })}
        aria-haspopup="menu"
        className="grid size-11 shrink-0 place-items-center rounded-12 hover:bg-sunken"
        onClick={(event) => {
          tree.setActiveId(member.id)
          onMenu(entry, event.currentTarget.getBoundingClientRect())
        }}
      >
        <Icon name="more" size={20} />
      </button>
    </>
  )
}
