import { createTestClient, getContractAddress, type Hex, http, numberToHex, parseEther } from 'viem'

/** Deploys the oracle and nothing else, so that the product can name its address before it exists. */
const OWNER = '0x00000000000000000000000000000000000A11cE'
export const ORACLE = getContractAddress({ from: OWNER, nonce: 0n })
/** The oracle in the setting PRICES of the product. */
export const PRICE_ORACLE = { asset: 'AMC', address: ORACLE, max_age_seconds: 3_600 }

/** Deploys the oracle of AMC with 8 decimals on the local chain. */
export async function deployOracle(rpcUrl: string) {
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  await client.impersonateAccount({ address: OWNER })
  await client.setBalance({ address: OWNER, value: parseEther('1') })
  // A second try of the test begins anew.
  await client.setCode({ address: ORACLE, bytecode: '0x' })
  await client.request({
    method: 'anvil_setNonce' as never,
    params: [OWNER, numberToHex(0)] as [Hex, Hex] as never,
  })
  // Loaded here: it brings a compiler, and the configuration of the tests imports this file.
  const { deployPriceOracle } = await import('../../apps/server/src/testing/fixtures/price-oracle.ts')
  return deployPriceOracle(rpcUrl, OWNER, 8)
}
