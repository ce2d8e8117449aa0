import type { Exchange } from '@rif/api-schema'
import { PageLink, useTranslation } from '../../../lib/index.ts'
import { Card, Fact, Facts, Money, Notice, Section } from '../../../ui/index.ts'

/** What dividends really paid: to this member in all, and to everybody lately. Nothing is promised. */
export function DividendCard({ centre }: { centre: Exchange }) {
  const { t } = useTranslation()
  const { received, paid_30d } = centre
  return (
    <Section
      title={t('exchange.dividends.title')}
      aside={
        <PageLink to="/pages/exchange/list" search={{ show: 'dividends' }}>
          {t('exchange.list.all')}
        </PageLink>
      }
    >
      <Card>
        <Facts>
          <Fact label={t('exchange.dividends.received')}>
            <Both usdt={received.usdt} amc={received.amc} />
            <span className="block text-12 text-muted">
              {t('exchange.dividends.days', { count: received.days })}
            </span>
          </Fact>
          <Fact label={t('exchange.dividends.everybody')}>
            <Both usdt={paid_30d.usdt} amc={paid_30d.amc} />
            <span className="block text-12 text-muted">
              {t('exchange.dividends.days', { count: paid_30d.days })}
            </span>
          </Fact>
        </Facts>
      </Card>
      <Notice>{t('exchange.dividends.note')}</Notice>
    </Section>
  )
}

function Both({ usdt, amc }: { usdt: string; amc: string }) {
  return (
    <>
      <Money amount={usdt} unit="USDT" className="block font-semibold" />
      <Money amount={amc} unit="AMC" className="block font-semibold" />
    </>
  )
}
