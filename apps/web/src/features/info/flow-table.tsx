import type { LedgerFlow } from '@rif/api-schema'
import { useTranslation } from '../../lib/index.ts'
import { Disclosure } from '../../ui/index.ts'

/**
 * The complete flow table of the ledger, with its original names: one row for each kind, source and
 * destination.
 */
export function FlowTable({ flows }: { flows: readonly LedgerFlow[] }) {
  const { t } = useTranslation()
  const rows = rowsOf(flows)
  return (
    <Disclosure title={t('money.inside.table', { count: rows.length })}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must reach what scrolls sideways */}
      <section className="overflow-x-auto" aria-label={t('money.inside.title')} tabIndex={0}>
        <table className="w-full text-12">
          <thead>
            <tr className="text-left text-muted">
              <th className="py-2 pr-4 font-medium">{t('money.inside.kind')}</th>
              <th className="py-2 pr-4 font-medium">{t('money.inside.from')}</th>
              <th className="py-2 pr-4 font-medium">{t('money.inside.to')}</th>
              <th className="py-2 font-medium">{t('money.inside.assets')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ kind, source, destination, assets }) => (
              <tr key={`${kind} ${source} ${destination}`} className="border-t border-line align-top">
                <td className="py-2 pr-4">{kind}</td>
                <td className="py-2 pr-4">{source}</td>
                <td className="py-2 pr-4">{destination}</td>
                <td className="py-2">{assets.join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Disclosure>
  )
}

function rowsOf(flows: readonly LedgerFlow[]) {
  const rows = new Map<string, { kind: string; source: string; destination: string; assets: string[] }>()
  for (const { kind, source, destination, asset } of flows) {
    const key = `${kind} ${source} ${destination}`
    const row = rows.get(key) ?? { kind, source, destination, assets: [] }
    row.assets.push(asset)
    rows.set(key, row)
  }
  return [...rows.values()]
}
