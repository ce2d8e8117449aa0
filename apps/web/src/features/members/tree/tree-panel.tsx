import type { TreeNode } from '@rif/api-schema'
import { useEffect, useRef, useState } from 'react'
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
import { LabelSheet, PlaceSheet, SearchSheet } from './tree-sheets.tsx'
import { ExpansionBar, TreeToolbar, ZoomControl } from './tree-toolbar.tsx'
import { useFullscreen } from './use-fullscreen.ts'
import { type FreePlace, useTree } from './use-tree.ts'

const STEP = 1.25

/** The tree with everything that acts on it. */
export function TreePanel({ own }: { own: TreeNode }) {
  const { t } = useTranslation()
  const tree = useTree(own)
  const { model, activeId } = tree
  useStore(model.version)
  const labels = useLabels()
  const panel = useRef<HTMLDivElement>(null)
  const camera = useRef<TreeCamera | null>(null)
  const [percent] = useState(() => createStore(() => 100))
  const [isList, setIsList] = useState(false)
  const fullscreen = useFullscreen(panel)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [edited, setEdited] = useState<TreeEntry | null>(null)
  const [place, setPlace] = useState<FreePlace | null>(null)
  const [isSearch, setIsSearch] = useState(false)
  const deleteLabel = useApiMutation('deleteLabel', { refresh: ['labels'] })
  const active = model.get(activeId) ?? model.root()
  const openMenu = (entry: TreeEntry, box: DOMRect) => setMenu({ entry, box })

  // The camera lives as long as its canvas; the number on the button outlives it.
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
        'flex flex-col gap-3',
        fullscreen.isOn && 'fixed inset-0 z-20 bg-page p-3 pt-[max(0.75rem,env(safe-area-inset-top))]',
      )}
    >
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
      <div
        className={cx(
          'relative min-h-72 overflow-hidden rounded-12 bg-sunken',
          fullscreen.isOn ? 'flex-1' : 'h-[58dvh]',
        )}
      >
        {isList ? (
          <TreeOutline tree={tree} labels={labels} onMenu={openMenu} />
        ) : (
          <>
            <TreeCanvas tree={tree} labels={labels} camera={camera} onMenu={openMenu} onFree={setPlace} />
            <ZoomControl
              percent={percent}
              onStep={(direction) => camera.current?.step(direction === 1 ? STEP : 1 / STEP)}
              onRestore={() => camera.current?.restore()}
            />
          </>
        )}
      </div>
      {!fullscreen.isOn && <NodeCard entry={active} name={nameOf(active)} onMenu={openMenu} />}
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

/** Pinned members at hand: a tap goes there. */
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
