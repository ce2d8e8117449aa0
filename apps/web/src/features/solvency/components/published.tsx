import type { Solvency } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatCount, formatDay, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  Card,
  ExplorerLink,
  Fact,
  Facts,
  Notice,
  Section,
  Term,
  TimeFact,
} from '../../../ui/index.ts'

/** The times of the last publication and the last check of the books, with links. */
export function Published({ data }: { data: Solvency }) {
  const { t } = useTranslation()
  const auditedAt = useQuery(apiQuery('pauses')).data?.audited_at ?? null
  const { latest, bank, block, read_at } = data
  return (
    <Section title={t('heldOwed.published.title')}>
      {data.days[0]?.state === 'differs' && <Notice tone="bad">{t('heldOwed.published.differs')}</Notice>}
      <Card>
        <Facts>
          <Fact label={<Term name="snapshot">{t('heldOwed.published.day')}</Term>}>
            {latest === null ? t('heldOwed.published.none') : formatDay(latest.day)}
          </Fact>
          {latest !== null && latest.published_at !== null && (
            <TimeFact label={t('heldOwed.published.at')} value={latest.published_at} />
          )}
          {latest !== null && (
            <Fact label={t('heldOwed.published.root')}>
              <span className="inline-flex max-w-full items-center">
                <Address value={latest.root} form="head" />
                {latest.tx_hash !== null && <ExplorerLink kind="tx" value={latest.tx_hash} />}
              </span>
            </Fact>
          )}
          <Fact label={t('heldOwed.bank')}>
            <span className="inline-flex max-w-full items-center">
              <Address value={bank} />
              <ExplorerLink kind="address" value={bank} />
            </span>
          </Fact>
          <TimeFact label={t('heldOwed.published.read')} value={read_at} />
          {block !== null && <Fact label={t('heldOwed.published.block')}>{formatCount(block)}</Fact>}
          {auditedAt !== null && <TimeFact label={t('heldOwed.published.audited')} value={auditedAt} />}
        </Facts>
      </Card>
    </Section>
  )
}
