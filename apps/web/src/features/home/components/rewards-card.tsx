import type { Me } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import {
  apiQuery,
  formatAmount,
  formatPpm,
  PageLink,
  useAppConfig,
  useTranslation,
} from '../../../lib/index.ts'
import { Card, Meter, Section } from '../../../ui/index.ts'
import { kindSums, sumOf } from '../overview.ts'

/** Rewards really paid, by kind with what pays them: today, yesterday, in all. */
export function RewardsCard({ me }: { me: Me }) {
  const { t } = useTranslation()
  // Today and yesterday, where there was anything.
  const days = useQuery(apiQuery('profitDay', { query: { limit: 2 } })).data?.items
  const rows = kindSums(me, days)
  const all = (which: 'today' | 'yesterday' | 'total') => sumOf(rows.map((row) => row[which]))
  return (
    <Section
      title={t('home.rewards')}
      aside={<PageLink to="/pages/rewardList/index">{t('common.all')}</PageLink>}
    >
      <Card>
        <table className="w-full text-14 max-[359px]:text-12">
          <caption className="sr-only">{t('home.rewardsCaption')}</caption>
          <thead>
            <tr className="text-right text-12 text-muted">
              <th scope="col" className="pb-2 text-left font-normal">
                USDT
              </th>
              {(['today', 'yesterday', 'total'] as const).map((which) => (
                <th key={which} scope="col" className="pb-2 pl-2 font-normal">
                  {t(`home.${which}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.sum} className="border-t border-line text-right align-top">
                <th scope="row" className="py-2 text-left font-normal">
                  {t(`home.kind.${row.sum}`)}
                  <span className="block text-12 text-muted">{t(`home.source.${row.source}`)}</span>
                </th>
                <Cell amount={row.today} />
                <Cell amount={row.yesterday} />
                <Cell amount={row.total} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr className="border-t border-line text-right align-top font-semibold">
              <th scope="row" className="py-2 text-left font-semibold">
                {t('home.sum')}
              </th>
              <Cell amount={all('today')} />
              <Cell amount={all('yesterday')} />
              <Cell amount={all('total')} />
            </tr>
          </tfoot>
        </table>
      </Card>
    </Section>
  )
}

const TWO = { min: 2, max: 2 }

function Cell({ amount }: { amount: string | null }) {
  return <td className="py-2 pl-2">{amount === null ? '…' : formatAmount(amount, TWO)}</td>
}

const CLASSES = ['commission', 'pairing', 'static', 'management'] as const
const FULL_PPM = 1_000_000

/** Shows the share of due rewards that was paid over the last 30 days, with an explanation. */
export function CoverageCard() {
  const { t } = useTranslation()
  const coverage = useAppConfig()?.coverage_30d
  if (coverage === undefined) return null
  return (
    <Section
      title={t('coverage.title')}
      aside={<PageLink to="/pages/rewardList/coverage">{t('home.details')}</PageLink>}
    >
      <Card className="flex flex-col gap-3">
        <ul className="flex flex-col gap-3">
          {CLASSES.map((name) => {
            const ppm = coverage[name]
            const text = ppm === null ? t('home.nothingDue') : formatPpm(ppm)
            return (
              <li key={name} className="flex flex-col gap-1.5">
                <span className="flex justify-between gap-3 text-14">
                  <span>{t(`coverage.${name}`)}</span>
                  <span className={ppm === null ? 'text-muted' : 'font-semibold'}>{text}</span>
                </span>
                <Meter label={t(`coverage.${name}`)} share={(ppm ?? 0) / FULL_PPM} text={text} />
              </li>
            )
          })}
        </ul>
        <p className="text-12 text-muted">{t('coverage.hint')}</p>
      </Card>
    </Section>
  )
}
