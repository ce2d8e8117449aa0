import type { FundDesk } from '@rif/api-schema'
import { formatMicros, parseMicros } from '@rif/rules'
import { formatAmount, formatPrice, useTranslation } from '../../../lib/index.ts'
import { Address, DataTable } from '../../../ui/index.ts'
import { AdminName } from '../components/admin-page.tsx'
import { Panel } from '../components/panel.tsx'
import { useSpans } from '../components/span.ts'
import { EvidenceLink } from './evidence-link.tsx'

interface DeskAssetsProps {
  desk: FundDesk
  names: ReadonlyMap<string, string>
}

type Investment = FundDesk['investments'][number]

/** Shows the assets behind the units: each investment with its cost, value, evidence and age, and the cash. */
export function DeskAssets({ desk, names }: DeskAssetsProps) {
  const { t } = useTranslation()
  const { since } = useSpans()
  const invested = desk.investments.filter(({ state }) => state === 'invested')
  const [valued] = desk.valuations
  const row = ({ investment_id, destination, cost, value, evidence, invested_at }: Investment) => ({
    key: investment_id,
    cells: [
      <span key="place" className="flex flex-col">
        <span className="font-medium">{names.get(investment_id)}</span>
        {destination.startsWith('0x') && (
          <span className="text-12 text-muted">
            <Address value={destination} />
          </span>
        )}
      </span>,
      formatAmount(cost),
      <span key="worth" className="font-semibold">
        {formatAmount(value)}
      </span>,
      signed(parseMicros(value) - parseMicros(cost)),
      <EvidenceLink key="evidence" productId={desk.product_id} evidence={evidence} />,
      since(desk.valued_at ?? invested_at!),
    ],
  })
  const cash = {
    key: 'cash',
    cells: [
      <span key="place" className="flex flex-col">
        <span className="font-medium">{t('admin.fund.cash')}</span>
        <span className="text-12 text-muted">{t('admin.desk.figure.inBank')}</span>
      </span>,
      '–',
      <span key="worth" className="font-semibold">
        {formatAmount(desk.cash)}
      </span>,
      '–',
      t('admin.desk.onChain'),
      '–',
    ],
  }
  const sum = {
    key: 'sum',
    cells: [
      t('admin.desk.row.netAssets'),
      formatAmount(desk.cost),
      formatAmount(desk.net_assets),
      signed(parseMicros(desk.invested) - parseMicros(desk.cost)),
      t('admin.desk.perUnit', { units: desk.units, nav: formatPrice(desk.nav) }),
      '',
    ],
  }
  return (
    <Panel title={t('admin.desk.assets.title')}>
      <DataTable
        stacks
        caption={t('admin.desk.assets.title')}
        head={(['place', 'cost', 'worth', 'change', 'evidence', 'age'] as const).map((name) =>
          t(`admin.desk.assets.${name}`),
        )}
        words={[4]}
        rows={[...invested.map(row), cash]}
        foot={[sum]}
      />
      {valued !== undefined && (
        <p className="flex flex-wrap items-center gap-x-2 text-12 text-muted">
          {t('admin.desk.valuedBy')}
          <span>
            <AdminName actor={valued.prepared_by} />,
          </span>
          <span>
            <AdminName actor={valued.decided_by} />
          </span>
        </p>
      )}
    </Panel>
  )
}

/** An amount with its sign. */
function signed(micros: bigint): string {
  return `${micros > 0n ? '+' : ''}${formatAmount(formatMicros(micros))}`
}
