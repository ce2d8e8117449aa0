import type { AppConfig, Me, Reward } from '@rif/api-schema'
import { useTranslation } from 'react-i18next'
import { formatAmount, formatPpm } from '../../../lib/format.ts'
import { PageLink } from '../../../lib/page-link.tsx'
import { Card, Section } from '../../../ui/card.tsx'
import { rewardSums } from '../overview.ts'

export interface RewardsCardProps {
  me: Me
  /** The newest rewards, and whether there are no older ones; undefined while they load. */
  rewards: { items: readonly Reward[]; complete: boolean } | undefined
}

/** Rewards really paid, by kind: today, yesterday, in all. */
export function RewardsCard({ me, rewards }: RewardsCardProps) {
  const { t } = useTranslation()
  const rows = rewardSums(me, rewards?.items ?? [], rewards?.complete ?? false, new Date())
  const unknown = rewards === undefined ? '…' : '–'
  return (
    <Section
      title={t('home.rewards')}
      aside={<PageLink to="/pages/rewardList/index">{t('common.all')}</PageLink>}
    >
      <Card className="overflow-x-auto">
        <table className="w-full text-14">
          <caption className="sr-only">{t('home.rewardsCaption')}</caption>
          <thead>
            <tr className="text-right text-12 text-muted">
              <th scope="col" className="pb-2 text-left font-normal">
                USDT
              </th>
              <th scope="col" className="pb-2 pl-2 font-normal">
                {t('home.today')}
              </th>
              <th scope="col" className="pb-2 pl-2 font-normal">
                {t('home.yesterday')}
              </th>
              <th scope="col" className="pb-2 pl-2 font-normal">
                {t('home.total')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.kind} className="text-right">
                <th scope="row" className="py-1.5 pr-2 text-left font-normal">
                  {t(`kind.${row.kind}`)}
                </th>
                <td className="py-1.5 pl-2 text-12 sm:text-14">
                  {row.today === null ? unknown : formatAmount(row.today, TWO)}
                </td>
                <td className="py-1.5 pl-2 text-12 sm:text-14">
                  {row.yesterday === null ? unknown : formatAmount(row.yesterday, TWO)}
                </td>
                <td className="py-1.5 pl-2 text-12 font-medium sm:text-14">{formatAmount(row.total, TWO)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
    </Section>
  )
}

const TWO = { min: 2, max: 2 }

const CLASSES = ['commission', 'pairing', 'static', 'management'] as const

/** How much of what was due was really paid over the last 30 days, next to what that means. */
export function CoverageCard({ coverage }: { coverage: AppConfig['coverage_30d'] }) {
  const { t } = useTranslation()
  return (
    <Section title={t('coverage.title')}>
      <Card className="flex flex-col gap-3">
        <dl className="grid grid-cols-4 gap-2 text-center">
          {CLASSES.map((name) => (
            <div key={name} className="flex flex-col-reverse">
              <dt className="text-12 text-muted">{t(`coverage.${name}`)}</dt>
              <dd className="text-16 font-semibold">
                {coverage[name] === null ? '–' : formatPpm(coverage[name])}
              </dd>
            </div>
          ))}
        </dl>
        <p className="text-12 text-muted">{t('coverage.hint')}</p>
      </Card>
    </Section>
  )
}
