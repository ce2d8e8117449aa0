import type { TreeNode } from '@rif/api-schema'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createStore, useStore } from 'zustand'
import {
  cx,
  formatCount,
  shortAddress,
  showModal,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import { Button, Icon, Notice } from '../../../ui/index.ts'
import { useLabels } from '../use-labels.ts'
import { NodeCard, NodeMenu, type OpenMenu } from './node-card.tsx'
import type { TreeCamera } from './tree-camera.ts'
import { TreeCanvas } from './tree-canvas.tsx'
import { MAX_SHOWN, type TreeEntry } from './tree-model.ts'
import { TreeOutline } from './tree-outline.tsx'
import type { TreeFigure } from './tree-painter.ts'
import { LabelSheet, PlaceSheet, SearchSheet } from './tree-sheets.tsx'
import { ExpansionBar, TreeHead, TreeToolbar, ZoomControl } from './tree-toolbar.tsx'
import { useFullscreen } from './use-fullscreen.ts'
import { type FreePlace, useTree } from './use-tree.ts'

const STEP = 1.25

export interface TreePanelProps {
  own: TreeNode
  /** The initial member, also shown when it changes. */
  shownId?: string | undefined
  /** Shown below the selected member. */
  aside?: ReactNode
}

/** The tree with its controls, and the selected member below it or, on a desktop, beside it. */
export function TreePanel({ own, shownId, aside }: TreePanelProps) {
  const { t } = useTranslation()
  const tree = useTree(own)
  const { model, activeId } = tree
  useStore(model.version)
  const labels = useLabels()
  const panel = useRef<HTMLDivElement>(null)
  const camera = useRef<TreeCamera | null>(null)
  const [percent] = useState(() => createStore(() => 100))
  const [isList, setIsList] = useState(false)
  const [figure, setFigure] = useState<TreeFigure>('members')
  const fullscreen = useFullscreen(panel)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [edited, setEdited] = useState<TreeEntry | null>(null)
  const [place, setPlace] = useState<FreePlace | null>(null)
  const [isSearch, setIsSearch] = useState(false)
  const deleteLabel = useApiMutation('deleteLabel', { refresh: ['labels', 'names'] })
  const active = model.get(activeId) ?? model.root()
  const openMenu = (entry: TreeEntry, box: DOMRect) => setMenu({ entry, box })

  // The camera lives as long as its canvas; the number on the button is kept longer.
  useEffect(() => {
    const own = isList ? undefined : camera.current?.percent
    percent.setState(own?.getState() ?? 100)
    return own?.subscribe(() => percent.setState(own.getState()))
  }, [isList, percent])

  const show = (id: string) => {
    setIsSearch(false)
    setPlace(null)
    void tree.jumpTo(id)
  }
  const showFrom = useEffectEvent(show)
  useEffect(() => {
    if (shownId !== undefined) showFrom(shownId)
  }, [shownId])
  const removeLabel = async (entry: TreeEntry) => {
    if (!(await showModal({ content: t('tree.deleteAsk'), confirmText: t('tree.delete') }))) return
    await deleteLabel.mutateAsync({ body: { member_id: entry.member.id } }).catch(() => undefined)
  }
  const nameOf = (entry: TreeEntry) =>
    labels.get(entry.member.id)?.label || (entry.member.id === model.ownId ? t('tree.own') : '')
  const total = own.left_team_size_all + own.right_team_size_all + 1
  const pins = [...labels.values()].filter(({ pinned }) => pinned)
  return (
    <div
      ref={panel}
      className={cx(
        fullscreen.isOn
          ? 'fixed inset-0 z-20 flex flex-col bg-page pt-[max(0.75rem,env(safe-area-inset-top))]'
          : 'grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_328px]',
      )}
    >
      <div
        className={cx(
          'flex min-w-0 flex-col overflow-hidden max-lg:-mx-4 lg:rounded-16 lg:bg-card',
          fullscreen.isOn && 'flex-1 max-lg:mx-0',
        )}
      >
        <div className="flex flex-col gap-x-4 px-4 pb-2 lg:flex-row-reverse lg:items-center lg:justify-between lg:pt-2">
          <TreeToolbar
            isList={isList}
            isFullscreen={fullscreen.isOn}
            onList={() => setIsList(!isList)}
            onFullscreen={fullscreen.toggle}
            onExpandAll={() =>
              void tree.expandAll().then(() => requestAnimationFrame(() => camera.current?.fit()))
            }
            onCollapse={() => {
              model.closeAll()
              tree.setActiveId(model.root().member.id)
            }}
            onSearch={() => setIsSearch(true)}
          />
          <TreeHead own={own} shown={figure} onShown={setFigure} />
        </div>
        <div className="flex flex-col gap-3 px-4 not-empty:pb-3">
          {tree.expansion !== null && <ExpansionBar expansion={tree.expansion} total={total} />}
          {tree.isFull && (
            <Notice>{t('tree.full', { shown: formatCount(MAX_SHOWN), total: formatCount(total) })}</Notice>
          )}
          {pins.length > 0 && <Pins pins={pins} onShow={show} />}
          {model.root().member.id !== model.ownId && (
            <Button
              variant="secondary"
              onClick={() => {
                model.showOwn()
                tree.setActiveId(model.ownId)
              }}
            >
              {t('tree.showOwn')}
            </Button>
          )}
        </div>
        <div
          className={cx(
            'relative min-h-72 overflow-hidden bg-sunken',
            !isList && 'bg-[radial-gradient(var(--line-strong)_1px,transparent_1px)] bg-size-[20px_20px]',
            fullscreen.isOn ? 'flex-1' : 'h-[58dvh] lg:h-140',
          )}
        >
          {isList ? (
            <TreeOutline tree={tree} labels={labels} onMenu={openMenu} />
          ) : (
            <>
              <TreeCanvas
                tree={tree}
                labels={labels}
                figure={figure}
                camera={camera}
                onMenu={openMenu}
                onFree={setPlace}
              />
              <ZoomControl
                percent={percent}
                onStep={(direction) => camera.current?.step(direction === 1 ? STEP : 1 / STEP)}
                onRestore={() => camera.current?.restore()}
              />
            </>
          )}
        </div>
      </div>
      {!fullscreen.isOn && (
        <div className="flex min-w-0 flex-col gap-4 max-lg:-mt-9">
          <NodeCard entry={active} name={nameOf(active)} ownId={model.ownId} onMenu={openMenu} />
          {aside}
        </div>
      )}
      <NodeMenu
        open={menu}
        container={panel}
        onClose={() => setMenu(null)}
        label={menu === null ? undefined : labels.get(menu.entry.member.id)}
        isOwn={menu?.entry.member.id === model.ownId}
        onAdd={setPlace}
        onEdit={setEdited}
        onDelete={(entry) => void removeLabel(entry)}
      />
      <LabelSheet
        entry={edited}
        label={edited === null ? undefined : labels.get(edited.member.id)}
        onClose={() => setEdited(null)}
      />
      <PlaceSheet place={place} ownId={model.ownId} onClose={() => setPlace(null)} onShow={show} />
      <SearchSheet open={isSearch} onClose={() => setIsSearch(false)} labels={labels} onShow={show} />
    </div>
  )
}

interface PinsProps {
  pins: readonly { member_id: string; address: string; label: string }[]
  onShow: (id: string) => void
}

/** Pinned members: a tap moves to one. */
function Pins({ pins, onShow }: PinsProps) {
  const { t } = useTranslation()
  return (
    <ul aria-label={t('tree.pins')} className="-mx-1 flex gap-2 overflow-x-auto px-1 py-1">
      {pins.map((pin) => (
        <li key={pin.member_id} className="shrink-0">
          <button
            type="button"
            className="flex min-h-11 max-w-56 items-center gap-2 rounded-full bg-card px-4 text-14"
            onClick={() => onShow(pin.member_id)}
          >
            <Icon name="pin" size={16} className="text-accent" />
            <span className="truncate">{pin.label || shortAddress(pin.address)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
