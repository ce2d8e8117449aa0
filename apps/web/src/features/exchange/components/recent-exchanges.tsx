import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatAmount, formatTime, PageLink, useTranslation } from '../../../lib/index.ts'
import { Money, Recent, Row } from '../../../ui/index.ts'

const RECENT = 3

/** The last exchanges, beside the form. */
export function RecentExchanges() {
  const { t } = useTranslation()
  return (
    <Recent
      title={t('exchange.list.exchanges')}
      all={<PageLink to="/pages/exchange/list">{t('common.all')}</PageLink>}
      query={useQuery(apiQuery('exchanges', { query: { limit: RECENT } }))}
      keyOf={({ conversion_id }) => conversion_id}
      render={({ pays, receives, to, done_at }) => (
        <Row
          title={t('exchange.list.turned', { amount: formatAmount(pays), to })}
          detail={done_at && formatTime(done_at)}
          end={<Money amount={receives} unit={to} signed exact />}
        />
      )}
      none={t('exchange.list.noExchanges')}
    />
  )
}
