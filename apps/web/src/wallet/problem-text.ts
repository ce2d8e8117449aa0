import { t } from '../lib/i18n.ts'
import type { FlowProblem } from './errors.ts'

/** A problem in the member's words. `detail` is what differs, or the asset that lacks. */
export function problemText(problem: FlowProblem, detail: string | null = null): string {
  if (problem === 'mismatch') return t('wallet.problem.mismatch', { what: detail ?? '' })
  if (problem === 'internal') return t('wallet.problem.failed')
  return t(`wallet.problem.${problem}`)
}
