import { WEBHOOK_EVENTS } from '@rif/api-schema'
import { expect, it } from 'vitest'
import { EVENT_GROUPS, endpointText, eventsIn, readEndpoint, toggled } from './endpoint-draft.ts'

const GOOD = {
  ...endpointText(null),
  name: ' Books ',
  url: ' https://books.example.org/hooks ',
  events: 'order.paid',
}

it('has every event in one group', () => {
  const groups = Object.keys(EVENT_GROUPS) as (keyof typeof EVENT_GROUPS)[]
  expect(groups.flatMap(eventsIn).sort()).toEqual([...WEBHOOK_EVENTS].sort())
})

it('reads an endpoint with its events in their fixed order, however they were chosen', () => {
  const events = toggled({ ...GOOD, events: toggled(GOOD, 'order.created') }, 'alarm.raised')
  expect(readEndpoint({ ...GOOD, events }, '7')).toEqual({
    ok: true,
    payload: {
      endpoint_id: '7',
      name: 'Books',
      url: 'https://books.example.org/hooks',
      active: true,
      events: ['order.created', 'order.paid', 'alarm.raised'],
    },
  })
  expect(toggled(GOOD, 'order.paid')).toBe('')
})

it.each([
  [endpointText(null), { name: 'missing', url: 'badUrl', events: 'noEvents' }],
  [{ ...GOOD, url: 'books.example.org' }, { url: 'badUrl' }],
  [{ ...GOOD, url: 'ftp://books.example.org' }, { url: 'badUrl' }],
  [{ ...GOOD, events: 'order.eaten' }, { events: 'noEvents' }],
])('tells what is wrong with %j', (values, problems) => {
  expect(readEndpoint(values, null)).toEqual({ ok: false, problems })
})
