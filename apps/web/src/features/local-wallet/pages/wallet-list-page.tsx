import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageLink } from '../../../lib/page-link.tsx'
import { apiList } from '../../../lib/queries.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { InfiniteList } from '../../../ui/infinite-list.tsx'
import { Page } from '../../../ui/page.tsx'
import { EmptyState, Notice } from '../../../ui/states.tsx'
import { MoveRow } from '../components/move-row.tsx'

/** What my wallet sent, paid, claimed and received, newest first, each as final as it is. */
export default function WalletListPage() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiList('walletHistory', { query: {} }))
  return (
    <Page title={t('localWallet.history')}>
      <Notice>{t('localWallet.scope')}</Notice>
      <InfiniteList
        query={query}
        label={t('localWallet.history')}
        keyOf={(move) => move.id}
        render={(move) => <MoveRow move={move} />}
        empty={
          <EmptyState
            icon="wallet"
            title={t('localWallet.empty')}
            hint={t('localWallet.emptyHint')}
            action={
              <PageLink to="/pages/localWallet/transaction" className={buttonClass('secondary')}>
                {t('localWallet.send')}
              </PageLink>
            }
          />
        }
      />
    </Page>
  )
}
