import type { OracleRound } from '@rif/rules'
import { type Address, parseAbi } from 'viem'
import type { Chain } from './client.ts'

/** The used part of Chainlink's AggregatorV3Interface. */
const AGGREGATOR = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
])

/**
 * Returns the latest round of an oracle at the end of a final block, from a quorum of the nodes. Throws
 * NoQuorumError, and viem's error if there is no such contract.
 */
export async function readOracle(chain: Chain, address: Address, blockNumber: bigint): Promise<OracleRound> {
  const call = { address, abi: AGGREGATOR, blockNumber } as const
  const [decimals, [roundId, answer, startedAt, updatedAt, answeredInRound]] = await chain.nodes.quorumRead(
    (client) =>
      Promise.all([
        client.readContract({ ...call, functionName: 'decimals' }),
        client.readContract({ ...call, functionName: 'latestRoundData' }),
      ]),
  )
  return { decimals, roundId, answer, startedAt, updatedAt, answeredInRound }
}
