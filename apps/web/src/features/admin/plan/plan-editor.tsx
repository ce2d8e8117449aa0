import { useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { cx, isWideWindow, useTranslation } from '../../../lib/index.ts'
import { Button, Card, Icon, NumberField, Pill, TextField } from '../../../ui/index.ts'
import {
  figureName,
  figureText,
  isMoney,
  type PlanSection,
  SECTIONS,
  sectionOf,
  unitOf,
  unitText,
} from './plan-fields.ts'
import type { PlanDraft } from './use-plan-draft.ts'

const MOST_RANKS = 5
const NEW_RANK = { from: '', ratePpm: 0 }

interface PlanEditorProps {
  draft: PlanDraft
  disabled: boolean
}

/**
 * Every figure of the plan in its section, with a plain name and its unit; differences from the plan in force
 * are marked.
 */
export function PlanEditor({ draft, disabled }: PlanEditorProps) {
  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
      {SECTIONS.map((section) => (
        <Section key={section} draft={draft} section={section} disabled={disabled} />
      ))}
    </div>
  )
}

const idOf = (section: PlanSection) => `plan-${section}`

/** Opens a section, and scrolls its first figure with a problem into view. */
export function showProblem(section: PlanSection): void {
  const place = document.getElementById(idOf(section))
  const title = place?.querySelector<HTMLElement>('button[aria-expanded]')
  if (title?.ariaExpanded === 'false') flushSync(() => title.click())
  const figure = place?.querySelector<HTMLElement>('[aria-invalid]') ?? title
  figure?.focus({ preventScroll: true })
  figure?.scrollIntoView({ block: 'center' })
}

/** A collapsible part of the plan; closed, it shows differences from the plan in force and problems. */
function Section({ draft, section, disabled }: PlanEditorProps & { section: PlanSection }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(isWideWindow)
  const bodyId = useId()
  const title = t(`adminPlan.section.${section}`)
  const changed = [...draft.changed].filter((path) => sectionOf(path) === section)
  const wrong = draft.problems.filter(({ path }) => sectionOf(path) === section).length
  return (
    <section
      id={idOf(section)}
      aria-label={title}
      className={cx('scroll-mt-16', section === 'packages' && 'xl:col-span-2')}
    >
      <Card className="flex flex-col gap-4">
        <h2>
          <button
            type="button"
            aria-expanded={open}
            aria-controls={bodyId}
            className="flex min-h-11 w-full flex-wrap items-center gap-x-3 gap-y-1 text-left"
            onClick={() => setOpen(!open)}
          >
            <span className="text-16 font-semibold">{title}</span>
            {changed.length > 0 && (
              <Pill tone="info">{t('adminPlan.changes', { count: changed.length })}</Pill>
            )}
            {wrong > 0 && <Pill tone="bad">{t('adminPlan.wrong', { count: wrong })}</Pill>}
            <Icon
              name="down"
              size={16}
              className={cx('ml-auto text-muted transition-transform', open && 'rotate-180')}
            />
          </button>
        </h2>
        <div id={bodyId} className="flex flex-col gap-4 empty:hidden">
          {open ? (
            <>
              <p className="text-14 text-muted">{t(`adminPlan.about.${section}`)}</p>
              <SectionProblem draft={draft} section={section} />
              <SectionFields draft={draft} section={section} disabled={disabled} />
            </>
          ) : (
            changed.length > 0 && <PlanChanges before={draft.before} after={draft.leaves} paths={changed} />
          )}
        </div>
      </Card>
    </section>
  )
}

/** The problem of a list as a whole. */
function SectionProblem({ draft, section }: { draft: PlanDraft; section: PlanSection }) {
  const paths = [section, `${section}.ranks`, `${section}.generationPpm`, `${section}.dayLimit`]
  const text = paths.map((path) => draft.problemAt(path)).find((problem) => problem !== undefined)
  return text === undefined ? null : (
    <p role="alert" className="text-14 text-bad">
      {text}
    </p>
  )
}

function SectionFields({ draft, section, disabled }: PlanEditorProps & { section: PlanSection }) {
  if (section === 'packages') return <Packages draft={draft} disabled={disabled} />
  if (section === 'management') return <Management draft={draft} disabled={disabled} />
  const paths = [...draft.leaves.keys()].filter((path) => path.startsWith(`${section}.`))
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      {paths.map((path) => (
        <PlanField key={path} draft={draft} path={path} disabled={disabled} />
      ))}
    </div>
  )
}

/** One package per column, so that figures can be compared along a row. */
function Packages({ draft, disabled }: PlanEditorProps) {
  const { t } = useTranslation()
  const names = ['name', 'price', 'copies', 'referralPpm', 'organisationPpm', 'staticPpm'] as const
  const more = ['pairingPpm', 'pairingDayCap'] as const
  const packages = [...draft.leaves.keys()].flatMap(
    (path) => /^(packages\[\d+\])\.name$/.exec(path)?.[1] ?? [],
  )
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-5">
      {packages.map((path, index) => (
        <fieldset key={path} className="flex min-w-0 flex-col gap-3">
          <legend className="pb-2 text-14 font-semibold">
            {t('adminPlan.package', { level: index + 1 })}
          </legend>
          {[...names, ...more].map((name) => (
            <PlanField
              key={name}
              draft={draft}
              path={`${path}.${name}`}
              label={t(`adminPlan.figure.${name}`)}
              disabled={disabled}
            />
          ))}
        </fieldset>
      ))}
    </div>
  )
}

/** Generations and ranks: lists whose last element can be removed and to which one can be added. */
function Management({ draft, disabled }: PlanEditorProps) {
  const { t } = useTranslation()
  const pathsOf = (start: string) => [...draft.leaves.keys()].filter((path) => path.startsWith(start))
  const ranks = pathsOf('management.ranks[').length / 2
  return (
    <>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-3">
        {pathsOf('management.generationPpm[').map((path) => (
          <PlanField key={path} draft={draft} path={path} disabled={disabled} />
        ))}
      </div>
      {!disabled && (
        <ListButtons
          name={t('adminPlan.generation')}
          onAdd={() => draft.editList('management.generationPpm', (list) => [...list, 0])}
          onRemove={() => draft.editList('management.generationPpm', (list) => list.slice(0, -1))}
        />
      )}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {pathsOf('management.ranks[').map((path) => (
          <PlanField key={path} draft={draft} path={path} disabled={disabled} />
        ))}
      </div>
      {!disabled && (
        <ListButtons
          name={t('adminPlan.rank')}
          onAdd={
            ranks < MOST_RANKS
              ? () => draft.editList('management.ranks', (list) => [...list, NEW_RANK])
              : undefined
          }
          onRemove={() => draft.editList('management.ranks', (list) => list.slice(0, -1))}
        />
      )}
    </>
  )
}

function ListButtons({
  name,
  onAdd,
  onRemove,
}: {
  name: string
  onAdd: (() => void) | undefined
  onRemove: () => void
}) {
  const { t } = useTranslation()
  return (
    <p className="flex flex-wrap gap-2">
      <Button variant="quiet" className="text-14" disabled={onAdd === undefined} onClick={onAdd}>
        {t('adminPlan.add', { name })}
      </Button>
      <Button variant="quiet" className="text-14" onClick={onRemove}>
        {t('adminPlan.remove', { name })}
      </Button>
    </p>
  )
}

/** One figure of the plan: its name, its previous value if changed, its unit, and its problem. */
function PlanField({
  draft,
  path,
  label,
  disabled,
}: {
  draft: PlanDraft
  path: string
  /** Replaces the figure's own name if the position makes it clear. */
  label?: string
  disabled: boolean
}) {
  const { t } = useTranslation()
  const error = draft.problemAt(path)
  const isChanged = draft.changed.has(path)
  const old = draft.before.get(path)
  const field = {
    label: label ?? figureName(t, path) ?? path,
    'aria-label': figureName(t, path) ?? path,
    value: draft.textAt(path),
    disabled,
    className: 'tabular-nums',
    error,
    hint: isChanged && (
      <Pill tone="info">
        {old === undefined
          ? t('adminPlan.new')
          : t(`adminPlan.was.${draft.base}`, { value: figureText(t, path, old) })}
      </Pill>
    ),
  }
  const kind = unitOf(path)
  if (kind === 'text') {
    return <TextField {...field} maxLength={40} onChange={({ target }) => draft.type(path, target.value)} />
  }
  return (
    <NumberField
      {...field}
      unit={unitText(t, path)}
      decimals={kind === 'count' ? 0 : 6}
      printed={isMoney(kind) ? 2 : 0}
      showsRead={isChanged}
      onChange={(value) => draft.type(path, value)}
    />
  )
}

type Leaves = ReadonlyMap<string, unknown>

/** The changed figures, each with its old and new value. */
export function PlanChanges({
  before,
  after,
  paths,
}: {
  before: Leaves
  after: Leaves
  paths: readonly string[]
}) {
  const { t } = useTranslation()
  const text = (leaves: Leaves, path: string) =>
    leaves.has(path) ? figureText(t, path, leaves.get(path)) : '–'
  return (
    <ul className="flex flex-col gap-2 text-14">
      {paths.map((path) => (
        <li key={path} className="flex flex-wrap justify-between gap-x-4">
          <span>{figureName(t, path) ?? path}</span>
          <span className="tabular-nums text-muted">
            {text(before, path)} → <span className="text-ink">{text(after, path)}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
