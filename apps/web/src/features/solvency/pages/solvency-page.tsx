import type { Solvency } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { apiQuery, formatDay, formatTime, PageLink, useSession, useTranslation } from '../../../lib/index.ts'
import {
  buttonClass,
  Card,
  Columns,
  Hero,
  Icon,
  ListSkeleton,
  Loaded,
  Page,
  Section,
} from '../../../ui/index.ts'
import { AssetCard } from '../components/asset-card.tsx'
import { FundRows } from '../components/fund-rows.tsx'
import { History } from '../components/history.tsx'
import { HowToCheck } from '../components/how-to-check.tsx'
import { OwedTable } from '../components/owed-table.tsx'
import { Published } from '../components/published.tsx'

// The tree, its hashes and the wallet, needed only here and only by members.
const ProofCard = lazy(() => import('../proof/proof-card.tsx'))

/** Shows liabilities and holdings, and to a member the own proof. Needs no sign-in. */
export default function SolvencyPage() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('solvency'))
  const isVisitor = useSession().token === ''
  return (
    // Visitors have no side navigation.
    <div className={isVisitor ? 'lg:[--column:64rem]' : 'wide'}>
      <Page title={t('heldOwed.short')}>
        <Loaded query={query} skeleton={<ListSkeleton rows={6} />}>
          {(data) => <Content data={data} />}
        </Loaded>
      </Page>
    </div>
  )
}

function Content({ data }: { data: Solvency }) {
  const { t } = useTranslation()
  const [asset, setAsset] = useState<'USDT' | 'AMC'>('USDT')
  return (
    <>
      <Lead data={data} />
      <Columns
        side={
          <>
            <Published data={data} />
            <HowToCheck data={data} />
          </>
        }
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3 sm:grid-cols-2">
          {data.assets.map((asset) => (
            <AssetCard key={asset.asset} data={asset} />
          ))}
        </div>
        <FundRows funds={data.funds} />
        <Mine latestDay={data.latest?.day ?? null} />
        <NotProven />
        <OwedTable data={data} asset={asset} onAsset={setAsset} />
        <History days={data.days} asset={asset} onAsset={setAsset} />
      </Columns>
      <nav
        className="flex flex-wrap gap-x-6 px-1 text-14 font-medium text-accent"
        aria-label={t('info.section')}
      >
        <PageLink to="/pages/money-policy" className="inline-flex min-h-11 items-center">
          {t('money.title')}
        </PageLink>
        <PageLink to="/pages/my/help" className="inline-flex min-h-11 items-center">
          {t('info.help.title')}
        </PageLink>
      </nav>
    </>
  )
}

function Lead({ data: { latest } }: { data: Solvency }) {
  const { t } = useTranslation()
  return (
    <Hero className="flex flex-col gap-2">
      <p className="font-display text-28 font-semibold text-balance">{t('heldOwed.title')}</p>
      <p className="text-14 text-hero-muted">{t('heldOwed.lead')}</p>
      <p className="text-14 text-hero-muted">
        {latest === null || latest.published_at === null
          ? t('heldOwed.obstacle.nothing')
          : t('heldOwed.endOf', { day: formatDay(latest.day), time: formatTime(latest.published_at) ?? '' })}
      </p>
    </Hero>
  )
}

function Mine({ latestDay }: { latestDay: string | null }) {
  const { t } = useTranslation()
  const { token, member } = useSession()
  const isSignedOut = token === ''
  if (!isSignedOut && !member) return null
  return (
    <Section title={t('heldOwed.mine.title')}>
      {isSignedOut ? (
        <Card className="flex flex-col items-start gap-3">
          <p className="text-14 text-muted">{t('heldOwed.mine.visitor')}</p>
          <PageLink to="/pages/login/index" className={buttonClass('secondary')}>
            {t('login.sign')}
          </PageLink>
        </Card>
      ) : (
        <Suspense fallback={<ListSkeleton rows={4} />}>
          <ProofCard latestDay={latestDay} />
        </Suspense>
      )}
    </Section>
  )
}

const NOT_PROVEN = ['members', 'worth', 'elsewhere'] as const

function NotProven() {
  const { t } = useTranslation()
  return (
    <Section title={t('heldOwed.notProven.title')}>
      <Card>
        <ul className="flex flex-col gap-3 text-14">
          {NOT_PROVEN.map((name) => (
            <li key={name} className="flex gap-2">
              <Icon name="close" size={20} className="text-muted" />
              {t(`heldOwed.notProven.${name}`)}
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}
