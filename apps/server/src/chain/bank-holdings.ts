import { amcTokenAbi } from '@rif/contracts/abi'
import { fromChainUnits } from '@rif/rules'
import type { Chain } from './client.ts'

/** The bank contract's balance of one token: whole micro-units and the remainder below one, in base units. */
export type Holding = { readonly micros: bigint; readonly dust: bigint }

/**
 * The bank's token balances at the end of a block, as a quorum of the nodes gives them. For an audit take the block of `appliedPosition`, read in the
 * same database snapshot as the ledger. Throws NoQuorumError or viem's error when
 * too few nodes answer or still have the state.
 */
export async function readBankHoldings(
  chain: Chain,
  blockNumber: bigint,
): Promise<{ USDT: Holding; AMC: Holding }> {
  const balanceOf = (address: `0x${string}`): Promise<bigint> =>
    chain.nodes.quorumRead((client) =>
      client.readContract({
        address,
        abi: amcTokenAbi,
        functionName: 'balanceOf',
        args: [chain.contracts.bank],
        blockNumber,
      }),
    )
  const [usdt, amc] = await Promise.all([balanceOf(chain.contracts.usdt), balanceOf(chain.contracts.amc)])
  return { USDT: fromChainUnits(usdt, chain.decimals.USDT), AMC: fromChainUnits(amc, chain.decimals.AMC) }
}
