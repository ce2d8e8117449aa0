import { amcTokenAbi, rifBankAbi, rifTransferAbi } from '@rif/contracts/abi'
import { type Abi, type AbiParameter, decodeFunctionData, type Hex } from 'viem'

/** A labelled value of something to be signed. */
export interface Line {
  label: string
  value: string
}

const ABIS = [amcTokenAbi, rifBankAbi, rifTransferAbi] as const satisfies readonly Abi[]

/** What a call does, argument by argument; the bare calldata when no contract of the product knows it. */
export function describeCall(data: Hex): { name: string; lines: Line[] } {
  for (const abi of ABIS as readonly Abi[]) {
    try {
      const { functionName, args = [] } = decodeFunctionData({ abi, data })
      const entry = abi.find((item) => item.type === 'function' && item.name === functionName)
      const inputs = entry?.type === 'function' ? entry.inputs : []
      return {
        name: functionName,
        lines: inputs.flatMap((input, index) => argumentLines(input, args[index], '')),
      }
    } catch {
      // Not a function of this contract.
    }
  }
  return { name: data.slice(0, 10), lines: [{ label: 'data', value: data }] }
}

function argumentLines(input: AbiParameter, value: unknown, path: string): Line[] {
  const label = path + (input.name ?? '')
  if ('components' in input && input.type === 'tuple') {
    const fields = value as Record<string, unknown>
    return input.components.flatMap((field) => argumentLines(field, fields[field.name ?? ''], `${label}.`))
  }
  return [{ label, value: String(value) }]
}

/** The fields of EIP-712 typed data, as the wallet was handed them. */
export function describeTypedData(json: string): { name: string; lines: Line[] } {
  const { primaryType, domain, message } = JSON.parse(json) as {
    primaryType: string
    domain: Record<string, unknown>
    message: Record<string, unknown>
  }
  const lines = (from: Record<string, unknown>) =>
    Object.entries(from).map(([label, value]) => ({ label, value: String(value) }))
  return { name: primaryType, lines: [...lines(domain), ...lines(message)] }
}
