import { WEBHOOK_EVENTS, type WebhookEndpoint, type WebhookEvent } from '@rif/api-schema'
import { useState } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { Button, Chip, Chips, Sheet, Switch, TextField } from '../../../ui/index.ts'
import type { Wanted } from '../proposals/use-proposals.tsx'

const MAX_NAME = 60
const MAX_URL = 500

interface EndpointSheetProps {
  /** The endpoint to change; null for a new one. */
  endpoint: WebhookEndpoint | null
  onSubmit: (wanted: Wanted) => void
  onClose: () => void
}

/** Asks for an endpoint of webhooks: its name, address and events. */
export function EndpointSheet({ endpoint, onSubmit, onClose }: EndpointSheetProps) {
  const { t } = useTranslation()
  const [name, setName] = useState(endpoint?.name ?? '')
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(endpoint?.events ?? [])
  const [active, setActive] = useState(endpoint?.active ?? true)
  const [isChecked, setChecked] = useState(false)
  const hasUrl = URL.canParse(url.trim()) && /^https?:$/.test(new URL(url.trim()).protocol)
  const problems = {
    name: name.trim() === '' ? t('admin.treasury.missing') : undefined,
    url: hasUrl ? undefined : t('adminWebhooks.badUrl'),
    events: events.length === 0 ? t('adminWebhooks.noEvents') : undefined,
  }
  const submit = () => {
    setChecked(true)
    if (Object.values(problems).some((one) => one !== undefined)) return
    const ordered = WEBHOOK_EVENTS.filter((one) => events.includes(one))
    const target = { endpoint_id: endpoint?.endpoint_id ?? null, name: name.trim(), url: url.trim() }
    onSubmit({ kind: 'webhook', payload: { ...target, events: ordered, active } })
  }
  const toggle = (event: WebhookEvent) =>
    setEvents(events.includes(event) ? events.filter((one) => one !== event) : [...events, event])
  return (
    <Sheet open onClose={onClose} title={t(endpoint === null ? 'adminWebhooks.add' : 'adminWebhooks.change')}>
      <div className="flex flex-col gap-4">
        <TextField
          label={t('adminWebhooks.name')}
          maxLength={MAX_NAME}
          value={name}
          onChange={({ target }) => setName(target.value)}
          error={isChecked ? problems.name : undefined}
        />
        <TextField
          label={t('adminWebhooks.url')}
          hint={t('adminWebhooks.urlHint')}
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={MAX_URL}
          value={url}
          onChange={({ target }) => setUrl(target.value)}
          error={isChecked ? problems.url : undefined}
        />
        <div className="flex flex-col gap-2">
          <p className="text-14 font-medium">{t('adminWebhooks.events')}</p>
          <Chips label={t('adminWebhooks.events')}>
            {WEBHOOK_EVENTS.map((event) => (
              <Chip key={event} pressed={events.includes(event)} onClick={() => toggle(event)}>
                {event}
              </Chip>
            ))}
          </Chips>
          <p role="alert" className="text-12 text-bad empty:hidden">
            {isChecked ? problems.events : undefined}
          </p>
        </div>
        {endpoint !== null && (
          <Switch label={t('adminWebhooks.active')} checked={active} onChange={setActive} />
        )}
        <Button onClick={submit}>{t('admin.preview')}</Button>
      </div>
    </Sheet>
  )
}
