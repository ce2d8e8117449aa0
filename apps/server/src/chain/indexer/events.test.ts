import { expect, test } from 'vitest'
import { decodeArgs, type EventArgs, encodeArgs } from './events.ts'

const ADDRESS = '0x00000000000000000000000000000000000000Aa'
const WORD = `0x${'ab'.repeat(32)}` as const

test.each<{ [name in keyof EventArgs]: [name, EventArgs[name]] }[keyof EventArgs]>([
  ['OrderPaid', { orderId: 2n ** 70n, payer: ADDRESS, usdtAmount: 70n, amcAmount: 10n ** 30n }],
  [
    'SolvencyPublished',
    {
      ...{ day: 20_000, root: WORD },
      totals: [{ token: ADDRESS, liabilities: 1n, fundCash: 2n ** 100n }],
    },
  ],
])('the arguments of %s survive JSON', (name, args) => {
  expect(decodeArgs(name, JSON.parse(encodeArgs(args)))).toEqual(args)
})
