import { zeroHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { checkSend, isDeadEnd, sendCallOf, type WalletSendDraft } from './send-plan.ts'

const address = (digit: string) => `0x${digit.repeat(40)}` as const
const facts = {
  contracts: { bank: address('1'), transfer: address('2'), usdt: address('3'), amc: address('4') },
  banks: [
    { address: address('5'), state: 'handed_over' as const },
    { address: address('1'), state: 'taking_orders' as const },
  ].map((item) => ({ ...item, successor: null, hand_over_from: null, handed_over_at: null })),
  decimals: { USDT: 6, AMC: 18 },
}
const draft: WalletSendDraft = { asset: 'USDT', amount: '1.500000', to: address('9'), byContract: false }
const DRAFTS: WalletSendDraft[] = [
  draft,
  { ...draft, asset: 'AMC' },
  { ...draft, asset: 'ETH' },
  { ...draft, byContract: true },
  { ...draft, asset: 'AMC', byContract: true },
]

describe('a send', () => {
  it.each(DRAFTS)('is built and decoded again: %o', (variant) => {
    expect(() => checkSend(facts, variant, sendCallOf(facts, variant, zeroHash))).not.toThrow()
  })

  it.each(DRAFTS)('that differs from the confirmed one never reaches the wallet: %o', (variant) => {
    const others: WalletSendDraft[] = [
      { ...variant, amount: '1.500001' },
      { ...variant, to: address('8') },
      { ...variant, asset: variant.asset === 'AMC' ? 'USDT' : 'AMC' },
    ]
    for (const other of others) {
      expect(() => checkSend(facts, variant, sendCallOf(facts, other, zeroHash))).toThrow()
    }
    expect(() => checkSend(facts, variant, { ...sendCallOf(facts, variant, zeroHash), value: 7n })).toThrow()
  })

  it('is possible neither to the product’s contracts, former banks included, nor to the zero address', () => {
    for (const to of [...Object.values(facts.contracts), address('5'), address('0')]) {
      expect(isDeadEnd(facts, to)).toBe(true)
      expect(() => sendCallOf(facts, { ...draft, to }, zeroHash)).toThrow('receiver')
    }
    expect(isDeadEnd(facts, draft.to)).toBe(false)
  })
})
