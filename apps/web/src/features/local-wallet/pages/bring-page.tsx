import { useQuery } from '@tanstack/react-query'
import { apiQuery, PageLink, useAppConfig, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Avatar,
  buttonClass,
  Card,
  Columns,
  DesktopOnly,
  ListSkeleton,
  Loaded,
  Money,
  Notice,
  Page,
  Row,
  Section,
  Skeleton,
  TokenMark,
} from '../../../ui/index.ts'
import { useOwnAddress } from '../../../wallet/balances.ts'
import { LimitCard } from '../../../wallet/limit-card.tsx'
import { Balances } from '../components/balances.tsx'

const ASSETS = ['USDT', 'AMC'] as const

/**
 * Moves a balance from the platform into this wallet: the balance, the destination, the rest of today's
 * limit, and the withdrawal.
 */
export default function BringPage() {
  const { t } = useTranslation()
  const owner = useOwnAddress()
  const network = useAppConfig()?.chain.name
  const limit = useQuery(apiQuery('withdrawLimit'))
  return (
    <Page wide title={t('localWallet.bring')}>
      <Columns
        side={
          <>
            <Loaded query={limit} skeleton={<Skeleton className="h-24 rounded-16" />}>
              {(data) => <LimitCard limit={data} worth={null} />}
            </Loaded>
            <Notice>{t('localWallet.bringAbout')}</Notice>
            <DesktopOnly>
              <Section title={t('localWallet.title')}>
                <Balances />
              </Section>
            </DesktopOnly>
          </>
        }
      >
        <Section title={t('localWallet.onPlatform')}>
          <Loaded query={limit} skeleton={<ListSkeleton rows={2} joined />}>
            {({ available }) => (
              <Card className="divide-y divide-line py-1">
                {ASSETS.map((asset) => (
                  <Row
                    key={asset}
                    mark={<TokenMark token={asset} />}
                    title={asset}
                    end={
                      <Money
                        amount={available[asset]}
                        unit={asset}
                        className="font-display text-20 font-semibold"
                      />
                    }
                  />
                ))}
              </Card>
            )}
          </Loaded>
        </Section>
        <Section title={t('localWallet.to')}>
          <Card className="py-1">
            <Row
              mark={<Avatar address={owner} />}
              title={t('withdrawals.form.own')}
              detail={
                <>
                  <Address value={owner} />
                  {network !== undefined && <span className="block">{network}</span>}
                </>
              }
            />
          </Card>
        </Section>
        <PageLink to="/pages/withdrawal/index" className={buttonClass('primary', true)}>
          {t('localWallet.bringStart')}
        </PageLink>
      </Columns>
    </Page>
  )
}
