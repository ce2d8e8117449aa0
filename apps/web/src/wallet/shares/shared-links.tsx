import type { Share } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import {
  apiQuery,
  formatDay,
  formatTime,
  showModal,
  useApiMutation,
  useTranslation,
} from '../../lib/index.ts'
import { Card, IconButton, ListSkeleton, Loaded, Section } from '../../ui/index.ts'
import { useFileName } from '../statements/file-name.ts'

/** The member's open links with their end times, each with a button that ends it. Nothing without links. */
export function SharedLinks() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('shares'))
  if (query.data?.items.length === 0) return null
  return (
    <Section title={t('links.open')}>
      <Loaded query={query} skeleton={<ListSkeleton rows={1} joined />}>
        {({ items }) => (
          <Card className="divide-y divide-line py-1">
            {items.map((item) =>
              item.statement === null ? (
                <Row key={item.share_id} item={item} name={nameWithoutFile(item, t)} />
              ) : (
                <StatementRow key={item.share_id} item={item} statement={item.statement} />
              ),
            )}
          </Card>
        )}
      </Loaded>
    </Section>
  )
}

const nameWithoutFile = ({ day }: Share, t: ReturnType<typeof useTranslation>['t']) =>
  day === null ? t('links.fileGone') : t('links.proofOf', { day: formatDay(day) })

function StatementRow({ item, statement }: { item: Share; statement: NonNullable<Share['statement']> }) {
  return <Row item={item} name={useFileName(statement)} />
}

function Row({ item, name }: { item: Share; name: string }) {
  const { t } = useTranslation()
  const revoke = useApiMutation('revokeShare', { refresh: ['shares'] })
  const askRevoke = async () => {
    const title = t('links.end')
    if (await showModal({ title, content: t('links.endAsk'), confirmText: title }))
      revoke.mutate({ body: { share_id: item.share_id } })
  }
  return (
    <div className="flex items-center gap-3 py-2.5">
      <p className="min-w-0 flex-1">
        <span className="block break-words font-medium">{name}</span>
        <span className="block text-13 text-muted">
          {t('links.until', { time: formatTime(item.expires_at) ?? '' })}
        </span>
      </p>
      <IconButton
        icon="trash"
        label={t('links.endNamed', { name })}
        disabled={revoke.isPending}
        onClick={() => void askRevoke()}
      />
    </div>
  )
}
