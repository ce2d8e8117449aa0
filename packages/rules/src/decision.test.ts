import { expect, test } from 'vitest'
import { type Decision, decisionStatement, departureItem, departureSummary } from './index.ts'

const decision: Decision = {
  proposalId: '17',
  kind: 'price',
  subject: 'AMC',
  summary: 'AMC costs 0.50 USDT',
  digest: `0x${'ab'.repeat(32)}`,
  approve: true,
  reason: 'checked',
  nonce: `0x${'cd'.repeat(32)}`,
  deadline: 1_800_000_000,
}
const bank = `0x${'12'.repeat(20)}`

test('an admin signs a statement that names the decision, the proposal and the bank', () => {
  expect(decisionStatement(decision, { chainId: 42161, bank })).toEqual({
    domain: { name: 'RIFund Portfolio operations', version: '1', chainId: 42161, verifyingContract: bank },
    types: {
      Decision: [
        { name: 'statement', type: 'string' },
        { name: 'proposal', type: 'uint256' },
        { name: 'kind', type: 'string' },
        { name: 'subject', type: 'string' },
        { name: 'decision', type: 'string' },
        { name: 'reason', type: 'string' },
        { name: 'digest', type: 'bytes32' },
        { name: 'nonce', type: 'bytes32' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Decision',
    message: {
      statement: 'I approve proposal 17: AMC costs 0.50 USDT',
      proposal: 17n,
      kind: 'price',
      subject: 'AMC',
      decision: 'approve',
      reason: 'checked',
      digest: decision.digest,
      nonce: decision.nonce,
      deadline: 1_800_000_000n,
    },
  })
})

test('a departure is named by its member, amount and receiver', () => {
  const departure = { id: 7n, memberId: 12n, asset: 'USDT', amountMicros: 1_500_000n, to: bank }
  expect(departureSummary('transfer', departure)).toBe(`transfer 7 of member 12: 1.500000 USDT to ${bank}`)
  expect(departureItem(departure)).toBe(`7: 1.500000 USDT -> ${bank}`)
})

test('a refusal differs from an approval in its text', () => {
  const { message } = decisionStatement({ ...decision, approve: false }, { chainId: 1, bank })
  expect(message.statement).toBe('I refuse proposal 17: AMC costs 0.50 USDT')
  expect(message.decision).toBe('refuse')
})
