import { useTranslation } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { PlanField } from './plan-field.tsx'
import { type PlanSection, SECTIONS } from './plan-words.ts'
import type { PlanDraft } from './use-plan-draft.ts'

const MOST_RANKS = 5
const NEW_RANK = { from: '', ratePpm: 0 }

export interface PlanEditorProps {
  draft: PlanDraft
  disabled: boolean
}

/** Every figure of the plan under its section, in plain words and with its unit; what differs from the plan in force is marked. */
export function PlanEditor({ draft, disabled }: PlanEditorProps) {
  const { t } = useTranslation()
  return (
    <div className="grid grid-cols-1 gap-4 xl:grid-cols-2">
      {SECTIONS.map((section) => (
        <section
          key={section}
          id={`plan-${section}`}
          aria-label={t(`adminPlan.section.${section}`)}
          className={section === 'packages' ? 'xl:col-span-2' : undefined}
        >
          <Card className="flex h-full flex-col gap-4">
            <div>
              <h2 className="text-16 font-semibold">{t(`adminPlan.section.${section}`)}</h2>
              <p className="text-14 text-muted">{t(`adminPlan.about.${section}`)}</p>
            </div>
            <SectionProblem draft={draft} section={section} />
            <SectionFields draft={draft} section={section} disabled={disabled} />
          </Card>
        </section>
      ))}
    </div>
  )
}

/** What is wrong with a list as a whole. */
function SectionProblem({ draft, section }: { draft: PlanDraft; section: PlanSection }) {
  const paths = [section, `${section}.ranks`, `${section}.generationPpm`, `${section}.dayLimit`]
  const text = paths.map((path) => draft.problemAt(path)).find((found) => found !== undefined)
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

/** A package a column, so that its figures can be compared along a line. */
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

/** Generations and ranks: lists, of which the last one may go and another one come. */
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
