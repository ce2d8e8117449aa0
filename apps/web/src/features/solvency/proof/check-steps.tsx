import { formatMicros } from '@rif/rules'
import { formatDay, formatExact, type Translate, useTranslation } from '../../../lib/index.ts'
import { Address, Disclosure, type Step, Stepper } from '../../../ui/index.ts'
import type { Difference, Part, ProofCheck } from './check.ts'
import { PARTS } from './check.ts'

const UNITS: Readonly<Record<Part, string>> = { usdt: 'USDT', amc: 'AMC', fund: 'USDT' }

type Amounts = Readonly<Record<Part, bigint>>

/** Returns three amounts as one text. */
export const amountsText = (t: Translate, { usdt, amc, fund }: Amounts): string =>
  t('heldOwed.mine.amounts', {
    usdt: exact(usdt),
    amc: exact(amc),
    fund: exact(fund),
  })

const exact = (micros: bigint) => formatExact(formatMicros(micros))

/** Shows the checks, step by step, from the member's balances to the root on chain. */
export function CheckSteps({ check }: { check: ProofCheck }) {
  const { t } = useTranslation()
  return <Stepper label={t('heldOwed.mine.steps')} steps={stepsOf(t, check)} />
}

function stepsOf(t: Translate, check: ProofCheck): Step[] {
  const { day, proof, levels, published, bank } = check
  const hasTotals = published.totals !== null
  return [
    {
      id: 'books',
      title: t('heldOwed.mine.step.books', { day: formatDay(day) }),
      state: check.ofBooks.length === 0 ? 'done' : 'failed',
      detail: <Books check={check} />,
    },
    {
      id: 'leaf',
      title: t('heldOwed.mine.step.leaf'),
      state: stateOf(check, ['subject', 'owner', 'leaf']),
      detail: (
        <>
          <Failure check={check} steps={['subject', 'owner', 'leaf']} />
          {levels[0] !== undefined && <Address value={levels[0].hash} form="head" />}
        </>
      ),
    },
    {
      id: 'path',
      title: t('heldOwed.mine.step.path', { count: proof.path.length }),
      state: stateOf(check, ['path', 'sums']),
      detail: <Path check={check} />,
    },
    {
      id: 'root',
      title: t('heldOwed.mine.step.root'),
      state: stateOf(check, ['root']),
      detail: (
        <>
          <Failure check={check} steps={['root']} />
          <span className="flex flex-wrap items-center gap-x-2">
            <Address value={published.root} form="head" />
          </span>
          <span className="block">{t('heldOwed.mine.readThrough')}</span>
          <span className="flex flex-wrap items-center gap-x-2">
            {t('heldOwed.bank')} <Address value={bank} />
          </span>
        </>
      ),
    },
    ...(hasTotals
      ? [
          {
            id: 'totals',
            title: t('heldOwed.mine.step.totals'),
            state: stateOf(check, ['totals']),
            detail: <Failure check={check} steps={['totals']} />,
          },
        ]
      : []),
  ]
}

type StepName = ProofCheck['results'][number]['step']

export function stateOf({ results }: Pick<ProofCheck, 'results'>, steps: readonly StepName[]): Step['state'] {
  const own = results.filter(({ step }) => steps.includes(step))
  if (own.some(({ problem }) => problem !== null)) return 'failed'
  return own.some(({ step }) => step === steps.at(-1)) ? 'done' : 'skipped'
}

/** Explains the failure of a step, with both values if two were compared. */
export function Failure({
  check,
  steps,
}: {
  check: Pick<ProofCheck, 'results'>
  steps: readonly StepName[]
}) {
  const { t } = useTranslation()
  const failed = check.results.find(({ step, problem }) => problem !== null && steps.includes(step))
  if (failed === undefined || failed.problem === null) return null
  return (
    <p className="text-bad">
      {t(`heldOwed.problem.${failed.problem}`)}
      {failed.expected !== undefined && (
        <span className="block wrap-anywhere text-12">
          {t('heldOwed.mine.compared', { expected: failed.expected, actual: failed.actual ?? '' })}
        </span>
      )}
    </p>
  )
}

function Books({ check: { proof, ofBooks, now, day } }: { check: ProofCheck }) {
  const { t } = useTranslation()
  const hasMoved = PARTS.some((part) => now[part] !== proof.leaf[part])
  return (
    <>
      <p>{amountsText(t, proof.leaf)}</p>
      {ofBooks.length === 0 ? (
        <p>{t('heldOwed.mine.asBooks')}</p>
      ) : (
        <Differences items={ofBooks} text="heldOwed.mine.bookDiffers" day={day} />
      )}
      {hasMoved && <p className="text-12">{t('heldOwed.mine.moved', { now: amountsText(t, now) })}</p>}
    </>
  )
}

/** One line for each amount that differs. */
function Differences({
  items,
  text,
  day,
}: {
  items: readonly Difference[]
  text: 'heldOwed.mine.bookDiffers' | 'heldOwed.mine.sumDiffers'
  day: string
}) {
  const { t } = useTranslation()
  return (
    <ul className="flex flex-col gap-1 text-bad">
      {items.map(({ part, expected, actual }) => (
        <li key={part}>
          {t(text, {
            what: t(`heldOwed.part.${part}`),
            unit: UNITS[part],
            day: formatDay(day),
            expected: exact(expected),
            actual: exact(actual),
            difference: exact(abs(actual - expected)),
          })}
        </li>
      ))}
    </ul>
  )
}

const abs = (micros: bigint) => (micros < 0n ? -micros : micros)

function Path({ check }: { check: ProofCheck }) {
  const { t } = useTranslation()
  const { levels, ofSums, day } = check
  const isDone = stateOf(check, ['path', 'sums']) === 'done'
  return (
    <>
      <Failure check={check} steps={['path', 'sums']} />
      {isDone && <p>{t('heldOwed.mine.computed')}</p>}
      <Differences items={ofSums} text="heldOwed.mine.sumDiffers" day={day} />
      <Disclosure title={t('heldOwed.mine.levels')}>
        <ol className="flex flex-col gap-3 pb-2">
          {levels.map(({ hash, amounts }, level) => (
            <li key={hash} className="flex flex-col">
              <span className="font-medium text-ink">
                {level === 0 ? t('heldOwed.mine.leafLevel') : t('heldOwed.mine.level', { level })}
              </span>
              <Address value={hash} form="head" copy={false} />
              <span>{amountsText(t, amounts)}</span>
            </li>
          ))}
        </ol>
      </Disclosure>
    </>
  )
}
