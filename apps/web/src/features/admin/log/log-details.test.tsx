import type { AdminActionEntry } from '@rif/api-schema'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import { needAdminTexts } from '../../../lib/index.ts'
import { LogDetails } from './log-details.tsx'

const ENTRY: AdminActionEntry = {
  seq: '7',
  action_id: '7',
  actor: 'system',
  action: 'member.freeze',
  subject: 'member/3',
  reason: 'asked to',
  before: null,
  after: null,
  acted_at: '2026-01-02T03:04:05.000Z',
  hash: `0x${'a'.repeat(64)}`,
}

const show = (entry: AdminActionEntry) =>
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
      <LogDetails entry={entry} />
    </QueryClientProvider>,
  )

beforeAll(() => needAdminTexts())

it('does not offer before and after of an entry without values', () => {
  show(ENTRY)
  expect(screen.queryByRole('heading', { name: 'Before and after' })).toBeNull()
  expect(document.body.textContent).not.toContain('null')
})

it('shows the values of an entry that has some', () => {
  show({ ...ENTRY, after: { frozen: true } })
  expect(screen.getByRole('heading', { name: 'Before and after' })).toBeTruthy()
  expect(document.body.textContent).toContain('"frozen": true')
})
