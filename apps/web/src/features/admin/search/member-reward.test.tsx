import type { RewardDetail, NoStaticReward as Why } from '@rif/api-schema'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeAll, expect, test, vi } from 'vitest'
import { apiQuery, needAdminTexts } from '../../../lib/index.ts'
import { rewardDetail, type Story } from '../../../wallet/rewards/reward.fixture.ts'
import { MemberReward, NoStaticReward } from './member-reward.tsx'

beforeAll(() => needAdminTexts())

// The explanation links to the articles of the help.
const router = createRouter({ routeTree: createRootRoute() })

function show(children: ReactNode, reward?: RewardDetail) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  const params = { member_id: '7', reward_id: '1' }
  if (reward !== undefined) {
    client.setQueryData(apiQuery('adminMemberReward', { params }).queryKey, reward as never)
  }
  render(
    <RouterContextProvider router={router}>
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    </RouterContextProvider>,
  )
}

const showReward = (story: Partial<Story>) =>
  show(
    <MemberReward memberId="7" rewardId="1" />,
    rewardDetail({
      type: 'PairingReward',
      level: 1,
      baseMicros: 20_000_000_000n,
      belowLevel: 0,
      paidBeforeMicros: 0n,
      ownDayCapMicros: 3_000_000n,
      others: [],
      pool: { usdtMicros: 1_500_000n, amcMicros: 0n, amcPriceMicros: null },
      ...story,
    }),
  )

/** Returns the value beside a label. */
const fact = (label: string) =>
  [...document.querySelectorAll('dt')].find((term) => term.textContent === label)?.nextElementSibling
    ?.textContent

test('an operator sees base, ratio, cap, what it cut, coverage and shares of a reward, and why less was paid', async () => {
  showReward({})
  expect(
    await screen.findByText(/the operator set a cap of 3(\.00)? USDT a day for this account/),
  ).toBeTruthy()
  expect(screen.getByText(/1\.50? USDT were not paid: the Commission pool could pay 50%/)).toBeTruthy()
  const facts = [
    ['Reward base', /^20,000(\.0+)? USDT$/],
    ['Reward ratio', /%$/],
    ['Day cap that applied', /^3(\.0+)? USDT$/],
    ['Above the day cap, lost', / USDT$/],
    ['Calculated', /^3(\.0+)? USDT$/],
    ['Covered by the pool', /^50%$/],
    ['Paid in the parts', /^100% USDT, 0% AMC$/],
    ['Paid in USDT', /^1\.50* USDT$/],
  ] as const
  for (const [label, value] of facts) expect(fact(label), label).toMatch(value)
})

test('an operator reads that a package reached its limit', async () => {
  showReward({ type: 'Interest', baseMicros: 100_000_000n, paidBeforeMicros: 199_900_000n })
  expect(
    await screen.findByText(/at most 200% of a package’s price, and 0\.10? USDT of that were left/),
  ).toBeTruthy()
  expect(fact('Left under the package’s ceiling before')).toMatch(/^0\.10* USDT$/)
  expect(screen.queryByText(/were not paid/)).toBeNull()
})

test('nothing is asked that only members may read', async () => {
  const fetchSpy = vi.spyOn(globalThis, 'fetch')
  const reward = rewardDetail({
    type: 'TeamReward',
    level: 3,
    baseMicros: 500_000_000n,
    belowLevel: 1,
    paidBeforeMicros: 0n,
    ownDayCapMicros: null,
    others: [],
    pool: { usdtMicros: 10n ** 13n, amcMicros: 10n ** 13n, amcPriceMicros: 500_000n },
  })
  show(<MemberReward memberId="7" rewardId="1" />, { ...reward, source_address: `0x${'ab'.repeat(20)}` })
  await screen.findByText('Worked out again: all equal')
  expect(screen.getAllByText(/0x[aA]/).length).toBeGreaterThan(0)
  expect(fetchSpy).not.toHaveBeenCalled()
  expect(screen.queryByRole('link', { name: /paid/ })).toBeNull()
})

test('nothing explains a loss where all was paid', async () => {
  const all = { usdtMicros: 10n ** 13n, amcMicros: 0n, amcPriceMicros: null }
  showReward({ type: 'Interest', baseMicros: 100_000_000n, pool: all })
  await screen.findByText('Worked out again: all equal')
  expect(screen.queryByText('Why less was paid')).toBeNull()
})

const WHY: Why = { reason: 'no_package', first_day: null, settled_to: null, attested: true }
const DAYS = { first_day: '2026-01-02', settled_to: '2026-01-01' }

test.each<[Why, RegExp]>([
  [WHY, /paid no package.*No day has been settled\.$/],
  [
    { ...WHY, ...DAYS, reason: 'day_not_ended' },
    /counts for .*2.*, the day after the payment, and is paid when/,
  ],
  [{ ...WHY, ...DAYS, reason: 'not_settled', attested: false }, /not settled\. Settled up to .*No revenue/],
  [{ ...WHY, ...DAYS, reason: 'nothing_due' }, /the plan’s rate gave nothing\. Settled up to /],
])('an empty list of static rewards says why: %j', (why, words) => {
  show(<NoStaticReward why={why} />)
  expect(screen.getByText('No static reward yet').parentElement!.textContent).toMatch(words)
})
