import { BANK_FACTS_PATH, type BankFacts } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import { ARBITRUM_ONE } from '../chain/arbitrum.ts'
import type { ContractAddresses } from '../chain/client.ts'
import { CHAIN_ID } from '../settings.ts'

/** The settings about the chain that browsers use. */
export interface BrowserChain {
  /** The RPC address for a browser's wallet. */
  readonly browserRpcUrl: string
  readonly explorerUrl: string | null
  readonly confirmations: number
  /** Undefined if the operator configured none. */
  readonly walletConnect?: { readonly projectId: string; readonly relayUrl: string } | undefined
}

/** Returns what a browser needs to reach the bank contracts with a wallet. It needs settings only, no database and no node. */
export function bankFactsOf(
  { browserRpcUrl, explorerUrl, confirmations, walletConnect }: BrowserChain,
  { bank, formerBanks = [], transfer, usdt, amc }: ContractAddresses,
): BankFacts {
  return {
    chain: {
      id: CHAIN_ID,
      name: ARBITRUM_ONE.name,
      rpc_url: browserRpcUrl,
      explorer_url: explorerUrl,
      confirmations,
      native: ARBITRUM_ONE.nativeCurrency,
    },
    wallet_connect: walletConnect
      ? { project_id: walletConnect.projectId, relay_url: walletConnect.relayUrl }
      : null,
    contracts: { bank, transfer, usdt, amc },
    former_banks: [...formerBanks],
  }
}

/**
 * Serves these facts beside the pages, so that the page Emergency works without the database. They are no call of the API, whose limits
 * are counted in the database.
 */
export function useBankFacts(app: FastifyInstance, facts: BankFacts): void {
  app.get(BANK_FACTS_PATH, { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(facts),
  )
}
