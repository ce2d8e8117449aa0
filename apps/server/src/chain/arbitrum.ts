import { defineChain } from 'viem'

/**
 * The facts common to every description of the chain: for viem, for a wallet, with the configured or the
 * public node.
 */
export const ARBITRUM_ONE = {
  name: 'Arbitrum One',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
} as const

/**
 * The chain with its public node. viem's own description comes with those of all other chains, which take
 * half a second to load.
 */
export const arbitrum = defineChain({
  ...ARBITRUM_ONE,
  id: 42_161,
  blockTime: 250,
  rpcUrls: { default: { http: ['https://arb1.arbitrum.io/rpc'] } },
})
