import type { RouteData } from '@rif/api-schema'
import { useState } from 'react'
import { formatDay, saveFile, useTranslation } from '../../../lib/index.ts'
import { Button, Card, Pill } from '../../../ui/index.ts'
import { AdminName } from '../components/admin-page.tsx'
import { UtcTime } from '../components/utc-time.tsx'
import { PlanChanges } from './plan-editor.tsx'
import { changedPaths, type Figures, leavesOf } from './plan-fields.ts'

type Data = RouteData<'adminPlan'>
type Version = Data['versions'][number]

/** Saves a plan as a file for `rif simulate --plan`. */
export function savePlan(figures: Figures, name: string): void {
  saveFile(new Blob([`${JSON.stringify(figures, null, 2)}\n`], { type: 'application/json' }), `${name}.json`)
}

/** All versions, newest first: first day, approver, and the changes of each. */
export function PlanVersions({ data, onTake }: { data: Data; onTake?: (figures: Figures) => void }) {
  return (
    <ul className="flex flex-col gap-3">
      {data.versions.map((version, index) => (
        <li key={version.version}>
          <VersionCard
            version={version}
            before={data.versions[index + 1]}
            state={stateOf(version, data)}
            onTake={onTake}
          />
        </li>
      ))}
    </ul>
  )
}

const stateOf = ({ version, effective_day }: Version, { in_force, today }: Data) =>
  version === in_force ? 'inForce' : effective_day > today ? 'toCome' : 'past'

const TONES = { inForce: 'good', toCome: 'warn', past: 'neutral' } as const

function VersionCard({
  version,
  before,
  state,
  onTake,
}: {
  version: Version
  before: Version | undefined
  state: keyof typeof TONES
  onTake: ((figures: Figures) => void) | undefined
}) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const changed = before === undefined ? [] : changedPaths(before.figures, version.figures)
  return (
    <Card className="flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="text-16 font-semibold">{t('adminPlan.version', { version: version.version })}</span>
        <Pill tone={TONES[state]}>{t(`adminPlan.state.${state}`)}</Pill>
        <span className="text-14">
          {before === undefined
            ? t('adminPlan.fromStart')
            : t('adminPlan.from', { day: formatDay(version.effective_day) })}
        </span>
      </p>
      <p className="flex flex-wrap items-center gap-x-2 text-14 text-muted">
        {version.created_by.startsWith('0x') ? (
          <>
            {t('admin.decidedBy')} <AdminName actor={version.created_by} />
          </>
        ) : (
          t('adminPlan.setUp')
        )}
        <UtcTime value={version.created_at} />
      </p>
      <p className="flex flex-wrap gap-2">
        {changed.length > 0 && (
          <Button variant="quiet" className="text-14" aria-expanded={open} onClick={() => setOpen(!open)}>
            {t('adminPlan.changes', { count: changed.length })}
          </Button>
        )}
        <Button
          variant="quiet"
          className="text-14"
          onClick={() => savePlan(version.figures, `plan-${version.version}`)}
        >
          {t('adminPlan.save')}
        </Button>
        {onTake !== undefined && (
          <Button variant="quiet" className="text-14" onClick={() => onTake(version.figures)}>
            {t('adminPlan.take')}
          </Button>
        )}
      </p>
      {open && before !== undefined && (
        <PlanChanges before={leavesOf(before.figures)} after={leavesOf(version.figures)} paths={changed} />
      )}
    </Card>
  )
}
