import type { DeskToday } from '@rif/api-schema'
import type { UseQueryResult } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeAll, expect, test } from 'vitest'
import { needAdminTexts } from '../../../lib/index.ts'
import { DeskNeeds } from './needs.tsx'
import { SignerAlarms } from './signer-alarms.tsx'

const router = createRouter({ routeTree: createRootRoute() })
const NONE = { count: 0, oldest_at: null }
const TODAY = {
  approvals: { ...NONE, more: false, oldest_by: null },
  withdrawals: { ...NONE, worth_usdt: '0' },
  refused: { ...NONE, worth_usdt: '0' },
  redemptions: { ...NONE, units: '0', worth_usdt: '0' },
  payments: { ...NONE, proposed: 0, usdt: '0', amc: '0' },
  signer: [],
} as unknown as DeskToday

beforeAll(() => needAdminTexts())
const draw = (page: ReactNode) =>
  render(<RouterContextProvider router={router}>{page}</RouterContextProvider>)
const queryOf = (data: DeskToday) => ({ data }) as UseQueryResult<DeskToday>

test('Today counts the claims that the signer refuses, with their worth, and leads to them', () => {
  const oldestAt = new Date(Date.now() - 3 * 3_600_000).toISOString()
  draw(
    <DeskNeeds
      query={queryOf({ ...TODAY, refused: { count: 2, worth_usdt: '57.500000', oldest_at: oldestAt } })}
    />,
  )
  const card = screen.getByRole('link', { name: /refuse/i })
  expect(card.textContent).toMatch(/^2.*57\.5/)
  expect(card.getAttribute('href')).toBe('/pages/admin/audit')
})

test('Today has no card of refusals while the signer refuses nothing', () => {
  draw(<DeskNeeds query={queryOf(TODAY)} />)
  expect(screen.queryByRole('link', { name: /refuse/i })).toBeNull()
})

test('Today names each approver in whom the signer and the roles differ', () => {
  const detail = 'not listed: 0x5e (Vera, person 3)'
  draw(<SignerAlarms today={{ ...TODAY, signer: [{ kind: 'approvers_differ', detail }] } as DeskToday} />)
  expect(screen.getByText(detail)).toBeTruthy()
  expect(screen.getByRole('link').getAttribute('href')).toBe('/pages/admin/emergency')
})
