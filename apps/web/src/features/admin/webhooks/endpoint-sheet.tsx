import type { WebhookEndpoint } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { Button, Chip, Chips, Form, Sheet, Switch, TextField, useDraftForm } from '../../../ui/index.ts'
import type { Wanted } from '../proposals/use-proposals.tsx'
import { chosenIn, EVENT_GROUPS, endpointText, eventsIn, readEndpoint, toggled } from './endpoint-draft.ts'

const MAX_NAME = 60
const MAX_URL = 500
const GROUPS = Object.keys(EVENT_GROUPS) as (keyof typeof EVENT_GROUPS)[]

interface EndpointSheetProps {
  /** The endpoint to change; null for a new one. */
  endpoint: WebhookEndpoint | null
  onSubmit: (wanted: Wanted, onDone: () => void) => void
  onClose: () => void
}

/** Asks for an endpoint of webhooks: its name, address and events. */
export function EndpointSheet({ endpoint, onSubmit, onClose }: EndpointSheetProps) {
  const { t } = useTranslation()
  const { values, set, field, textField, submit, clear } = useDraftForm({
    name: `webhook ${endpoint?.endpoint_id ?? 'new'}`,
    initial: endpointText(endpoint),
    check: (typed) => readEndpoint(typed, endpoint?.endpoint_id ?? null),
    text: (problem) => t(`adminWebhooks.wrong.${problem}`),
    recheck: true,
  })
  const chosen = chosenIn(values)
  const { error } = field('events')
  return (
    <Sheet open onClose={onClose} title={t(endpoint === null ? 'adminWebhooks.add' : 'adminWebhooks.change')}>
      <Form onSubmit={submit(({ payload }) => onSubmit({ kind: 'webhook', payload }, clear))}>
        <TextField label={t('adminWebhooks.name')} maxLength={MAX_NAME} {...textField('name')} />
        <TextField
          label={t('adminWebhooks.url')}
          hint={t('adminWebhooks.urlHint')}
          type="url"
          inputMode="url"
          maxLength={MAX_URL}
          {...textField('url')}
        />
        <div className="flex flex-col gap-3">
          <p className="flex items-baseline justify-between gap-3 text-14">
            <span className="font-medium">{t('adminWebhooks.events')}</span>
            <span className="text-muted">{t('desk.bulk.selected', { count: chosen.length })}</span>
          </p>
          {GROUPS.map((group) => (
            <div key={group} className="flex flex-col gap-1">
              <p aria-hidden="true" className="text-12 text-muted">
                {t(`adminWebhooks.group.${group}`)}
              </p>
              <Chips label={t(`adminWebhooks.group.${group}`)}>
                {eventsIn(group).map((event) => (
                  <Chip
                    key={event}
                    pressed={chosen.includes(event)}
                    onClick={() => set({ events: toggled(values, event) })}
                  >
                    {event}
                  </Chip>
                ))}
              </Chips>
            </div>
          ))}
          <p role="alert" className="px-1 text-14 text-bad empty:hidden">
            {error}
          </p>
        </div>
        {endpoint !== null && <Switch label={t('adminWebhooks.active')} {...switchOf(field('active'))} />}
        <Button type="submit">{t('admin.preview')}</Button>
      </Form>
    </Sheet>
  )
}

const switchOf = ({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) => ({
  checked: value,
  onChange,
})
