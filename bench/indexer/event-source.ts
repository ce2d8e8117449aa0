import { rifBankAbi } from '@rif/contracts/abi'
import { type Address, concatHex, encodeAbiParameters, getAbiItem, type Hex, toEventSelector } from 'viem'
import type { Anvil } from '../../apps/server/src/local/anvil.ts'

export const EVENTS_PER_BLOCK = 20

const ORDER_PAID = toEventSelector(getAbiItem({ abi: rifBankAbi, name: 'OrderPaid' }))
const GAS = '0xf4240'

/**
 * Code that emits OrderPaid(id, caller, 1, 1) for each id from `start` on, `count` times; the calldata is the two
 * words (start, count). At the address of the bank, it fills a chain with the bank's events at a hundredth of the
 * cost of real payments. An indexer cannot distinguish them.
 */
function emitterCode(): Hex {
  return concatHex([
    '0x60015f526001602052', // memory: the amounts 1 and 1
    '0x5f35806020350190', // stack: end, id
    '0x5b', // the loop begins, at byte 17
    '0x3381', // topics: caller, id
    concatHex(['0x7f', ORDER_PAID]),
    '0x60405fa3', // log 64 bytes of memory with three topics
    '0x600101', // the next id
    '0x818110', // is it below the end?
    '0x601157', // then again
    '0x00',
  ])
}

/** Replaces the code of the bank with the emitter. */
export async function installEmitter(anvil: Anvil, bank: Address): Promise<void> {
  await anvil.rpc('anvil_setCode', [bank, emitterCode()])
}

/**
 * Mines `blocks` blocks with one transaction of EVENTS_PER_BLOCK events each. The first event has the id
 * `firstId`.
 */
export async function emitBlocks(
  anvil: Anvil,
  bank: Address,
  firstId: number,
  blocks: number,
): Promise<void> {
  const [from] = await anvil.rpc<[Address]>('eth_accounts')
  await anvil.rpc('evm_setAutomine', [false])
  for (let block = 0; block < blocks; block++) {
    const start = BigInt(firstId + block * EVENTS_PER_BLOCK)
    const data = encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'uint256' }],
      [start, BigInt(EVENTS_PER_BLOCK)],
    )
    await anvil.rpc('eth_sendTransaction', [{ from, to: bank, data, gas: GAS }])
    await anvil.rpc('evm_mine')
  }
}
