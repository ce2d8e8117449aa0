import { rifBankAbi, testUsdtAbi } from '@rif/contracts/abi'
import { type Micros, PAYMENT_ASSETS, type PaymentAsset, parseMicros, toChainUnits } from '@rif/rules'
import { type Address, encodeFunctionData, erc20Abi, type Hex, keccak256, toHex, zeroHash } from 'viem'
import type { Services } from '../../services.ts'
import { DEPOSITS, REVENUE } from './cast.ts'
import type { DemoChain, DemoTx } from './demo-chain.ts'
import { FUND_DEPOSITS, INVESTMENTS, PROCEEDS } from './fund-products.ts'

/** The revenue payments in order, the fund's proceeds first. */
const PAID_IN: readonly { readonly asset: PaymentAsset; readonly amount: string }[] = [
  { asset: 'USDT', amount: PROCEEDS.amount },
  ...REVENUE,
]

/** The number of transactions that `payIn` sends. */
export const PAY_IN_TRANSACTIONS = PAID_IN.reduce(
  (count: number, { asset }) => count + (asset === 'USDT' ? 3 : 2),
  PAYMENT_ASSETS.length,
)

/** The reference of the fund's proceeds in their attestation. */
export const proceedsDeposit = () => depositOf(0)
/** Returns the reference of one of `REVENUE` in its attestation. */
export const revenueDeposit = (number: number) => depositOf(number + 1)

const depositOf = (index: number) => ({ depositId: BigInt(index + 1), documentHash: paperOf(index) })
const paperOf = (index: number) => keccak256(toHex(`revenue of the demonstration, ${index}`))

/**
 * Pays the tokens of test deposits and revenue into the bank, in this order, before they are booked and before any
 * purchase. Skips payments that were made. Call it when the modules have processed everything on the chain.
 */
export async function payIn(
  { chain: { untrustedClient: client, contracts, decimals } }: Services,
  chain: DemoChain,
): Promise<void> {
  const { bank } = contracts
  const from = await chain.treasury()
  const txs: DemoTx[] = []
  const send = (to: Address, data: Hex) => txs.push({ from, tx: { to, data } })
  const tokenOf = (asset: PaymentAsset) => (asset === 'USDT' ? contracts.usdt : contracts.amc)
  const paid = await client.readContract({ address: bank, abi: rifBankAbi, functionName: 'depositCount' })
  for (const asset of PAYMENT_ASSETS) {
    const token = tokenOf(asset)
    const balanceRead = { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [bank] } as const
    if (paid > 0n || (await client.readContract(balanceRead)) > 0n) continue
    send(token, give(asset, bank, toChainUnits(depositedMicros(asset), decimals[asset])))
  }
  for (const [index, { asset, amount }] of PAID_IN.entries()) {
    if (index < paid) continue
    const token = tokenOf(asset)
    const units = toChainUnits(parseMicros(amount), decimals[asset])
    if (asset === 'USDT') send(token, give(asset, from, units))
    send(token, encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [bank, units] }))
    const args = [zeroHash, token, units, paperOf(index)] as const
    send(bank, encodeFunctionData({ abi: rifBankAbi, functionName: 'depositRevenue', args }))
  }
  if (txs.length === 0) return
  await chain.mineTogether(txs)
  await chain.finalise()
}

/** All test deposits of an asset, less what the fund has invested of them. */
function depositedMicros(asset: PaymentAsset): Micros {
  const sum = (amounts: readonly { readonly amount: string }[]) =>
    amounts.reduce((total, { amount }) => total + parseMicros(amount), 0n)
  const own = sum(DEPOSITS.filter((deposit) => deposit.asset === asset))
  return asset === 'USDT' ? own + sum(FUND_DEPOSITS) - sum(INVESTMENTS) : own
}

/** Test USDT is minted; AMC comes from the treasury, which sends this payment. */
function give(asset: PaymentAsset, to: Address, units: bigint): Hex {
  const args = [to, units] as const
  return asset === 'USDT'
    ? encodeFunctionData({ abi: testUsdtAbi, functionName: 'mint', args })
    : encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
}
