import type { FundDesk } from '@rif/api-schema'
import { type ReactNode, useState } from 'react'
import { formatAmount, formatPrice, useTranslation } from '../../../lib/index.ts'
import { Button, DataTable, EmptyState } from '../../../ui/index.ts'
import { AdminName } from '../components/admin-page.tsx'
import { Panel } from '../components/panel.tsx'
import { UtcTime } from '../components/utc-time.tsx'
import { EvidenceLink } from './evidence-link.tsx'

interface DeskHistoryProps {
  desk: FundDesk
  names: ReadonlyMap<string, string>
}

interface Entry {
  readonly key: string
  readonly at: string
  readonly what: ReactNode
  readonly amount: string
  readonly nav: string
  readonly evidence: FundDesk['valuations'][number]['evidence']
  readonly people: readonly string[]
}

const SHOWN = 6

/** Shows the history of a product's money, newest first: investments, valuations and returns. */
export function DeskHistory({ desk, names }: DeskHistoryProps) {
  const { t } = useTranslation()
  const title = t('admin.desk.history.title')
  const [isOpen, setOpen] = useState(false)
  const entries: Entry[] = [
    ...desk.valuations.map((item) => ({
      key: `valuation ${item.valuation_id}`,
      at: item.decided_at,
      evidence: item.evidence,
      what: (
        <span className="flex flex-col">
          {item.kind === 'valuation'
            ? t('admin.desk.history.valuation')
            : t('admin.desk.history.divestment', { left: formatAmount(item.value) })}
          <span className="text-12 text-muted">{item.held_at}</span>
        </span>
      ),
      amount: formatAmount(item.kind === 'valuation' ? item.value : item.amount!),
      nav: formatPrice(item.nav),
      people: [item.prepared_by, item.decided_by],
    })),
    ...desk.investments.map((item) => ({
      key: `investment ${item.investment_id}`,
      evidence: item.evidence,
      nav: '–',
      at: item.invested_at ?? item.announced_at,
      what: t(`admin.desk.history.${item.state}`, { name: names.get(item.investment_id)! }),
      amount: formatAmount(item.cost),
      people: [item.prepared_by, item.approved_by],
    })),
  ]
  const newest = entries.toSorted((a, b) => (a.at < b.at ? 1 : -1)).slice(0, isOpen ? undefined : SHOWN)
  return (
    <Panel title={title}>
      {newest.length === 0 ? (
        <EmptyState
          icon="clock"
          title={t('admin.desk.history.none')}
          hint={t('admin.desk.history.noneHint')}
        />
      ) : (
        <DataTable
          stacks
          caption={title}
          head={(['at', 'what', 'amount', 'nav', 'evidence', 'people'] as const).map((name) =>
            t(`admin.desk.history.${name}`),
          )}
          words={[1, 4, 5]}
          rows={newest.map(({ key, at, what, amount, nav, evidence, people }) => ({
            key,
            cells: [
              <UtcTime key="at" value={at} />,
              what,
              amount,
              nav,
              <EvidenceLink key="evidence" productId={desk.product_id} evidence={evidence} />,
              <span key="people" className="flex flex-col items-start group-data-stacked:items-end">
                {people.map((actor) => (
                  <span key={actor}>
                    <AdminName actor={actor} />
                  </span>
                ))}
              </span>,
            ],
          }))}
        />
      )}
      {entries.length > newest.length && (
        <Button block variant="quiet" onClick={() => setOpen(true)}>
          {t('admin.desk.history.all', { count: entries.length })}
        </Button>
      )}
    </Panel>
  )
}
