import type { RouteData } from '@rif/api-schema'
import { defaultPlan, serialisePlan } from '@rif/rules'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { fireEvent, render, screen } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createQueryClient, needAdminTexts, saveToken } from '../../../lib/index.ts'
import PlanPage from './plan-page.tsx'

const router = createRouter({ routeTree: createRootRoute() })
const FIGURES = serialisePlan(defaultPlan) as RouteData<'plan'>['figures']
const FIRST = { today: '2026-03-01', settled: null, in_force: null, figures: FIGURES, versions: [] }
const VERSION = { version: '1', figures: FIGURES, created_by: 'set-up', created_at: '2026-02-01T00:00:00Z' }

beforeAll(() => needAdminTexts())
beforeEach(() => saveToken('t', '0xaa'))

function show(data: RouteData<'adminPlan'>): void {
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { enabled: false } })
  client.setQueryData(['adminMe', {}], { role: 'operator', address: `0x${'aa'.repeat(20)}`, person: 'Ida' })
  client.setQueryData(['adminPlan', {}], data)
  render(
    <RouterContextProvider router={router}>
      <QueryClientProvider client={client}>
        <PlanPage />
      </QueryClientProvider>
    </RouterContextProvider>,
  )
}
const propose = () => screen.getByRole('button', { name: 'Propose this plan' }) as HTMLButtonElement

test('before the first plan the page offers the demonstration as a first draft, which can be proposed as it is', () => {
  show(FIRST)
  expect(screen.getByText('No plan is in force: a first draft')).toBeTruthy()
  expect(screen.getByText('These are the figures of the demonstration')).toBeTruthy()
  expect(propose().disabled).toBe(false)
  fireEvent.click(screen.getByRole('button', { name: 'Orders' }))
  expect(screen.getByLabelText<HTMLInputElement>('A quote holds for').value).toBe('30')
})

test('a first plan that begins later is the base of the next draft, and is not proposed twice', () => {
  show({ ...FIRST, versions: [{ ...VERSION, effective_day: '2026-03-02' }] })
  expect(screen.getByText('No plan is in force yet')).toBeTruthy()
  expect(screen.getByText('The draft is the plan to come')).toBeTruthy()
  expect(propose().disabled).toBe(true)
})

test('with a plan in force there is no first draft', () => {
  show({ ...FIRST, in_force: '1', versions: [{ ...VERSION, effective_day: '2026-02-01' }] })
  expect(screen.queryByText(/first draft/)).toBeNull()
  expect(screen.getByText('The draft is the plan in force')).toBeTruthy()
  expect(propose().disabled).toBe(true)
})
