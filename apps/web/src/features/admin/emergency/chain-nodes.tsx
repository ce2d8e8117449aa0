import type { RouteData } from '@rif/api-schema'
import { formatCount, useTranslation } from '../../../lib/index.ts'
import { Card, Fact, Facts, Notice, Pill } from '../../../ui/index.ts'
import { UtcTimeFact } from '../components/utc-time.tsx'

type Nodes = RouteData<'emergency'>['nodes']

/** The chain nodes with their states from the indexer, by host only. */
export function ChainNodes({ nodes: { quorum, items } }: { nodes: Nodes }) {
  const { t } = useTranslation()
  if (items.length === 0) return <Notice tone="info">{t('admin.emergency.nodes.none')}</Notice>
  const hasQuorum = items.filter(({ state }) => state === 'healthy').length >= quorum
  return (
    <>
      <p className="px-1 text-14 text-muted">
        {t('admin.emergency.nodes.about', { needed: formatCount(quorum), count: formatCount(items.length) })}
      </p>
      {!hasQuorum && <Notice tone="warn">{t('admin.emergency.nodes.lost')}</Notice>}
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        {items.map((node) => (
          <NodeCard key={node.place} node={node} />
        ))}
      </div>
    </>
  )
}

function NodeCard({ node: { host, state, reason, head, since } }: { node: Nodes['items'][number] }) {
  const { t } = useTranslation()
  return (
    <section aria-label={host}>
      <Card className="flex h-full flex-col gap-3">
        <p className="flex items-center justify-between gap-3">
          <span className="min-w-0 break-all text-16 font-semibold">{host}</span>
          <Pill tone={state === 'healthy' ? 'good' : 'bad'}>{t(`admin.emergency.nodes.state.${state}`)}</Pill>
        </p>
        <Facts>
          {head !== null && (
            <>
              <Fact label={t('admin.emergency.nodes.head')}>{formatCount(head.number)}</Fact>
              <UtcTimeFact label={t('admin.emergency.nodes.headAt')} value={head.at} />
            </>
          )}
          <UtcTimeFact label={t('admin.emergency.since')} value={since} />
          {reason !== null && <Fact label={t('admin.emergency.nodes.reason')}>{reason}</Fact>}
        </Facts>
      </Card>
    </section>
  )
}
