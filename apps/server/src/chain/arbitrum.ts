import { defineChain } from 'viem'

/** Arbitrum One, as viem describes it. Its own description comes with those of all other chains, which take half a second to load. */
export const arbitrum = defineChain({
  id: 42_161,
  name: 'Arbitrum One',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  blockTime: 250,
  rpcUrls: { default: { http: ['https://arb1.arbitrum.io/rpc'] } },
})
