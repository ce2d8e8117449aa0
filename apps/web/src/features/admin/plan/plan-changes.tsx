import { useTranslation } from '../../../lib/index.ts'
import { figureName, figureText } from './plan-words.ts'

type Leaves = ReadonlyMap<string, unknown>

/** Figures that differ, each with what it was and what it is then. */
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
