import type { ContractBytecode } from '@rif/contracts/bytecode'
import type { Hex } from 'viem'

/** Reports whether on-chain code equals the compiled code, ignoring the immutables that the constructor fills in. */
export function hasExpectedCode(code: Hex, expected: ContractBytecode): boolean {
  if (code.length !== expected.deployedBytecode.length) return false
  const actual = Buffer.from(code.slice(2), 'hex')
  for (const { start, length } of expected.immutableReferences) actual.fill(0, start, start + length)
  return actual.equals(Buffer.from(expected.deployedBytecode.slice(2), 'hex'))
}
