import type { ContractBytecode } from '@rif/contracts/bytecode'
import type { Hex } from 'viem'

/** Whether on-chain code is the compiled one; the places of immutables, filled in by the constructor, are not compared. */
export function hasExpectedCode(code: Hex, expected: ContractBytecode): boolean {
  if (code.length !== expected.deployedBytecode.length) return false
  const actual = Buffer.from(code.slice(2), 'hex')
  for (const { start, length } of expected.immutableReferences) actual.fill(0, start, start + length)
  return actual.equals(Buffer.from(expected.deployedBytecode.slice(2), 'hex'))
}
