import { WEBHOOK_EVENTS, type WebhookEndpoint, type WebhookEvent } from '@rif/api-schema'
import type { Checked } from '../../../ui/index.ts'
import type { PayloadOf } from '../proposals/use-proposals.tsx'

/** A typed endpoint; `events` are its chosen events, comma-separated because values of forms are flat. */
export interface EndpointText {
  name: string
  url: string
  events: string
  active: boolean
}
type Problem = 'missing' | 'badUrl' | 'noEvents'

/** The events, grouped by subject. */
export const EVENT_GROUPS = {
  orders: /^(order|payment)\./,
  withdrawals: /^withdrawal\./,
  fund: /^(fund|treasury|settlement|price)\./,
  alarms: /^alarm\./,
  proposals: /^(proposal|announcement)\./,
} as const

/** Returns the events of a group, in their order. */
export const eventsIn = (group: keyof typeof EVENT_GROUPS): readonly WebhookEvent[] =>
  WEBHOOK_EVENTS.filter((event) => EVENT_GROUPS[group].test(event))

export const endpointText = (endpoint: WebhookEndpoint | null): EndpointText => ({
  name: endpoint?.name ?? '',
  url: endpoint?.url ?? '',
  active: endpoint?.active ?? true,
  events: endpoint?.events.join(',') ?? '',
})

/** Returns the chosen events, in their order. */
export function chosenIn({ events }: EndpointText): readonly WebhookEvent[] {
  const chosen = events.split(',')
  return WEBHOOK_EVENTS.filter((event) => chosen.includes(event))
}

/** Returns the chosen events as text, with one added or removed. */
export function toggled(values: EndpointText, event: WebhookEvent): string {
  const chosen = chosenIn(values)
  return (chosen.includes(event) ? chosen.filter((item) => item !== event) : [...chosen, event]).join(',')
}

/**
 * Reads the endpoint to propose, or the problem of each field. The server checks that the address is public.
 */
export function readEndpoint(
  values: EndpointText,
  endpointId: string | null,
): Checked<EndpointText, { ok: true; payload: PayloadOf<'webhook'> }, Problem> {
  const [name, url] = [values.name.trim(), values.url.trim()]
  const events = chosenIn(values)
  const problems: Partial<Record<keyof EndpointText, Problem>> = {
    ...(name === '' && { name: 'missing' }),
    ...(!(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) && { url: 'badUrl' }),
    ...(events.length === 0 && { events: 'noEvents' }),
  }
  if (Object.keys(problems).length > 0) return { ok: false, problems }
  return {
    ok: true,
    payload: { endpoint_id: endpointId, name, url, events: [...events], active: values.active },
  }
}
