import type { TreeNode } from '@rif/api-schema'
import { type StoreApi, useStore } from 'zustand'
import { formatAmount, formatCount, useTranslation } from '../../../lib/index.ts'
import { Button, IconButton, Segmented } from '../../../ui/index.ts'
import { MAX_SHOWN } from './tree-model.ts'
import type { TreeFigure } from './tree-painter.ts'
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
    <div
      role="toolbar"
      aria-label={t('tree.tools')}
      className="flex items-center justify-between gap-1 max-lg:-mx-3"
    >
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

export interface TreeHeadProps {
  own: TreeNode
  shown: TreeFigure
  onShown: (shown: TreeFigure) => void
}

/** The figure shown at each node, and its totals for both sides of the team. */
export function TreeHead({ own, shown, onShown }: TreeHeadProps) {
  const { t } = useTranslation()
  const figures =
    shown === 'members'
      ? { left: formatCount(own.left_team_size_all), right: formatCount(own.right_team_size_all) }
      : { left: formatAmount(own.left_team_investment), right: formatAmount(own.right_team_investment) }
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 lg:justify-start">
      <Segmented
        label={t('tree.figure')}
        options={(['members', 'investment'] as const).map((value) => ({
          value,
          label: t(`tree.figure_${value}`),
        }))}
        value={shown}
        onChange={onShown}
      />
      <p className="flex flex-wrap gap-x-3.5 text-14">
        {(['left', 'right'] as const).map((side) => (
          <span key={side}>
            <span className="font-semibold">{figures[side]}</span>{' '}
            <span className="text-muted">{t(`tree.${side}`)}</span>
          </span>
        ))}
      </p>
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
      className="absolute bottom-14 right-3 flex items-center rounded-full bg-card px-1 lg:bottom-4 lg:right-4 shadow-2 outline outline-line"
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
