import { useQuery } from '@tanstack/react-query'
import { apiQuery, PageLink, useTranslation } from '../../../lib/index.ts'
import {
  AddressFact,
  buttonClass,
  Card,
  ErrorState,
  Fact,
  Facts,
  ListSkeleton,
  Money,
  MoneyFact,
  Notice,
  Page,
} from '../../../ui/index.ts'
import { useOwnAddress } from '../../../wallet/balances.ts'

/** Moves a balance from the platform into this wallet: the balances, the rest of today's limit, and the way there. */
export default function BringPage() {
  const { t } = useTranslation()
  const owner = useOwnAddress()
  const { data, isError, refetch } = useQuery(apiQuery('withdrawLimit'))
  return (
    <Page title={t('localWallet.bring')}>
      {data === undefined &&
        (isError ? <ErrorState onRetry={() => void refetch()} /> : <ListSkeleton rows={3} />)}
      {data !== undefined && (
        <>
          <Card>
            <Facts>
              <Fact label={t('localWallet.onPlatform')}>
                <span className="flex flex-col">
                  <Money amount={data.available.USDT} unit="USDT" className="text-16 font-semibold" />
                  <Money amount={data.available.AMC} unit="AMC" className="text-16 font-semibold" />
                </span>
              </Fact>
              <MoneyFact label={t('localWallet.left')} amount={data.remaining} unit="USDT" />
              <AddressFact label={t('localWallet.to')} value={owner} form="full" />
            </Facts>
          </Card>
          <Notice>{t('localWallet.bringAbout')}</Notice>
          <PageLink to="/pages/withdrawal/index" className={buttonClass('primary', true)}>
            {t('localWallet.bringStart')}
          </PageLink>
        </>
      )}
    </Page>
  )
}
