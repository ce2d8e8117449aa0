import type { WebhookDelivery } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiWatchedList, type Translate, useTranslation } from '../../../lib/index.ts'
import { Chip, Chips, EmptyState, Pill, Section, TableList, type Tone } from '../../../ui/index.ts'
import { utcText } from '../components/utc-time.tsx'

export const DELIVERY_TONES = {
  waiting: 'warn',
  sending: 'warn',
  delivered: 'good',
  failed: 'bad',
} as const satisfies Record<WebhookDelivery['state'], Tone>

/** Returns the result of an attempt: its HTTP status, or the reason why there was none. */
export function answerText(
  t: Translate,
  { status, problem }: Pick<WebhookDelivery, 'status' | 'problem'>,
): string {
  if (problem !== null) return t(`adminWebhooks.problem.${problem}`)
  return status === null ? '–' : `${status}`
}

const FILTERS = [undefined, 'waiting', 'failed', 'delivered'] as const

/** Every delivery of an event to an endpoint, newest first, or those in one state. */
export function Deliveries({ onOpen }: { onOpen: (deliveryId: string) => void }) {
  const { t } = useTranslation()
  const [filter, setFilter] = useState<(typeof FILTERS)[number]>(undefined)
  const query = useInfiniteQuery(
    apiWatchedList('webhookDeliveries', { query: { limit: 20, ...(filter && { state: filter }) } }),
  )
  const state = (delivery: WebhookDelivery) => (
    <Pill tone={DELIVERY_TONES[delivery.state]}>{t(`adminWebhooks.is.${delivery.state}`)}</Pill>
  )
  return (
    <Section title={t('adminWebhooks.deliveries')}>
      <Chips label={t('adminWebhooks.filter')}>
        {FILTERS.map((item) => (
          <Chip key={item ?? 'all'} pressed={filter === item} onClick={() => setFilter(item)}>
            {t(item === undefined ? 'desk.filter.all' : `adminWebhooks.is.${item}`)}
          </Chip>
        ))}
      </Chips>
      <TableList<WebhookDelivery>
        query={query}
        keyOf={({ delivery_id }) => delivery_id}
        label={t('adminWebhooks.deliveries')}
        empty={
          <EmptyState
            icon="external"
            title={t(filter === undefined ? 'adminWebhooks.noDeliveries' : 'adminWebhooks.noneOfState')}
          />
        }
        columns={[
          { name: t('adminWebhooks.at'), cell: ({ occurred_at: at }) => utcText(at) },
          { name: t('adminWebhooks.event'), width: '1.5fr', cell: ({ event }) => event },
          { name: t('adminWebhooks.to'), cell: ({ endpoint }) => endpoint },
          { name: t('adminWebhooks.state'), cell: state },
          { name: t('adminWebhooks.attempts'), end: true, cell: ({ attempts }) => attempts },
          { name: t('adminWebhooks.answer'), end: true, cell: (delivery) => answerText(t, delivery) },
        ]}
        line={({ delivery_id: id }, look, cells) => (
          <button type="button" className={look} onClick={() => onOpen(id)}>
            {cells}
          </button>
        )}
        render={(delivery) => (
          <button
            type="button"
            className="flex w-full items-start justify-between gap-3 py-3 text-left text-14"
            onClick={() => onOpen(delivery.delivery_id)}
          >
            <span className="flex min-w-0 flex-col">
              <span className="font-semibold">{delivery.event}</span>
              <span className="wrap-anywhere text-12 text-muted">
                {delivery.endpoint} · {utcText(delivery.occurred_at)}
              </span>
              {delivery.state !== 'delivered' && delivery.attempts > 0 && (
                <span className="text-12 text-muted">{answerText(t, delivery)}</span>
              )}
            </span>
            {state(delivery)}
          </button>
        )}
      />
    </Section>
  )
}
