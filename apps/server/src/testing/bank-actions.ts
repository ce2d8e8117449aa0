import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import { toChainUnits } from '@rif/rules'
import { encodeFunctionData, type Hex, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { bankDomain, orderDigest } from '../chain/bank-messages.ts'
import { approveRecovery, type RecoveryPlan } from '../chain/indexer/recovery.ts'
import { payOrderTx } from '../chain/raw-tx.ts'
import { prepareRecovery } from '../cli/recover.ts'
import { inTx } from '../db/database.ts'
import { CONFIRMATIONS, type TestMember, type TestProduct } from './test-product.ts'

export const blockNumber = async ({ testChain }: TestProduct): Promise<number> =>
  Number(await testChain.rpc<string>('eth_blockNumber'))

/**
 * Pays with a quote for other terms than the order's, which requires the operator's key; `package` 0 is none that the bank
 * counts.
 */
export async function payOtherTerms(
  product: TestProduct,
  payer: TestMember,
  orderId: bigint,
  amounts: { usdt: bigint; amc: bigint; package?: bigint },
): Promise<void> {
  const { chain } = product
  const order = {
    orderId,
    payer: payer.wallet,
    package: amounts.package ?? 0n,
    limit: 200n,
    usdtAmount: amounts.usdt,
    amcAmount: amounts.amc,
    deadline: BigInt(Math.floor(product.now().getTime() / 1_000) + 600),
  }
  const stolen = privateKeyToAccount(product.testChain.keys.quoteSigner)
  const signature = await stolen.sign({
    hash: orderDigest(bankDomain(chain.chainId, chain.contracts.bank), order),
  })
  const { status } = await product.send(payer, payOrderTx(chain, chain.contracts.bank, order, signature))
  if (status !== 'success') throw new Error('the payment reverted')
}

async function send(product: TestProduct, { wallet }: TestMember, to: string, data: string): Promise<void> {
  const tx = { from: wallet, to, data, gas: '0x7a120' }
  // The node responds before it has mined the transaction.
  await product.receiptOf(await product.testChain.rpc<Hex>('eth_sendTransaction', [tx]))
}

/** Approves the bank to take an amount of USDT, in base units, from a member's wallet. */
export async function allowUsdt(product: TestProduct, member: TestMember, amount: bigint): Promise<void> {
  const { usdt, bank } = product.testChain.contracts
  // USDT refuses to change an allowance that is not zero.
  for (const value of [0n, amount]) {
    const data = encodeFunctionData({ abi: amcTokenAbi, functionName: 'approve', args: [bank, value] })
    await send(product, member, usdt, data)
  }
}

/** Deposits USDT as revenue from a member's wallet, with the text as label and document hash. */
export async function depositRevenue(
  product: TestProduct,
  member: TestMember,
  { amountMicros, text }: { amountMicros: bigint; text: string },
): Promise<void> {
  const { usdt, bank } = product.testChain.contracts
  const amount = toChainUnits(amountMicros, 6)
  await allowUsdt(product, member, amount)
  const word = stringToHex(text, { size: 32 })
  const args = [word, usdt, amount, word] as const
  await send(
    product,
    member,
    bank,
    encodeFunctionData({ abi: rifBankAbi, functionName: 'depositRevenue', args }),
  )
}

/** Replaces all blocks after `block` by empty ones, and extends the branch until it counts. */
export async function reorganiseAfter(product: TestProduct, block: number): Promise<void> {
  await product.testChain.rpc('anvil_reorg', [(await blockNumber(product)) - block, []])
  await product.testChain.mine(CONFIRMATIONS)
}

/**
 * Recovers from a reorganisation below L1 finality as two admins do. Returns the approved recovery; undefined
 * if none was needed.
 */
export async function recover(product: TestProduct): Promise<RecoveryPlan | undefined> {
  const { chain, db, services, indexer } = product
  await indexer.runOnce().catch((error: unknown) => {
    if (!/was final as/.test(String(error))) throw error
  })
  const recovery = await prepareRecovery(db, services, CONFIRMATIONS)
  if (recovery === undefined) return undefined
  await inTx(db, (dbTx) =>
    approveRecovery(dbTx, chain.chainId, {
      recoveryId: recovery.recoveryId,
      actor: 'anna',
      at: product.now(),
    }),
  )
  await indexer.runOnce()
  return recovery.plan
}
