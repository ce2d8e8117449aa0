import type { ProposalPayload } from '@rif/api-schema'
import type { Db } from '../../../db/database.ts'
import { AppError } from '../../../lib/errors.ts'
import { change, type Kind, says } from '../../proposal-kind.ts'
import type { Webhooks } from './webhooks.service.ts'

/** A new endpoint of webhooks, or a change of one. Its secret is derived from its id and stays. */
export function webhookKind({ webhooks }: { webhooks: Webhooks }): Kind<ProposalPayload<'webhook'>> {
  const idOf = ({ endpoint_id: id }: ProposalPayload<'webhook'>) => (id === null ? null : BigInt(id))
  async function before(db: Db, payload: ProposalPayload<'webhook'>) {
    const endpointId = idOf(payload)
    if (endpointId === null) return undefined
    const endpoint = await webhooks.find(db, endpointId)
    if (endpoint === undefined) throw new AppError('NOT_FOUND')
    return endpoint
  }
  const stateOf = (active: boolean) => (active ? 'running' : 'paused')
  return {
    prepare: 'operator',
    decide: 'owner',
    people: 2,
    async preview(db, payload) {
      const { name, url, events, active } = payload
      const old = await before(db, payload)
      await webhooks.check(db, { endpointId: idOf(payload), name, url })
      const changes = [
        change('name', old?.name ?? null, name, name),
        change('url', old?.url ?? null, url, name),
        change('events', old?.events.join(', ') ?? null, events.join(', '), name),
        change('state', old ? stateOf(old.active) : null, stateOf(active), name),
      ]
      return {
        subject: `webhook/${payload.endpoint_id ?? name}`,
        summary: `${old ? 'Change' : 'Add'} the webhook ${name}: ${events.length} kinds of events to ${new URL(url).host}`,
        headline: says('webhook', { name, host: new URL(url).host }),
        difference: changes.filter((change) => change.before !== change.after),
      }
    },
    apply: (dbTx, payload, { decidedBy }) => {
      const { name, url, events, active } = payload
      return webhooks.put(dbTx, {
        endpointId: idOf(payload),
        name,
        url,
        events,
        active,
        approvedBy: decidedBy,
      })
    },
  }
}
