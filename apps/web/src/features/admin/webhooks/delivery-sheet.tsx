import { useQuery } from '@tanstack/react-query'
import { apiQuery, showToast, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, Card, DataTable, Fact, Facts, ListSkeleton, Loaded, Pill, Sheet } from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'
import { UtcTime, UtcTimeFact } from '../components/utc-time.tsx'
import { answerText, DELIVERY_TONES } from './deliveries.tsx'

const WATCH_MS = 2_000

/** A delivery with its attempts and the sent body; an operator can replay it. */
export function DeliverySheet({ deliveryId, onClose }: { deliveryId: string; onClose: () => void }) {
  const { t } = useTranslation()
  const may = useMay()
  const params = { delivery_id: deliveryId }
  const query = useQuery({ ...apiQuery('webhookDelivery', { params }), refetchInterval: WATCH_MS })
  const replay = useApiMutation('replayWebhook', { refresh: ['webhookDelivery', 'webhookDeliveries'] })
  return (
    <Sheet open onClose={onClose} title={query.data?.event ?? t('adminWebhooks.event')}>
      <Loaded query={query} skeleton={<ListSkeleton rows={4} />}>
        {(data) => (
          <div className="flex flex-col gap-4">
            <Facts>
              <Fact label={t('adminWebhooks.to')}>{data.endpoint}</Fact>
              <UtcTimeFact label={t('adminWebhooks.at')} value={data.occurred_at} />
              <Fact label={t('adminWebhooks.state')}>
                <Pill tone={DELIVERY_TONES[data.state]}>{t(`adminWebhooks.is.${data.state}`)}</Pill>
              </Fact>
              <Fact label="webhook-id">{`evt_${data.event_id}`}</Fact>
              {data.next_at !== null && <UtcTimeFact label={t('adminWebhooks.next')} value={data.next_at} />}
            </Facts>
            {data.tries.length > 0 && (
              <Card className="p-3">
                <DataTable
                  dense
                  caption={t('adminWebhooks.attempts')}
                  head={[t('adminWebhooks.attempt'), t('adminWebhooks.answer'), 'ms']}
                  rows={data.tries.map(({ at, duration_ms: ms, ...answer }) => ({
                    key: at,
                    cells: [<UtcTime key="at" value={at} />, answerText(t, answer), ms],
                  }))}
                />
              </Card>
            )}
            <div className="flex flex-col gap-1">
              <p className="text-14 font-medium">{t('adminWebhooks.body')}</p>
              <pre className="max-h-60 overflow-y-auto whitespace-pre-wrap wrap-anywhere rounded-12 bg-sunken p-3 text-12">
                {data.body}
              </pre>
            </div>
            {may('operator') && (data.state === 'delivered' || data.state === 'failed') && (
              <Button
                variant="secondary"
                icon="refresh"
                busy={replay.isPending}
                onClick={() =>
                  void replay
                    .mutateAsync({ params })
                    .then(() => showToast(t('adminWebhooks.replayed')))
                    .catch(() => undefined)
                }
              >
                {t('adminWebhooks.replay')}
              </Button>
            )}
          </div>
        )}
      </Loaded>
    </Sheet>
  )
}
