import type { RouteData, WebhookEndpoint } from '@rif/api-schema'
import { useState } from 'react'
import { copyText, useApiMutation, useTranslation } from '../../../lib/index.ts'
import { Button, Card, EmptyState, Notice, Pill, Section, Sheet } from '../../../ui/index.ts'
import { useMay } from '../components/admin-page.tsx'

interface EndpointsProps {
  data: RouteData<'webhooks'>
  onChange: (endpoint: WebhookEndpoint) => void
}

/** The endpoints with their events and state; an owner can read the secret of each, once. */
export function Endpoints({ data: { ready, endpoints }, onChange }: EndpointsProps) {
  const { t } = useTranslation()
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <Section title={t('adminWebhooks.endpoints')}>
      {!ready && <Notice tone="warn">{t('adminWebhooks.notReady')}</Notice>}
      <Card className="py-1">
        {endpoints.length === 0 && (
          <EmptyState
            icon="external"
            title={t('adminWebhooks.noEndpoint')}
            hint={t('adminWebhooks.noEndpointHint')}
          />
        )}
        <ul className="flex flex-col divide-y divide-line">
          {endpoints.map((endpoint) => (
            <li key={endpoint.endpoint_id} className="py-2">
              <Endpoint endpoint={endpoint} onChange={() => onChange(endpoint)} onSecret={setSecret} />
            </li>
          ))}
        </ul>
      </Card>
      {secret !== null && (
        <Sheet open onClose={() => setSecret(null)} title={t('adminWebhooks.secretTitle')}>
          <div className="flex flex-col gap-4">
            <Notice tone="warn">{t('adminWebhooks.secretOnce')}</Notice>
            <code className="wrap-anywhere select-all rounded-12 bg-sunken p-3 text-14">{secret}</code>
            <Button icon="copy" onClick={() => void copyText(secret)}>
              {t('adminWebhooks.copySecret')}
            </Button>
          </div>
        </Sheet>
      )}
    </Section>
  )
}

interface EndpointProps {
  endpoint: WebhookEndpoint
  onChange: () => void
  onSecret: (secret: string) => void
}

function Endpoint({ endpoint, onChange, onSecret }: EndpointProps) {
  const { t } = useTranslation()
  const may = useMay()
  const show = useApiMutation('webhookSecret', { refresh: ['webhooks'] })
  const { name, url, events, active, waiting, failed, endpoint_id } = endpoint
  const reveal = async () => {
    const shown = await show.mutateAsync({ params: { endpoint_id } }).catch(() => null)
    if (shown !== null) onSecret(shown.secret)
  }
  return (
    <div className="flex flex-col gap-1">
      <div className="flex min-h-11 items-center gap-2">
        <span className="wrap-anywhere min-w-0 text-16 font-semibold">{name}</span>
        <Pill tone={active ? 'good' : 'neutral'}>
          {t(active ? 'adminWebhooks.running' : 'adminWebhooks.paused')}
        </Pill>
        {may('operator') && (
          <button
            type="button"
            className="-mr-3 ml-auto min-h-11 shrink-0 px-3 text-14 font-medium text-accent"
            onClick={onChange}
          >
            {t('adminWebhooks.change')}
          </button>
        )}
      </div>
      <p className="wrap-anywhere text-14">{url}</p>
      <p className="wrap-anywhere text-12 text-muted">{events.join(', ')}</p>
      {waiting + failed > 0 && (
        <p className="flex flex-wrap gap-2 pt-1">
          {waiting > 0 && <Pill tone="warn">{t('adminWebhooks.countWaiting', { count: waiting })}</Pill>}
          {failed > 0 && <Pill tone="bad">{t('adminWebhooks.countFailed', { count: failed })}</Pill>}
        </p>
      )}
      {may('owner') && !endpoint.secret_shown && (
        <Button
          variant="secondary"
          icon="key"
          className="mt-2 w-fit"
          busy={show.isPending}
          onClick={() => void reveal()}
        >
          {t('adminWebhooks.secret')}
        </Button>
      )}
    </div>
  )
}
