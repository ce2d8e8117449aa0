import type { EarningsData, EarningsFigures } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatDay, formatPpm, saveFile, useTranslation } from '../../lib/index.ts'
import {
  Button,
  Card,
  Columns,
  EmptyState,
  Icon,
  type IconName,
  ListSkeleton,
  Loaded,
  Meter,
  Notice,
  Page,
  Pill,
  Section,
  Time,
} from '../../ui/index.ts'
import { per100 } from '../../wallet/earnings-line.tsx'
import { earningsCsv } from './earnings-csv.ts'
import { OtherPages } from './other-pages.tsx'

type Published = NonNullable<EarningsData['published']>
type All = NonNullable<EarningsFigures['all']>
type AgeFigure = EarningsFigures['levels'][number]['ages'][number]

const PPM = 1_000_000
const ppmOf = (part: number, whole: number) => (whole === 0 ? 0 : Math.floor((part * PPM) / whole))

/** Shows the share of their payments that members have earned back, by level and age. Needs no sign-in. */
export default function EarningsPage() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('earnings'))
  return (
    <Page wide title={t('earnings.title')}>
      <Loaded query={query} skeleton={<ListSkeleton rows={6} />}>
        {({ published }) => (published === null ? <NotYet /> : <Figures published={published} />)}
      </Loaded>
    </Page>
  )
}

function NotYet() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="info"
      title={t('earnings.none')}
      hint={t('earnings.noneHint')}
      next={{ to: '/pages/my/risk', label: t('info.risk.title') }}
    />
  )
}

function Figures({ published }: { published: Published }) {
  const { t } = useTranslation()
  const { day, figures } = published
  const { all, members } = figures
  return (
    <>
      <p className="max-w-prose px-1 text-16 text-muted">
        {t('earnings.lead', { count: members, day: formatDay(day) })}
      </p>
      <Columns
        side={
          <>
            <Method published={published} />
            <Notice tone="warn" title={t('earnings.promise.title')}>
              {t('earnings.promise.text')}
            </Notice>
            <OtherPages name="earnings" />
          </>
        }
      >
        {all === null ? <TooFew figures={figures} /> : <Whole all={all} figures={figures} />}
        {members > 0 && <Medians figures={figures} />}
        {all !== null && (
          <>
            <Spread all={all} members={members} />
            <WholeByLevel all={all} levels={figures.levels} />
            <WithoutCommission all={all} members={members} />
          </>
        )}
      </Columns>
    </>
  )
}

function TooFew({ figures: { members, fewest } }: { figures: EarningsFigures }) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-2">
      <h2 className="text-20 font-semibold">{t('earnings.tooFew')}</h2>
      <p className="text-14 text-muted">{t('earnings.tooFewHint', { count: members, fewest })}</p>
    </Card>
  )
}

interface AllProps {
  all: All
  members: number
}

function Whole({ all, figures: { members, since } }: { all: All; figures: EarningsFigures }) {
  const { t } = useTranslation()
  const share = ppmOf(all.whole, members)
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex items-start justify-between gap-3">
        <p>
          <b className="block text-28 font-semibold">{t('earnings.of', { part: all.whole, all: members })}</b>
          <span className="text-14">{t('earnings.whole')}</span>
        </p>
        <Pill tone="neutral">{formatPpm(share)}</Pill>
      </div>
      <Meter label={t('earnings.whole')} share={share / PPM} text={formatPpm(share)} />
      <p className="text-14 text-muted">
        {t('earnings.wholeNot', { count: members - all.whole })}
        {since !== null && ` ${t('earnings.since', { day: formatDay(since) })}`}
      </p>
    </Card>
  )
}

function Medians({ figures: { levels, fewest } }: { figures: EarningsFigures }) {
  const { t } = useTranslation()
  const ages = levels[0]?.ages ?? []
  return (
    <Section title={t('earnings.per100')} aside={<span className="text-muted">{t('earnings.worth')}</span>}>
      <Card className="flex flex-col gap-3">
        <table className="w-full text-14">
          <thead>
            <tr className="text-right text-12 text-muted">
              <th scope="col" className="pb-2 text-left font-normal">
                {t('earnings.medianAfter')}
              </th>
              {ages.map(({ days }) => (
                <th key={days} scope="col" className="pb-2 pl-2 font-normal">
                  {t('earnings.days', { count: days })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {levels.map(({ level, members, ages: figures }) => (
              <tr key={level} className="border-t border-line text-right align-top">
                <th scope="row" className="py-2 text-left font-medium">
                  {t('earnings.level', { level })}
                  <span className="block text-12 font-normal text-muted">
                    {t('earnings.members', { count: members })}
                  </span>
                </th>
                {figures.map((figure) => (
                  <td key={figure.days} className="py-2 pl-2">
                    <Median {...figure} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <p className="text-12 text-muted">{t('earnings.medianHint', { fewest })}</p>
      </Card>
    </Section>
  )
}

/** A median with its number of members, or the reason why there is none. */
function Median({ members, median_ppm }: AgeFigure) {
  const { t } = useTranslation()
  if (members === 0) return <span className="text-muted">{t('earnings.notYet')}</span>
  return (
    <>
      <span className={median_ppm === null ? 'text-muted' : 'font-medium'}>
        {median_ppm === null ? t('earnings.few') : per100(median_ppm)}
      </span>
      <span className="block text-12 text-muted">{t('earnings.members', { count: members })}</span>
    </>
  )
}

interface ShareRowProps {
  label: string
  part: number
  whole: number
}

/** A part of the members as a number, a share and a bar. */
function ShareRow({ label, part, whole }: ShareRowProps) {
  const { t } = useTranslation()
  const share = ppmOf(part, whole)
  return (
    <div className="flex flex-col gap-2">
      <p className="flex justify-between gap-3 text-14">
        <span>{label}</span>
        <span>
          <b className="font-semibold">{part}</b>{' '}
          <span className="text-muted">{t('earnings.ofShare', { all: whole, share: formatPpm(share) })}</span>
        </span>
      </p>
      <Meter label={label} share={share / PPM} text={formatPpm(share)} />
    </div>
  )
}

function Spread({ all: { spread }, members }: AllProps) {
  const { t } = useTranslation()
  const from = (place: number) => spread[place]!.from_ppm / (PPM / 100)
  return (
    <Section
      title={t('earnings.spread')}
      aside={<span className="text-muted">{t('earnings.spreadHint')}</span>}
    >
      <Card className="flex flex-col gap-3">
        {spread.map((part, place) => (
          <ShareRow
            key={part.from_ppm}
            label={
              place === spread.length - 1
                ? t('earnings.partLast', { from: from(place) })
                : t('earnings.part', { from: from(place), to: from(place + 1) })
            }
            part={part.members}
            whole={members}
          />
        ))}
      </Card>
    </Section>
  )
}

function WholeByLevel({ all, levels }: { all: All } & Pick<EarningsFigures, 'levels'>) {
  const { t } = useTranslation()
  return (
    <Section title={t('earnings.byLevel')}>
      <Card className="flex flex-col gap-3">
        {levels.map(({ level, members, whole }) =>
          whole === null ? (
            <p key={level} className="flex justify-between gap-3 text-14">
              <span>{t('earnings.level', { level })}</span>
              <span className="text-muted">
                {t('earnings.few')} · {t('earnings.members', { count: members })}
              </span>
            </p>
          ) : (
            <ShareRow key={level} label={t('earnings.level', { level })} part={whole} whole={members} />
          ),
        )}
        {all.whole > 0 && (
          <p className="border-t border-line pt-3 text-14">
            {t('earnings.mostly', { count: all.whole_by_commission, whole: all.whole })}
          </p>
        )}
      </Card>
    </Section>
  )
}

function WithoutCommission({ all: { without_commission }, members }: AllProps) {
  const { t } = useTranslation()
  return (
    <Section title={t('earnings.without')}>
      <Card className="flex flex-col gap-2">
        <p className="flex items-baseline justify-between gap-3">
          <b className="text-28 font-semibold">
            {t('earnings.of', { part: without_commission, all: members })}
          </b>
          <span className="text-14 text-muted">{formatPpm(ppmOf(without_commission, members))}</span>
        </p>
        <p className="text-14 text-muted">{t('earnings.withoutHint')}</p>
      </Card>
    </Section>
  )
}

const METHOD = [
  ['back', 'check'],
  ['paid', 'check'],
  ['level', 'check'],
  ['counted', 'check'],
  ['few', 'check'],
  ['not', 'close'],
] as const satisfies readonly (readonly [string, IconName])[]

function Method({ published }: { published: Published }) {
  const { t } = useTranslation()
  const { day, computed_at: computedAt, figures } = published
  const save = () => saveFile(new Blob([earningsCsv(published)], { type: 'text/csv' }), `earnings-${day}.csv`)
  const { fewest, without_package: without } = figures
  return (
    <Section title={t('earnings.method.title')}>
      <Card className="flex flex-col gap-3 text-14">
        <ul className="flex flex-col gap-3">
          {METHOD.map(([name, icon]) => (
            <li key={name} className="grid grid-cols-[16px_1fr] gap-3">
              <Icon name={icon} size={16} className="mt-0.5 text-muted" />
              <span>{t(`earnings.method.${name}`, { fewest, without })}</span>
            </li>
          ))}
        </ul>
        <p className="flex flex-wrap gap-x-1 border-t border-line pt-3 text-12 text-muted">
          {t('earnings.method.computed')} <Time value={computedAt} />
        </p>
        <p className="text-12 text-muted">{t('earnings.method.again')}</p>
        <Button variant="secondary" icon="download" onClick={save}>
          {t('earnings.csv')}
        </Button>
      </Card>
    </Section>
  )
}
