import { expect, test } from 'vitest'
import { type MemberWish, memberStatement, withdrawalWish } from './index.ts'

const once = {
  wallet: `0x${'11'.repeat(20)}`,
  nonce: `0x${'cd'.repeat(32)}`,
  deadline: 1_800_000_000,
}
const bank = `0x${'12'.repeat(20)}`
const to = `0x${'ab'.repeat(20)}`
const statementOf = (wish: MemberWish) => memberStatement(wish, once, { chainId: 42161, bank })

test('a member signs amount, fee and receiver of a withdrawal as texts', () => {
  const wish = { kind: 'withdrawal', asset: 'USDT', amount: '50', fee: '1', arrives: '49', to } as const
  expect(statementOf(wish)).toEqual({
    domain: { name: 'RIFund Portfolio', version: '1', chainId: 42161, verifyingContract: bank },
    types: {
      Withdrawal: [
        { name: 'statement', type: 'string' },
        { name: 'amount', type: 'string' },
        { name: 'fee', type: 'string' },
        { name: 'arrives', type: 'string' },
        { name: 'to', type: 'address' },
        { name: 'wallet', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Withdrawal',
    message: {
      statement: `I withdraw 50 USDT to ${to}; 49 USDT arrive after the fee`,
      amount: '50 USDT',
      fee: '1 USDT',
      arrives: '49 USDT',
      to,
      ...once,
      deadline: 1_800_000_000n,
    },
  })
})

test('the statement of a withdrawal contains the amount after the fee', () => {
  const wish = withdrawalWish({ asset: 'USDT', amountMicros: 50_000_000n }, { feeMicros: 1_000_000n, to })
  expect(wish).toEqual({
    kind: 'withdrawal',
    asset: 'USDT',
    to,
    amount: '50.000000',
    fee: '1.000000',
    arrives: '49.000000',
  })
})

test.each<[MemberWish, string, string, Record<string, string>]>([
  [
    { kind: 'transfer', asset: 'AMC', amount: '2', to },
    'Transfer',
    `I send 2 AMC to the member ${to}`,
    { amount: '2 AMC', fee: 'none', to },
  ],
  [
    { kind: 'save_address', address: to, label: 'Bob' },
    'SaveAddress',
    `I save the address ${to} as "Bob"`,
    { address: to, label: 'Bob' },
  ],
  [
    { kind: 'remove_address', address: to },
    'RemoveAddress',
    `I remove the saved address ${to}`,
    { address: to },
  ],
  [
    { kind: 'saved_only', on: true },
    'SavedAddressesOnly',
    'I switch "saved addresses only" on',
    { setting: 'on' },
  ],
  [
    { kind: 'saved_only', on: false },
    'SavedAddressesOnly',
    'I switch "saved addresses only" off',
    { setting: 'off' },
  ],
  [
    { kind: 'conversion', pays: '10', from: 'AMC', receives: '5', to: 'RIF' },
    'Exchange',
    'I exchange 10 AMC for 5 RIF; this is final',
    { gives: '10 AMC', gets: '5 RIF' },
  ],
  [
    { kind: 'fund_purchase', productId: '3', product: 'Growth', units: '4', total: '404', fee: '4' },
    'FundPurchase',
    'I buy 4 units of the fund product 3 "Growth" for 404 USDT, of which 4 USDT are the fee',
    { gives: '404 USDT', fee: '4 USDT', gets: '4 units of the fund product 3 "Growth"' },
  ],
  [
    { kind: 'savings_in', asset: 'AMC', amount: '7' },
    'SavingsTransfer',
    'I move 7 AMC from my balance into savings',
    { gives: '7 AMC', gets: '7 AMC in savings' },
  ],
  ...(
    [
      ['day', 1, 'every day'],
      ['week', 7, 'every Sunday'],
      ['month', 28, 'every month on day 28'],
    ] as const
  ).map(([every, onDay, rhythm]): [MemberWish, string, string, Record<string, string>] => [
    { kind: 'standing_savings', asset: 'USDT', amount: '50', every, onDay },
    'StandingTransfer',
    `I move 50 USDT ${rhythm} from my balance into savings, until I end it`,
    { gives: `50 USDT ${rhythm}`, gets: 'the same amount in savings' },
  ]),
  [
    { kind: 'vc_subscription', launchId: '2', launch: 'Moon', amount: '9' },
    'LaunchSubscription',
    'I put 9 VC into the launch 2 "Moon"',
    { gives: '9 VC', gets: 'units of the launch 2 "Moon", and the VC that it does not use' },
  ],
  [
    { kind: 'erase_data' },
    'EraseData',
    'I request the erasure of my personal data',
    { keeps: 'what the books need' },
  ],
])('every wish has its own type, sentence and fields: %o', (wish, type, sentence, fields) => {
  const { primaryType, types, message } = statementOf(wish)
  expect([primaryType, message.statement]).toEqual([type, sentence])
  expect(message).toMatchObject(fields)
  expect(types[type]!.map(({ name }) => name)).toEqual(Object.keys(message))
  for (const { name, type: written } of types[type]!)
    if (name in fields) expect(written).toBe(name === 'to' || name === 'address' ? 'address' : 'string')
})
