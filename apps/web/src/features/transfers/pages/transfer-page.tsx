import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiQuery, isZero, PageLink, useTranslation } from '../../../lib/index.ts'
import {
  buttonClass,
  EmptyState,
  ErrorState,
  ListSkeleton,
  NavLink,
  Notice,
  Page,
} from '../../../ui/index.ts'
import { TransferForm } from '../components/transfer-form.tsx'

const PATH = '/pages/transfer/index'

/** Send to another member, from one balance to another: at once and without a fee. Rules, section 10. */
export default function TransferPage() {
  const { t } = useTranslation()
  const { to = '' } = useSearch({ from: PATH })
  const me = useQuery(apiQuery('me'))
  const contacts = useQuery(apiQuery('contacts'))
  const retry = () => {
    if (me.data === undefined) void me.refetch()
    if (contacts.data === undefined) void contacts.refetch()
  }
  const isLoaded = me.data !== undefined && contacts.data !== undefined
  const available = me.data && { USDT: me.data.balances.USDT.available, AMC: me.data.balances.AMC.available }
  const isEmpty = available !== undefined && isZero(available.USDT) && isZero(available.AMC)
  return (
    <Page
      title={t('transfers.title')}
      actions={<NavLink to="/pages/transfer/list">{t('transfers.history')}</NavLink>}
    >
      {(me.isPending || contacts.isPending) && <ListSkeleton rows={4} />}
      {!isLoaded && (me.isError || contacts.isError) && <ErrorState onRetry={retry} />}
      {isLoaded && isEmpty && <NothingToSend />}
      {isLoaded && available !== undefined && !isEmpty && (
        <>
          <TransferForm
            facts={{ available, minimum: contacts.data.minimum }}
            ownAddress={me.data.receive_address}
            to={to}
          />
          <Notice>{t('transfers.about')}</Notice>
        </>
      )}
    </Page>
  )
}

function NothingToSend() {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="send"
      title={t('transfers.nothing')}
      hint={t('transfers.nothingHint')}
      action={
        <PageLink to="/pages/rewardList/index" className={buttonClass('secondary')}>
          {t('transfers.toRewards')}
        </PageLink>
      }
    />
  )
}
