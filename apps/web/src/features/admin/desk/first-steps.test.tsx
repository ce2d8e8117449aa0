import { type AdminRole, type DeskToday, OPENING_STEPS, type OpeningStepName } from '@rif/api-schema'
import { QueryClientProvider, type UseQueryResult } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { createQueryClient, needAdminTexts, saveToken } from '../../../lib/index.ts'
import { FirstSteps } from './first-steps.tsx'

const router = createRouter({ routeTree: createRootRoute() })

beforeAll(() => needAdminTexts())
beforeEach(() => saveToken('t', '0xaa'))

function show(
  missing: readonly OpeningStepName[] | null,
  { role = 'owner', lacksReceiver = false }: { role?: AdminRole; lacksReceiver?: boolean } = {},
): void {
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { enabled: false } })
  client.setQueryData(['adminMe', {}], { role })
  const steps = OPENING_STEPS.map((name) => ({ name, done: !missing?.includes(name) }))
  const data = { opening: missing && { terms: '2', steps }, lacks_receiver: lacksReceiver }
  render(
    <RouterContextProvider router={router}>
      <QueryClientProvider client={client}>
        <FirstSteps query={{ data } as unknown as UseQueryResult<DeskToday>} />
      </QueryClientProvider>
    </RouterContextProvider>,
  )
}

const stateOf = (name: string) =>
  within(screen.getByText(name).closest('li')!).getByText(/^(Done|Missing)$/).textContent
const open = () => screen.getByRole('button', { name: 'Propose to open' }) as HTMLButtonElement

test('the first steps tell missing ones from done ones, and lead to the page of each', () => {
  show(['plan', 'alarm'])
  expect(screen.getAllByRole('listitem')).toHaveLength(OPENING_STEPS.length)
  expect(screen.getAllByText('Missing')).toHaveLength(2)
  expect(stateOf('A plan is in force today')).toBe('Missing')
  expect(screen.getByRole('link', { name: 'A plan is in force today' }).getAttribute('href')).toBe(
    '/pages/admin/plan',
  )
})

test('while a step is missing an owner cannot open', () => {
  show(['alarm'])
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'nightly, restored on 1 May' } })
  expect(open().disabled).toBe(true)
})

test('with every step done an owner opens it once the backup is named', () => {
  show([])
  expect(open().disabled).toBe(true)
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'nightly, restored on 1 May' } })
  expect(open().disabled).toBe(false)
})

test('others than owners see the steps only', () => {
  show([], { role: 'approver' })
  expect(screen.getAllByText('Done')).toHaveLength(OPENING_STEPS.length)
  expect(screen.queryByRole('button')).toBeNull()
})

test('an open product has no first steps, and still says that nobody receives alarms', () => {
  show(null, { lacksReceiver: true })
  expect(screen.queryByRole('list')).toBeNull()
  expect(screen.getByText('Alarms reach nobody')).toBeTruthy()
})
