import type { MayTake, TreasuryExit } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { formatAmount, useTranslation } from '../../../lib/index.ts'
import { Icon } from '../../../ui/index.ts'
import { useSpans } from '../components/span.ts'
import { coveredMicros, type ExitChecks } from './exit-checks.ts'

const CHECKS = ['listed', 'announced', 'waited', 'fresh', 'covered'] as const

interface CheckListProps {
  exit: TreasuryExit
  checks: ExitChecks
  figures: MayTake | undefined
}

/** Shows the contract's checks at the execution of an exit, with their current results and values. */
export function CheckList({ exit, checks, figures }: CheckListProps) {
  const { t } = useTranslation()
  const measured = useMeasured(exit, checks, figures)
  return (
    <div className="flex flex-col gap-2 text-14">
      <h3 className="font-semibold">{t('admin.treasury.checks')}</h3>
      <ul className="flex flex-col gap-2">
        {CHECKS.map((check) => (
          <li key={check} className="flex flex-wrap items-start gap-x-2">
            <Icon
              name={checks[check] ? 'check' : 'clock'}
              size={16}
              className={checks[check] ? 'mt-0.5 text-good' : 'mt-0.5 text-warn'}
            />
            <span className="min-w-40 flex-1">
              {t(`admin.treasury.${checks[check] ? 'passes' : 'waitsFor'}.${check}`)}
            </span>
            <span className="text-muted tabular-nums">{measured[check]}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Returns the value behind a check: a time, an age, or the remaining cover. */
function useMeasured(exit: TreasuryExit, checks: ExitChecks, figures: MayTake | undefined) {
  const { t } = useTranslation()
  const { since, until } = useSpans()
  const publishedAt = figures?.cover?.published_at ?? null
  const covered = coveredMicros(exit.kind, figures, Date.now())
  const isEarly = exit.executable_at !== null && Date.now() < Date.parse(exit.executable_at)
  return {
    listed: null,
    announced: null,
    waited: isEarly ? t('admin.treasury.in', { span: until(exit.executable_at!) }) : null,
    fresh: publishedAt === null ? null : since(publishedAt),
    covered:
      covered === null || !checks.covered
        ? null
        : t('admin.treasury.spare', {
            amount: formatAmount(formatMicros(covered - parseMicros(exit.amount))),
          }),
  }
}
