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
    ...desk.valuations.map((one) => ({
      key: `valuation ${one.valuation_id}`,
      at: one.decided_at,
      evidence: one.evidence,
      what: (
        <span className="flex flex-col">
          {one.kind === 'valuation'
            ? t('admin.desk.history.valuation')
            : t('admin.desk.history.divestment', { left: formatAmount(one.value) })}
          <span className="text-12 text-muted">{one.held_at}</span>
        </span>
      ),
      amount: formatAmount(one.kind === 'valuation' ? one.value : one.amount!),
      nav: formatPrice(one.nav),
      people: [one.prepared_by, one.decided_by],
    })),
    ...desk.investments.map((one) => ({
      key: `investment ${one.investment_id}`,
      evidence: one.evidence,
      nav: '–',
      at: one.invested_at ?? one.announced_at,
      what: t(`admin.desk.history.${one.state}`, { name: names.get(one.investment_id)! }),
      amount: formatAmount(one.cost),
      people: [one.prepared_by, one.approved_by],
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
