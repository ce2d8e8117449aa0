import { type StoreApi, useStore } from 'zustand'
import { formatCount, useTranslation } from '../../../lib/index.ts'
import { Button, IconButton } from '../../../ui/index.ts'
import { MAX_SHOWN } from './tree-model.ts'
import type { Expansion } from './use-tree.ts'

export interface TreeToolbarProps {
  isList: boolean
  isFullscreen: boolean
  onList: () => void
  onFullscreen: () => void
  onExpandAll: () => void
  onCollapse: () => void
  onSearch: () => void
}

/** The controls of the whole tree. */
export function TreeToolbar(props: TreeToolbarProps) {
  const { t } = useTranslation()
  return (
    <div role="toolbar" aria-label={t('tree.tools')} className="flex items-center justify-between gap-1">
      <IconButton icon="search" label={t('tree.search')} onClick={props.onSearch} />
      <IconButton icon="expandAll" label={t('tree.expandAll')} onClick={props.onExpandAll} />
      <IconButton icon="collapse" label={t('tree.collapse')} onClick={props.onCollapse} />
      <IconButton
        icon={props.isList ? 'tree' : 'list'}
        label={props.isList ? t('tree.asTree') : t('tree.asList')}
        onClick={props.onList}
      />
      <IconButton
        icon={props.isFullscreen ? 'shrink' : 'fullscreen'}
        label={props.isFullscreen ? t('tree.leaveFullscreen') : t('tree.fullscreen')}
        aria-pressed={props.isFullscreen}
        onClick={props.onFullscreen}
      />
    </div>
  )
}

export interface ZoomControlProps {
  percent: StoreApi<number>
  onStep: (direction: 1 | -1) => void
  onRestore: () => void
}

/** Smaller, larger, and back to 100% with the root in sight. */
export function ZoomControl({ percent, onStep, onRestore }: ZoomControlProps) {
  const { t } = useTranslation()
  const value = useStore(percent)
  return (
    <fieldset
      aria-label={t('tree.zoom')}
      className="absolute bottom-3 right-3 flex items-center rounded-12 bg-card shadow-2 outline outline-line"
    >
      <IconButton icon="minus" label={t('tree.zoomOut')} disabled={value <= 30} onClick={() => onStep(-1)} />
      <button
        type="button"
        title={t('tree.restore')}
        aria-label={t('tree.restoreFrom', { percent: value })}
        className="min-h-11 min-w-14 text-14 font-medium"
        onClick={onRestore}
      >
        {value}%
      </button>
      <IconButton icon="plus" label={t('tree.zoomIn')} disabled={value >= 300} onClick={() => onStep(1)} />
    </fieldset>
  )
}

/** The progress of opening all nodes, with a button that stops it. */
export function ExpansionBar({ expansion, total }: { expansion: Expansion; total: number }) {
  const { t } = useTranslation()
  const goal = Math.min(total, MAX_SHOWN)
  return (
    <div className="flex items-center gap-3 rounded-12 bg-card px-4 py-2">
      <div className="min-w-0 flex-1">
        <p role="status" className="text-14">
          {t('tree.expanding', { shown: formatCount(expansion.shown), total: formatCount(total) })}
        </p>
        <progress
          className="mt-1 block h-1 w-full accent-accent"
          value={Math.min(expansion.shown, goal)}
          max={goal}
          aria-label={t('tree.expandAll')}
        />
      </div>
      <Button variant="quiet" onClick={expansion.cancel}>
        {t('common.cancel')}
      </Button>
    </div>
  )
}
