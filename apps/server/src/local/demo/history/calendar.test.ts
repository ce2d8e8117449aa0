import { expect, it } from 'vitest'
import { DEMO_TEAM } from '../cast.ts'
import { createCalendar } from './calendar.ts'

const DAYS = 90
const calendar = createCalendar(DAYS, '2026-08-25')
const events = calendar.flat()
const joinedAt = new Map(events.flatMap((event) => (event.do === 'join' ? [[event.name, event.atMs]] : [])))
const dayOf = (atMs: number) => Math.floor(atMs / 86_400_000)

it('the same first day gives the same history', () => {
  expect(createCalendar(DAYS, '2026-08-25')).toEqual(calendar)
})

it('members sign up after their sponsors, and buy after they signed up', () => {
  for (const { name, sponsor } of DEMO_TEAM)
    if (sponsor !== null) expect(joinedAt.get(name)).toBeGreaterThan(joinedAt.get(sponsor)!)
  const orders = events.flatMap((event) => (event.do === 'order' ? [event] : []))
  for (const { purchase, atMs } of orders) expect(atMs).toBeGreaterThan(joinedAt.get(purchase.buyer)!)
  expect(orders.length).toBeGreaterThan(30)
})

it.each([1, 2, 3, 4, 7, DAYS])(
  'no packages are sold while sales are paused, in a history of %i days',
  (days) => {
    let isPaused = false
    for (const event of createCalendar(days, '2026-08-25').flat()) {
      if (event.do === 'pause' || event.do === 'resume') isPaused = event.do === 'pause'
      if (event.do === 'order') expect(isPaused).toBe(false)
    }
    expect(isPaused).toBe(false)
  },
)

it('the revenue of some days is late, and less happens on weekends', () => {
  const late = events.findIndex((event) => event.do === 'revenue' && event.source.includes('late'))
  expect(late).toBeGreaterThan(0)
  const before = dayOf(events[late]!.atMs)
  const paidIn = [before - 1, before - 2].flatMap((day) =>
    calendar[day]!.filter((event) => event.do === 'revenue' && event.pool === 'yield_pool'),
  )
  expect(paidIn).toEqual([])
  const weekend = calendar.flatMap((ofDay, day) => (day % 7 === 4 || day % 7 === 5 ? [ofDay.length] : []))
  const all = events.length / DAYS
  expect(weekend.reduce((sum, count) => sum + count, 0) / weekend.length).toBeLessThan(all)
})
