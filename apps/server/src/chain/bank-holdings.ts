import { amcTokenAbi } from '@rif/contracts/abi'
import { fromChainUnits } from '@rif/rules'
import { banksOf } from './banks.ts'
import type { Chain } from './client.ts'

/** The balance of one token in all bank contracts together: whole micro-units and the remainder below one, in base units. */
export type Holding = { readonly micros: bigint; readonly dust: bigint }

/**
 * Returns the token balances of all banks at the end of a block, from a quorum of the nodes. For an audit use
 * the block of `bookedBlock`, read in the same database snapshot as the ledger. Throws NoQuorumError or
 * viem's error if too few nodes answer or still have the state.
 */
export async function readBankHoldings(
  chain: Chain,
  blockNumber: bigint,
): Promise<{ USDT: Holding; AMC: Holding }> {
  const balanceOf = async (address: `0x${string}`): Promise<bigint> => {
    const call = { address, abi: amcTokenAbi, functionName: 'balanceOf', blockNumber } as const
    const balances = await Promise.all(
      banksOf(chain.contracts).map((bank) =>
        chain.nodes.quorumRead((client) => client.readContract({ ...call, args: [bank] })),
      ),
    )
    return balances.reduce((sum, balance) => sum + balance, 0n)
  }
  const [usdt, amc] = await Promise.all([balanceOf(chain.contracts.usdt), balanceOf(chain.contracts.amc)])
  return { USDT: fromChainUnits(usdt, chain.decimals.USDT), AMC: fromChainUnits(amc, chain.decimals.AMC) }
}
