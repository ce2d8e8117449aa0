import type { Locator } from '@playwright/test'
import type { Me, Withdrawal } from '@rif/api-schema'
import { parseUnits } from 'viem'
import type { Chain } from './chain.ts'
import { api, buy, expect, type Fixtures, reconnected, type Visitor } from './product.ts'

const usdt = (amount: string) => parseUnits(amount, 6)
const amc = (amount: string) => parseUnits(amount, 18)

/** Describes what the wallet of the sponsor needs for its package. */
export const SPONSOR_MONEY = { usdt: '1000', amc: '1000' }

/**
 * Goes through the main job by the screens: a signed-in sponsor buys a package, is rewarded for that of a new member below, and
 * withdraws the reward into the wallet. Prices of the demonstration: AMC 0.5 USDT. A package is paid 70% in USDT, 30% in AMC.
 * `press` presses the buttons of the withdrawal.
 */
export async function doMainJob(
  chain: Chain,
  sponsor: Visitor,
  member: Fixtures['member'],
  press: (button: Locator) => Promise<void> = (button) => button.click(),
): Promise<void> {
  await buy(sponsor.page, 'Launch 1000')
  expect(await chain.balances(sponsor.wallet.address)).toEqual({ usdt: usdt('300'), amc: amc('400') })

  const { invite_code: code } = await api<{ invite_code: string }>(sponsor.page, 'me/invite')
  const buyer = await member({ usdt: '400', amc: '500', code, side: 'left' })
  await buy(buyer.page, 'Launch 500')
  expect(await chain.balances(buyer.wallet.address)).toEqual({ usdt: usdt('50'), amc: amc('200') })
  // AMC are allowed by a signature (EIP-2612), so that only USDT need a transaction of approval.
  expect(buyer.wallet.calls('eth_signTypedData_v4')).toHaveLength(1)
  expect(buyer.wallet.sent.map(({ to }) => to.toLowerCase())).toEqual(
    [chain.contracts.usdt, chain.contracts.bank].map((to) => to.toLowerCase()),
  )

  // Level 3: 8% referral and 6% organisation of 500 are 70 USDT worth, paid 49 in USDT and 21 worth of AMC, locked.
  const me = await api<Me>(sponsor.page, 'me')
  expect(me.balances).toMatchObject({
    USDT: { available: '49.000000', locked: '0.000000' },
    AMC: { available: '0.000000', locked: '42.000000' },
  })
  expect(me).toMatchObject({
    level: 3,
    tjjl: '40.000000',
    pdjl: '30.000000',
    left_team_investment: '500.000000',
  })

  await sponsor.page.goto('/pages/rewardList/index?show=rewards')
  await expect(sponsor.page.getByText('Referral reward').first()).toBeVisible()

  await sponsor.page.goto('/pages/withdrawal/index')
  await reconnected(sponsor.page)
  // Typed key by key: a filled-in value does not reach React in Firefox by WebDriver BiDi.
  await sponsor.page.getByLabel('Amount', { exact: true }).pressSequentially('20.5')
  const withdraw = { name: 'Withdraw 20.50 USDT' }
  await press(sponsor.page.getByRole('button', withdraw))
  await press(sponsor.page.getByRole('dialog').getByRole('button', withdraw))
  await expect(sponsor.page).toHaveURL(/withdrawalSunccess/)
  await press(sponsor.page.getByRole('button', { name: 'Claim 19.50 USDT' }))
  await expect(sponsor.page.getByRole('status').getByText('Done')).toBeVisible()

  // A fee of one USDT stays behind.
  expect((await chain.balances(sponsor.wallet.address)).usdt).toBe(usdt('319.5'))
  const { items } = await api<{ items: Withdrawal[] }>(sponsor.page, 'withdraws')
  expect(items).toMatchObject([
    { status: 'Success', amount: '20.500000', fee: '1.000000', receives: '19.500000' },
  ])
  const after = await api<Me>(sponsor.page, 'me')
  expect(after.balances.USDT).toMatchObject({ available: '28.500000', withdrawing: '0.000000' })
}
