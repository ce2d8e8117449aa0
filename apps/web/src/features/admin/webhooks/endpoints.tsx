import type { RouteData, WebhookEndpoint } from '@rif/api-schema'
import { useState } from 'react'
import { useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, Notice, Pill, Sheet } from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'
import { Panel } from '../components/panel.tsx'

interface EndpointsProps {
  data: RouteData<'webhooks'>
  onChange: (endpoint: WebhookEndpoint) => void
}

/** The endpoints with their events and state; an owner reads the secret of each, once. */
export function Endpoints({ data: { ready, endpoints }, onChange }: EndpointsProps) {
  const { t } = useTranslation()
  const may = useMay()
  const [secret, setSecret] = useState<string | null>(null)
  const show = useApiMutation('webhookSecret', { refresh: ['webhooks'] })
  return (
    <Panel title={t('adminWebhooks.endpoints')}>
      {!ready && <Notice tone="warn">{t('adminWebhooks.notReady')}</Notice>}
      {endpoints.length === 0 && <p className="text-14 text-muted">{t('adminWebhooks.none')}</p>}
      <ul className="flex flex-col divide-y divide-line">
        {endpoints.map((endpoint) => (
          <li key={endpoint.endpoint_id} className="flex flex-wrap items-start gap-3 py-3">
            <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
              <p className="flex flex-wrap items-center gap-2">
                <span className="text-14 font-semibold">{endpoint.name}</span>
                <Pill tone={endpoint.active ? 'good' : 'neutral'}>
                  {t(endpoint.active ? 'adminWebhooks.running' : 'adminWebhooks.paused')}
                </Pill>
              </p>
              <p className="wrap-anywhere text-14">{endpoint.url}</p>
              <p className="wrap-anywhere text-12 text-muted">{endpoint.events.join(', ')}</p>
              <p className="text-12 text-muted">
                {t('adminWebhooks.counts', { waiting: endpoint.waiting, failed: endpoint.failed })}
              </p>
            </div>
            <div className="flex flex-wrap gap-2">
              {may('owner') && !endpoint.secret_shown && (
                <Button
                  variant="secondary"
                  icon="key"
                  busy={show.isPending}
                  onClick={() =>
                    void show
                      .mutateAsync({ params: { endpoint_id: endpoint.endpoint_id } })
                      .then((shown) => setSecret(shown.secret))
                      .catch(() => undefined)
                  }
                >
                  {t('adminWebhooks.secret')}
                </Button>
              )}
              {may('operator') && (
                <Button variant="secondary" onClick={() => onChange(endpoint)}>
                  {t('adminWebhooks.change')}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {secret !== null && (
        <Sheet open onClose={() => setSecret(null)} title={t('adminWebhooks.secretTitle')}>
          <div className="flex flex-col gap-4">
            <Notice tone="warn">{t('adminWebhooks.secretOnce')}</Notice>
            <code className="wrap-anywhere select-all rounded-12 bg-sunken p-3 text-14">{secret}</code>
          </div>
        </Sheet>
      )}
    </Panel>
  )
}
