import type { AdminRole } from '@rif/rules'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { approverDifferences } from './approvers.ts'

const wallet = (digit: string): Hex => `0x${digit.repeat(40)}`
const [A, B, C] = [wallet('A'), wallet('b'), wallet('c')]
const admin = (address: string, personId: bigint, role: AdminRole = 'approver') => ({
  address: address.toLowerCase(),
  role,
  person: `Person ${personId}`,
  personId,
})
const listed = (address: Hex, person: string) => ({ address, person })

test('equal lists have no difference, whatever the names are and however an address is written', () => {
  const signer = [listed(A, 'Vera'), listed(B, 'Otto')]
  const roles = [admin(A, 1n, 'owner'), admin(B, 2n), admin(C, 3n, 'operator')]
  expect(approverDifferences(signer, roles)).toEqual([])
})

test('a wallet that only one side has is a difference', () => {
  expect(approverDifferences([listed(A, 'Vera')], [admin(B, 2n), admin(A, 1n, 'operator')])).toEqual([
    `not listed: ${B} (Person 2, person 2)`,
    `no role: ${A.toLowerCase()} (Vera)`,
  ])
})

test('two wallets of one person on record, whom the signer counts as two, are a difference', () => {
  const signer = [listed(A, 'Vera'), listed(B, 'Veronika')]
  expect(approverDifferences(signer, [admin(A, 1n), admin(B, 1n)])).toEqual([
    `two persons for the signer: ${A.toLowerCase()} (Person 1, person 1) and ${B} (Person 1, person 1)`,
  ])
  expect(approverDifferences([listed(A, 'Vera'), listed(B, 'Vera')], [admin(A, 1n), admin(B, 1n)])).toEqual(
    [],
  )
})

test('two persons on record, whom the signer counts as one, are a difference', () => {
  const signer = [listed(A, 'Vera'), listed(B, 'Vera')]
  expect(approverDifferences(signer, [admin(A, 1n), admin(B, 2n)])).toEqual([
    `one person for the signer: ${A.toLowerCase()} (Person 1, person 1) and ${B} (Person 2, person 2)`,
  ])
})
