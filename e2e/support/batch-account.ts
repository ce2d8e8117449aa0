import { type Hex, type PublicClient, parseAbi } from 'viem'

export const batchAccountAbi = parseAbi([
  'struct Call { address to; bytes data; }',
  'function execute(Call[] calls)',
])

const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract BatchAccount {
  struct Call { address to; bytes data; }
  function execute(Call[] calldata calls) external {
    require(msg.sender == address(this), "only the account itself");
    for (uint256 i; i < calls.length; i++) {
      (bool ok, bytes memory reason) = calls[i].to.call(calls[i].data);
      if (!ok) assembly { revert(add(reason, 32), mload(reason)) }
    }
  }
}`

/** Compiles and deploys the code that an account with batches delegates to; the smallest one that is atomic. */
export async function deployBatchAccount(
  rpc: (method: string, params?: unknown[]) => Promise<unknown>,
  client: Pick<PublicClient, 'waitForTransactionReceipt'>,
): Promise<Hex> {
  // Eight megabytes of compiler, for the one test that needs it.
  const { default: solc } = await import('solc')
  const output = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { 'BatchAccount.sol': { content: source } },
        settings: { outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
      }),
    ),
  )
  const bytecode = output.contracts['BatchAccount.sol'].BatchAccount.evm.bytecode.object as string
  const [from] = (await rpc('eth_accounts')) as Hex[]
  const hash = (await rpc('eth_sendTransaction', [{ from, data: `0x${bytecode}` }])) as Hex
  const { contractAddress } = await client.waitForTransactionReceipt({ hash, checkReplacement: false })
  if (!contractAddress) throw new Error('the batch account was not deployed')
  return contractAddress
}
