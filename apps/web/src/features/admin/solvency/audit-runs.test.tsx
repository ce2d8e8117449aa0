import { render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { needAdminTexts } from '../../../lib/index.ts'
import { AuditRuns } from './audit-runs.tsx'
import type { GuardReport } from './key-figures.tsx'

const YEAR = new Date().getUTCFullYear()
const GUARD: GuardReport = {
  causes: [],
  snapshot: null,
  audits: [
    {
      kind: 'full',
      differences: 0,
      started_at: `${YEAR}-06-03T00:05:00.000Z`,
      ended_at: `${YEAR}-06-03T00:05:02.000Z`,
    },
  ],
  closings: [
    { cause: 'old_snapshot', from: `${YEAR}-06-02T23:10:00.000Z`, until: `${YEAR}-06-02T23:40:00.000Z` },
  ],
}

const zone = process.env.TZ

beforeAll(() => needAdminTexts())
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

it('shows times in UTC, as the page states, in any time zone of the browser', () => {
  process.env.TZ = 'America/New_York'
  expect(new Date(GUARD.audits[0]!.started_at).getUTCDate()).not.toBe(
    new Date(GUARD.audits[0]!.started_at).getDate(),
  )
  render(<AuditRuns guard={GUARD} />)
  expect(screen.getByRole('row', { name: /00:05/ })).toBeTruthy()
  expect(screen.getByText(/23:10.*23:40/)).toBeTruthy()
})
