import type { AppConfig } from '@rif/api-schema'
import type { TypedStatement } from '@rif/rules'
import { sessionStore } from '../lib/index.ts'
import { activeProvider } from './connection.ts'

const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/**
 * Signs a typed statement (EIP-712) with the signed-in wallet. Throws the wallet's error, and `FlowError`.
 */
export async function signTypedStatement(config: AppConfig, statement: TypedStatement): Promise<string> {
  const { domain, types, primaryType, message } = statement
  const typedData = JSON.stringify(
    { domain, primaryType, message, types: { EIP712Domain: DOMAIN, ...types } },
    (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
  )
  const provider = await activeProvider(config)
  return (await provider.request({
    method: 'eth_signTypedData_v4',
    params: [sessionStore.getState().tokenAddress, typedData],
  })) as string
}
