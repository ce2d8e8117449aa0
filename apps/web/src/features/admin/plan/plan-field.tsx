import { useTranslation } from '../../../lib/index.ts'
import { Pill, TextField } from '../../../ui/index.ts'
import { unitOf } from './plan-fields.ts'
import { figureName, figureText, unitText } from './plan-words.ts'
import type { PlanDraft } from './use-plan-draft.ts'

/** One figure of the plan: its name, what it was where it was changed, its unit, and what is wrong with it. */
export function PlanField({
  draft,
  path,
  label,
  disabled,
}: {
  draft: PlanDraft
  path: string
  /** Instead of the figure's own name, where the place says the rest. */
  label?: string
  disabled: boolean
}) {
  const { t } = useTranslation()
  const unit = unitText(t, path)
  const error = draft.problemAt(path)
  const isChanged = draft.changed.has(path)
  const old = draft.before.get(path)
  return (
    <TextField
      label={label ?? figureName(t, path) ?? path}
      aria-label={figureName(t, path) ?? path}
      value={draft.textAt(path)}
      inputMode={unitOf(path) === 'text' ? 'text' : 'decimal'}
      disabled={disabled}
      maxLength={40}
      className="tabular-nums"
      onChange={(event) => draft.type(path, event.target.value)}
      {...(unit !== '' && { end: <span className="text-14 text-muted">{unit}</span> })}
      {...(error !== undefined && { error })}
      {...(isChanged && {
        hint: (
          <Pill tone="info">
            {old === undefined ? t('adminPlan.new') : t('adminPlan.was', { value: figureText(t, path, old) })}
          </Pill>
        ),
      })}
    />
  )
}
