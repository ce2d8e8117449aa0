import { rifBankAbi } from '@rif/contracts/abi'
import {
  type AbiEvent,
  decodeEventLog,
  encodeAbiParameters,
  encodeEventTopics,
  getAbiItem,
  type Hex,
} from 'viem'
import { expect, test } from 'vitest'
import { decodeArgs, decodeLog, type EventArgs, encodeArgs } from './events.ts'

const ADDRESS = '0x00000000000000000000000000000000000000AA'
const WORD = `0x${'ab'.repeat(32)}` as const

test.each<{ [name in keyof EventArgs]: [name, EventArgs[name]] }[keyof EventArgs]>([
  ['OrderPaid', { orderId: 2n ** 70n, payer: ADDRESS, usdtAmount: 70n, amcAmount: 10n ** 30n }],
  [
    'SolvencyPublished',
    {
      day: 20_000,
      root: WORD,
      heads: { ledger: WORD, operators: WORD },
      totals: [{ token: ADDRESS, liabilities: 1n, fundCash: 2n ** 100n }],
    },
  ],
])('the arguments of %s survive JSON', (name, args) => {
  expect(decodeArgs(name, JSON.parse(encodeArgs(args)))).toEqual(args)
})

test.each(['OrderPaid', 'SolvencyPublished', 'OrdersPauseChanged', 'RevenueDeposited'] as const)(
  "a log of %s is decoded as viem's decoder does, and refused with a topic less",
  (name) => {
    const item = getAbiItem({ abi: rifBankAbi, name } as never) as AbiEvent
    const examples: Record<string, unknown> = {
      uint256: 2n ** 70n,
      uint32: 20_000,
      address: ADDRESS,
      bytes32: WORD,
      bool: true,
      tuple: { ledger: WORD, operators: WORD },
      'tuple[]': [{ token: ADDRESS, liabilities: 1n, fundCash: 2n ** 100n }],
    }
    const args = Object.fromEntries(item.inputs.map((input) => [input.name!, examples[input.type]]))
    const topics = encodeEventTopics({ abi: [item], args } as never) as [Hex, ...Hex[]]
    const others = item.inputs.filter(({ indexed }) => !indexed)
    const data = encodeAbiParameters(
      others,
      others.map((input) => args[input.name!]),
    )
    const { args: expected } = decodeEventLog({ abi: [item], topics, data })
    expect(decodeLog({ topics, data })).toEqual({ name, args: expected })
    expect(() => decodeLog({ topics: topics.slice(0, -1), data })).toThrow(/topics|unknown event/)
  },
)
