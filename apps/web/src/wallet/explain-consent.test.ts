import { expect, test } from 'vitest'
import { modalStore } from '../lib/overlays.ts'
import { explainConsent, textOf } from './explain-consent.ts'

const STANDING = { kind: 'standing_savings', asset: 'USDT', amount: '50.000000' } as const

test.each([
  [
    { kind: 'conversion', pays: '12.500000', from: 'AMC', receives: '2.500000', to: 'RIF' },
    'You give 12.50 AMC and get 2.50 RIF. This is final.',
  ],
  [
    {
      kind: 'fund_purchase',
      productId: '3',
      product: 'Growth',
      units: '4',
      total: '404.000000',
      fee: '4.000000',
    },
    'You give 404.00 USDT, of which 4.00 USDT are the fee, and get 4 units of Growth.',
  ],
  [{ ...STANDING, every: 'week', onDay: 5 }, /^You move 50\.00 USDT every Friday from your balance/],
  [{ ...STANDING, every: 'month', onDay: 28 }, /^You move 50\.00 USDT on day 28 of each month/],
  [{ kind: 'savings_in', asset: 'AMC', amount: '7.000000' }, /^You give 7\.00 AMC from your balance/],
  [
    { kind: 'vc_subscription', launchId: '2', launch: 'Moon', amount: '9.000000' },
    /^You give 9\.00 VC and get units of Moon/,
  ],
] as const)('says what is given and got: %o', (wish, text) => {
  if (typeof text === 'string') expect(textOf(wish)).toBe(text)
  else expect(textOf(wish)).toMatch(text)
})

test('asks before the wallet does, and stops when the member declines', async () => {
  const wish = { kind: 'conversion', pays: '1', from: 'AMC', receives: '2', to: 'RIF' } as const
  const declined = explainConsent(wish)
  const [open] = modalStore.getState()
  expect(open?.content).toContain('You give 1.00 AMC and get 2.00 RIF.')
  open?.answer(false)
  await expect(declined).rejects.toMatchObject({ problem: 'rejected' })
  const agreed = explainConsent(wish)
  modalStore.getState()[0]?.answer(true)
  await agreed
  // A transfer has a sheet of its own.
  await explainConsent({ kind: 'transfer', asset: 'USDT', amount: '1', to: '0x' })
  expect(modalStore.getState()).toEqual([])
})
