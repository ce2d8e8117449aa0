import type { ComparedKind, PlanComparisonResult } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { useState } from 'react'
import {
  formatAmount,
  formatCount,
  formatDay,
  formatPpm,
  PageLink,
  sumAmounts,
  useTranslation,
} from '../../../lib/index.ts'
import { Address, ChartTable, Money, Notice, Segmented } from '../../../ui/index.ts'
import { DayBars, FigureTable, Stats } from '../analytics/figure-card.tsx'

type Result = PlanComparisonResult
const minus = (after: string, before: string) => formatMicros(parseMicros(after) - parseMicros(before))

/** The gains and losses of members, the amounts due, paid and covered by kind and day, and the rest of the pools. */
export function ComparisonResult({ result }: { result: Result }) {
  const { t } = useTranslation()
  const paid = (side: 'before' | 'after') => sumAmounts(result.kinds.map((kind) => kind[side].paid))
  const change = minus(paid('after'), paid('before'))
  return (
    <>
      <Proof proof={result.proof} />
      <Stats
        items={[
          {
            label: t('adminPlan.compare.paid'),
            value: <Money amount={paid('after')} unit="USDT" />,
            hint: t('adminPlan.compare.against', {
              change: signed(change),
              before: formatAmount(paid('before')),
            }),
          },
          {
            label: t('adminPlan.compare.gain'),
            value: formatCount(result.gain.count),
            hint: t('adminPlan.compare.inAll', { amount: `+${formatAmount(result.gain.sum)}` }),
          },
          {
            label: t('adminPlan.compare.lose'),
            value: formatCount(result.lose.count),
            hint: t('adminPlan.compare.inAll', { amount: `−${formatAmount(result.lose.sum)}` }),
          },
          { label: t('adminPlan.compare.unchanged'), value: formatCount(result.unchanged) },
        ]}
      />
      <FigureTable
        stacks
        caption={t('adminPlan.compare.byKind')}
        head={(['kind', 'dueBefore', 'dueAfter', 'paidBefore', 'paidAfter', 'coverage'] as const).map(
          (name) => t(`adminPlan.compare.column.${name}`),
        )}
        rows={result.kinds.map(({ kind, before, after }) => ({
          key: kind,
          cells: [
            t(`adminPlan.kind.${kind}`),
            <Money key="dueBefore" amount={before.due} unit="USDT" />,
            <Money key="dueAfter" amount={after.due} unit="USDT" />,
            <Money key="paidBefore" amount={before.paid} unit="USDT" />,
            <Money key="paidAfter" amount={after.paid} unit="USDT" className="font-semibold" />,
            `${coverage(before.coverage_ppm)} → ${coverage(after.coverage_ppm)}`,
          ],
        }))}
      />
      <Days result={result} />
      <Pools result={result} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <Largest title={t('adminPlan.compare.gainMost')} members={result.gain.largest} />
        <Largest title={t('adminPlan.compare.loseMost')} members={result.lose.largest} />
      </div>
      <Notice tone="info" title={t('adminPlan.compare.unknownTitle')}>
        {t('adminPlan.compare.unknown')}
      </Notice>
    </>
  )
}

const coverage = (ppm: number | null) => (ppm === null ? '–' : formatPpm(ppm))
const signed = (amount: string) => (amount.startsWith('-') ? '' : '+') + formatAmount(amount)

/** Shows whether the same calculation reproduces the books; without that, the comparison is void. */
function Proof({ proof }: { proof: Result['proof'] }) {
  const { t } = useTranslation()
  if (proof.differing.length === 0) {
    return <Notice tone="good">{t('adminPlan.compare.proof', { count: proof.checked })}</Notice>
  }
  return (
    <Notice tone="bad" title={t('adminPlan.compare.noProof')}>
      {proof.differing.map(({ day, class: name }) => `${formatDay(day)} ${name}`).join(', ')}
    </Notice>
  )
}

const KINDS = [
  ...(['ReferralReward', 'TeamReward', 'PairingReward', 'ManagementReward', 'Interest'] as const),
  'SavingsInterest',
] as const satisfies readonly ComparedKind[]

/** The payments by day under both plans: the common part, and the surplus of one of them. */
function Days({ result }: { result: Result }) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<ComparedKind | 'all'>('all')
  const present = KINDS.filter((item) => result.days.some((row) => row.kind === item))
  const names = [...new Set(result.days.map(({ day }) => day))]
  const days = names.map((day) => {
    const rows = result.days.filter((row) => row.day === day && (kind === 'all' || row.kind === kind))
    return {
      day,
      before: sumAmounts(rows.map((row) => row.before.paid)),
      after: sumAmounts(rows.map((row) => row.after.paid)),
    }
  })
  if (days.length === 0) return <p className="text-14 text-muted">{t('adminPlan.compare.nothing')}</p>
  const option = (value: ComparedKind | 'all') => ({ value, label: t(`adminPlan.kind.${value}`) })
  return (
    <>
      <Segmented
        label={t('adminPlan.compare.byDay')}
        options={[option('all'), ...present.map(option)]}
        value={kind}
        onChange={setKind}
      />
      <DayBars
        label={t('adminPlan.compare.byDay')}
        legend={[
          { tone: 'muted', label: t('adminPlan.compare.same') },
          { tone: 'good', label: t('adminPlan.compare.more') },
          { tone: 'warn', label: t('adminPlan.compare.less') },
        ]}
        days={days.map(({ day, before, after }) => {
          const [paidBefore, paidAfter] = [Number(before), Number(after)]
          return {
            day,
            parts: [
              { value: Math.min(paidBefore, paidAfter), tone: 'muted' as const },
              { value: Math.max(0, paidAfter - paidBefore), tone: 'good' as const },
              { value: Math.max(0, paidBefore - paidAfter), tone: 'warn' as const },
            ],
            text: t('adminPlan.compare.day', {
              day: formatDay(day),
              before: formatAmount(before),
              after: formatAmount(after),
            }),
          }
        })}
      />
      <ChartTable
        caption={t('adminPlan.compare.byDay')}
        head={[
          t('adminPlan.compare.column.day'),
          t('adminPlan.compare.column.paidBefore'),
          t('adminPlan.compare.column.paidAfter'),
        ]}
        rows={() =>
          days.map(({ day, before, after }) => [formatDay(day), formatAmount(before), formatAmount(after)])
        }
      />
    </>
  )
}

function Pools({ result }: { result: Result }) {
  const { t } = useTranslation()
  const pools = result.pools.filter(({ before, after }) => /[1-9]/.test(before + after))
  if (pools.length === 0) return null
  return (
    <FigureTable
      stacks
      caption={t('adminPlan.compare.pools')}
      head={(['pool', 'poolBefore', 'poolAfter', 'change'] as const).map((name) =>
        t(`adminPlan.compare.column.${name}`),
      )}
      rows={pools.map(({ pool, asset, before, after }) => ({
        key: `${pool} ${asset}`,
        cells: [
          t(`adminAnalytics.account.${pool}`),
          <Money key="before" amount={before} unit={asset} />,
          <Money key="after" amount={after} unit={asset} className="font-semibold" />,
          <Money key="change" amount={minus(after, before)} unit={asset} signed />,
        ],
      }))}
    />
  )
}

function Largest({ title, members }: { title: string; members: Result['gain']['largest'] }) {
  const { t } = useTranslation()
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <h3 className="text-14 font-semibold">{title}</h3>
      {members.length === 0 ? (
        <p className="text-14 text-muted">{t('adminPlan.compare.nobody')}</p>
      ) : (
        <FigureTable
          stacks
          caption={title}
          head={(['member', 'paidBefore', 'paidAfter', 'change'] as const).map((name) =>
            t(`adminPlan.compare.column.${name}`),
          )}
          rows={members.map(({ member_id, address, before, after }) => ({
            key: member_id,
            cells: [
              <PageLink
                key="member"
                to="/pages/admin/search"
                search={{ member_id }}
                className="inline-flex min-h-11 items-center font-medium text-accent"
              >
                <Address value={address} copy={false} />
              </PageLink>,
              formatAmount(before),
              formatAmount(after),
              signed(minus(after, before)),
            ],
          }))}
        />
      )}
    </section>
  )
}
