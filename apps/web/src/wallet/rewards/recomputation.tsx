import type { RewardDetail } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '../../lib/index.ts'
import { Card, Disclosure, ErrorState, Notice, Skeleton } from '../../ui/index.ts'
import type { Check, ExplanationResult } from './explain.ts'
import { RewardSum } from './reward-head.tsx'
import { WhyLess } from './why-less.tsx'

/** Loads the rules when needed; the result for a reward never changes. */
export function useExplanation(reward: RewardDetail) {
  return useQuery({
    queryKey: ['explanation', reward],
    queryFn: async () => (await import('./explain.ts')).explainReward(reward),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export interface WorkedOutProps {
  reward: RewardDetail
  query: ReturnType<typeof useExplanation>
  /** Expands the steps from the start; differing figures do so too. */
  open?: boolean
  /** The steps in full. */
  children: ReactNode
}

/**
 * The calculation of a reward, in words why less was paid, whether this device's result is the same, and each
 * step on a tap.
 */
export function WorkedOut({ reward, query, open = false, children }: WorkedOutProps) {
  const { t } = useTranslation()
  const isUnequal = query.data !== undefined && !(query.data.ok && query.data.equal)
  return (
    <>
      <Card className="flex flex-col gap-4">
        <h2 className="text-16 font-semibold">{t('rewards.detail.workedOut')}</h2>
        <RewardSum reward={reward} />
        {query.data?.ok && <WhyLess reward={reward} losses={query.data.losses} />}
        {query.isPending ? (
          <Skeleton className="h-26 rounded-16" />
        ) : query.data === undefined ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Verdict result={query.data} />
        )}
      </Card>
      {query.data?.ok && <Figures checks={query.data.checks} equal={query.data.equal} />}
      <Disclosure open={open || isUnequal} title={t('rewards.detail.steps')}>
        <div className="mt-2 flex flex-col gap-6 text-16 lg:gap-4">{children}</div>
      </Disclosure>
    </>
  )
}

function Verdict({ result }: { result: ExplanationResult }) {
  const { t } = useTranslation()
  if (!result.ok) {
    return (
      <div role="alert">
        <Notice tone="bad" title={t('rewards.explain.unequalTitle')}>
          {t('rewards.explain.planUnreadable')}
        </Notice>
      </div>
    )
  }
  if (!result.equal) {
    return (
      <div role="alert">
        <Notice tone="bad" title={t('rewards.explain.unequalTitle')}>
          {t('rewards.explain.unequal')}
        </Notice>
      </div>
    )
  }
  return (
    <Notice tone="good" title={t('rewards.explain.equalTitle')}>
      {t('rewards.explain.equal')}
    </Notice>
  )
}

/** Each figure from the server and as computed here; different ones are always visible. */
function Figures({ checks, equal }: { checks: readonly Check[]; equal: boolean }) {
  const { t } = useTranslation()
  const words = ({ figure }: Check, value: string) => {
    if (figure === 'pool') return t(`rewards.pool.${value as RewardDetail['batch']['pool']}`)
    return figure === 'class' ? t(`coverage.${value as RewardDetail['batch']['class']}`) : value
  }
  return (
    <Card>
      <Disclosure
        open={!equal}
        className="-my-3"
        title={t('rewards.explain.figures', { count: checks.length })}
      >
        <table className="mb-3 w-full text-12">
          <thead>
            <tr className="text-right text-muted">
              <th scope="col" className="pb-1 text-left font-normal">
                {t('rewards.explain.figure')}
              </th>
              <th scope="col" className="pb-1 font-normal">
                {t('rewards.explain.told')}
              </th>
              <th scope="col" className="pb-1 font-normal">
                {t('rewards.explain.again')}
              </th>
            </tr>
          </thead>
          <tbody>
            {checks.map((check) => (
              <tr
                key={check.figure}
                className={check.equal ? 'text-right' : 'text-right font-semibold text-bad'}
              >
                <th scope="row" className="py-1 pr-2 text-left font-normal">
                  {t(`rewards.explain.name.${check.figure}`)}
                </th>
                <td className="py-1 pl-2">{words(check, check.serverValue)}</td>
                <td className="py-1 pl-2">
                  {check.equal ? '=' : '≠'} {words(check, check.again)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Disclosure>
    </Card>
  )
}
