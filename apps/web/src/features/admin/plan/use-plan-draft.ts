import { type PlanProblem, parsePlan } from '@rif/rules'
import { useMemo } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { useKeptValues } from '../../../ui/index.ts'
import {
  changedPaths,
  type Figures,
  figureOf,
  leavesOf,
  planFieldText,
  planProblemText,
  withFigure,
  withList,
} from './plan-fields.ts'

interface Kept {
  /** JSON of the figures; empty for those in force. */
  figures: string
  /** JSON of the typed texts, by path, that differ from the figure's standard form. */
  typed: string
  day: string
}

/** The figures with which a draft begins: a plan in force, one that is approved for later, or those of the demonstration. */
export type PlanBase = 'inForce' | 'toCome' | 'demonstration'

export type PlanDraft = ReturnType<typeof usePlanDraft>

/**
 * The plan that an operator is editing: it starts as the given one, survives a reload, and is validated by
 * the rules on each keystroke.
 */
export function usePlanDraft(start: Figures, base: PlanBase) {
  const { t } = useTranslation()
  const { values, set, clear } = useKeptValues<Kept>('plan', { figures: '', typed: '', day: '' })
  const figures = useMemo(() => readJson(values.figures) ?? start, [values.figures, start])
  const typed = useMemo(() => readJson(values.typed) ?? {}, [values.typed]) as Record<string, string>
  const parsed = useMemo(() => parsePlan(figures), [figures])
  const changed = useMemo(() => new Set(changedPaths(start, figures)), [start, figures])
  const before = useMemo(() => leavesOf(start), [start])
  const leaves = useMemo(() => leavesOf(figures), [figures])
  const problems: readonly PlanProblem[] = parsed.ok ? [] : parsed.details

  const put = (next: Figures, texts: Record<string, string>) =>
    set({ figures: JSON.stringify(next), typed: JSON.stringify(texts) })

  return {
    base,
    figures,
    changed,
    before,
    leaves,
    problems,
    day: values.day,
    isValid: parsed.ok,
    textAt: (path: string) => typed[path] ?? planFieldText(path, leaves.get(path) ?? ''),
    problemAt(path: string) {
      const pathProblem = problems.find((problem) => problem.path === path)
      return pathProblem && planProblemText(t, pathProblem)
    },
    type: (path: string, text: string) =>
      put(withFigure(figures, path, figureOf(path, text)), { ...typed, [path]: text }),
    editList: (path: string, edit: (list: readonly unknown[]) => unknown[]) =>
      put(withList(figures, path, edit), {}),
    /** Replaces the whole plan, for example from a file. */
    take: (next: Figures) => put(next, {}),
    setDay: (day: string) => set({ day }),
    /** Resets to the figures with which it began. */
    undo: () => set({ figures: '', typed: '' }),
    /** Clears the draft after it was proposed. */
    clear,
  }
}

function readJson(text: string): Record<string, unknown> | null {
  if (text === '') return null
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : null
  } catch {
    return null
  }
}
