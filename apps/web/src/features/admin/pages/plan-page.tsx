import type { RouteData } from '@rif/api-schema'
import { addDays, parsePlan } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { apiQuery, showModal, useTranslation } from '../../../lib/index.ts'
import { Button, Card, ListSkeleton, Loaded, Notice, Section, TextField } from '../../../ui/index.ts'
import { AdminPage, useMay } from '../components/admin-page.tsx'
import { ComparisonCard } from '../plan/comparison-card.tsx'
import { PlanEditor, showProblem } from '../plan/plan-editor.tsx'
import { type Figures, figureName, planProblemText, sectionOf } from '../plan/plan-fields.ts'
import { PlanVersions, savePlan } from '../plan/plan-versions.tsx'
import { type PlanDraft, usePlanDraft } from '../plan/use-plan-draft.ts'
import { ProposalList } from '../proposals/proposal-list.tsx'
import { PrepareSheet, useWanted } from '../proposals/use-proposals.tsx'

/** Every figure of the rules: edited, validated, compared on the real books, and proposed from a day on. */
export default function PlanPage() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('adminPlan'))
  return (
    <AdminPage title={t('admin.area.plan')} about={t('adminPlan.about.page')}>
      <Loaded query={query} skeleton={<ListSkeleton rows={6} />}>
        {(data) => <Plan data={data} onDone={() => void query.refetch()} />}
      </Loaded>
    </AdminPage>
  )
}

const PLACE = 'plan'

function Plan({ data, onDone }: { data: RouteData<'adminPlan'>; onDone: () => void }) {
  const { t } = useTranslation()
  const may = useMay()
  const draft = usePlanDraft(...baseOf(data))
  const [wanted, setWanted] = useWanted(PLACE)
  const mayPrepare = may('operator')
  const firstDay = addDays(data.today, 1)
  const prepare = () =>
    setWanted({
      kind: 'plan',
      payload: { effective_day: draft.day === '' ? firstDay : draft.day, figures: draft.figures },
    })
  return (
    <>
      <PlanActions draft={draft} firstDay={firstDay} mayPrepare={mayPrepare} onPrepare={prepare} />
      <PlanEditor draft={draft} disabled={!mayPrepare} />
      <ComparisonCard draft={draft} mayAsk={mayPrepare} settledTo={data.settled?.last ?? null} />
      <Section title={t('adminPlan.proposals')}>
        <ProposalList first="open" kind="plan" label={t('adminPlan.proposals')} onDone={onDone} />
      </Section>
      <Section title={t('adminPlan.versions')}>
        <PlanVersions data={data} {...(mayPrepare && { onTake: draft.take })} />
      </Section>
      {wanted !== null && (
        <PrepareSheet
          title={t('admin.kind.plan')}
          wanted={wanted}
          place={PLACE}
          onClose={() => setWanted(null)}
          onDone={() => {
            draft.clear()
            onDone()
          }}
        />
      )}
    </>
  )
}

/**
 * Returns the figures with which a draft begins, and what they are: the plan in force; before the first one the newest that was
 * approved for a later day, or the demonstration's.
 */
function baseOf({ versions, in_force, figures }: RouteData<'adminPlan'>): Parameters<typeof usePlanDraft> {
  if (in_force !== null) return [figures, 'inForce']
  const [newest] = versions
  return newest === undefined ? [figures, 'demonstration'] : [newest.figures, 'toCome']
}

const MOST_PROBLEMS = 6

interface PlanActionsProps {
  draft: PlanDraft
  /** The earliest first day of a plan. */
  firstDay: string
  mayPrepare: boolean
  onPrepare: () => void
}

/**
 * The difference between the draft and the plan in force, its problems, files, undo, and the button to
 * propose it.
 */
function PlanActions({ draft, firstDay, mayPrepare, onPrepare }: PlanActionsProps) {
  const { t } = useTranslation()
  const day = draft.day === '' ? firstDay : draft.day
  const isPast = day < firstDay
  const undo = async () => {
    const answer = await showModal({
      content: t('adminPlan.undoAsk', { count: draft.changed.size }),
      confirmText: t(`adminPlan.undo.${draft.base}`),
    })
    if (answer) draft.undo()
  }
  return (
    <Card className="flex flex-col gap-4">
      {draft.base !== 'inForce' && (
        <Notice tone="warn" title={t(`adminPlan.first.${draft.base}`)}>
          {t(`adminPlan.first.${draft.base}About`)}
        </Notice>
      )}
      <p role="status" className="text-16 font-semibold">
        {draft.changed.size === 0
          ? t(`adminPlan.as.${draft.base}`)
          : t(`adminPlan.changed.${draft.base}`, { count: draft.changed.size })}
      </p>
      <Problems draft={draft} />
      <div className="flex flex-wrap gap-2">
        {mayPrepare && <ImportButton onTake={draft.take} />}
        <Button
          variant="secondary"
          icon="withdraw"
          disabled={!draft.isValid}
          onClick={() => savePlan(draft.figures, 'plan')}
        >
          {t('adminPlan.save')}
        </Button>
        {mayPrepare && (
          <Button variant="secondary" disabled={draft.changed.size === 0} onClick={() => void undo()}>
            {t(`adminPlan.undo.${draft.base}`)}
          </Button>
        )}
      </div>
      {mayPrepare && (
        <div className="flex flex-wrap items-end gap-3">
          <div className="min-w-48">
            <TextField
              type="date"
              label={t('adminPlan.effectiveDay')}
              hint={t('adminPlan.effectiveDayHint')}
              min={firstDay}
              value={day}
              onChange={(event) => draft.setDay(event.target.value)}
              {...(isPast && { error: t('adminPlan.dayHasBegun') })}
            />
          </div>
          <Button
            disabled={
              !draft.isValid || (draft.changed.size === 0 && draft.base !== 'demonstration') || isPast
            }
            onClick={onPrepare}
          >
            {t('adminPlan.propose')}
          </Button>
        </div>
      )}
    </Card>
  )
}

/** The problems of the draft, each with a link to its section. */
function Problems({ draft }: { draft: PlanDraft }) {
  const { t } = useTranslation()
  if (draft.isValid) return null
  const shown = draft.problems.slice(0, MOST_PROBLEMS)
  return (
    <Notice tone="bad" title={t('adminPlan.unusable', { count: draft.problems.length })}>
      <ul className="flex flex-col">
        {shown.map((problem) => {
          const section = sectionOf(problem.path)
          const name = figureName(t, problem.path) ?? (section && t(`adminPlan.section.${section}`))
          return (
            <li key={`${problem.path} ${problem.code}`}>
              <button
                type="button"
                className="min-h-11 text-left underline-offset-2 hover:underline"
                onClick={() => section !== undefined && showProblem(section)}
              >
                {name ?? problem.path}: {planProblemText(t, problem)}
              </button>
            </li>
          )
        })}
      </ul>
    </Notice>
  )
}

function ImportButton({ onTake }: { onTake: (figures: Figures) => void }) {
  const { t } = useTranslation()
  const file = useRef<HTMLInputElement>(null)
  const read = async (text: string) => {
    const figures = figuresIn(text)
    if (figures !== null) onTake(figures)
    else await showModal({ content: t('adminPlan.noPlan'), showCancel: false })
  }
  return (
    <>
      <Button variant="secondary" onClick={() => file.current?.click()}>
        {t('adminPlan.import')}
      </Button>
      <input
        ref={file}
        type="file"
        accept=".json,application/json"
        aria-label={t('adminPlan.import')}
        hidden
        onChange={async ({ target }) => {
          const chosen = target.files?.[0]
          // Allows choosing the same file again.
          target.value = ''
          if (chosen !== undefined) await read(await chosen.text())
        }}
      />
    </>
  )
}

const UNREADABLE = ['not_list', 'not_object', 'unknown', 'not_text']

/** Reads the plan in a file: figures may be wrong, but the format must be right; null for anything else. */
function figuresIn(text: string): Figures | null {
  try {
    const json: unknown = JSON.parse(text)
    const parsed = parsePlan(json)
    const isPlan = parsed.ok || !parsed.details.some(({ code }) => UNREADABLE.includes(code))
    return isPlan ? (json as Figures) : null
  } catch {
    return null
  }
}
