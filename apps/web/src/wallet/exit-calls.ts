import type { AppConfig, ExitCall, TreasuryExit } from '@rif/api-schema'
import { rifBankAbi } from '@rif/contracts/abi'
import { parseMicros, toChainUnits } from '@rif/rules'
import type { Address, Hex } from 'viem'
import { call } from '../lib/index.ts'
import { sendAdminCall } from './admin-calls.ts'
import { sameAddress } from './provider.ts'
import { type Call, need, readCall } from './tx-flow/decode.ts'
import { withBank } from './tx-flow/flow-state.ts'

/** An exit in the form of the bank contract; the amount in base units of the token. */
interface ChainExit {
  exitId: bigint
  kind: number
  productId: bigint
  token: Address
  to: Address
  amount: bigint
}

const KINDS = { treasury_payout: 0, fund_invest: 1 } as const

/**
 * Checks the raw transaction of a step of an exit: it must be exactly this call of a known bank, with the
 * terms on the page. Returns the call for the wallet. Throws `FlowError('mismatch')` with the difference.
 */
export function checkExitTx(config: AppConfig, exit: TreasuryExit, step: ExitCall, rawTx: Hex): Call {
  const { contracts, chain, decimals } = withBank(config, exit.bank)
  const target = { chainId: chain.id, to: contracts.bank }
  const { call: checked, args } = readCall(rawTx, target, rifBankAbi, `${step}Exit`)
  if (step === 'cancel') {
    need(`${args[0]}` === exit.onchain_id, 'exit')
    return checked
  }
  const terms = args[0] as ChainExit
  need(`${terms.exitId}` === exit.onchain_id, 'exit')
  need(terms.kind === KINDS[exit.kind], 'kind')
  need(`${terms.productId}` === (exit.product_id ?? '0'), 'product')
  need(sameAddress(terms.token, exit.asset === 'USDT' ? contracts.usdt : contracts.amc), 'token')
  need(sameAddress(terms.to, exit.destination), 'destination')
  need(terms.amount === toChainUnits(parseMicros(exit.amount), decimals[exit.asset]), 'amount')
  return checked
}

/**
 * Fetches the transaction of a step of an exit and checks it. Throws like `checkExitTx` and the API client.
 */
export async function prepareExitStep(config: AppConfig, exit: TreasuryExit, step: ExitCall): Promise<Call> {
  const tx = await call('exitTx', { params: { exit_id: exit.exit_id, call: step } })
  return checkExitTx(config, exit, step, tx.raw_tx as Hex)
}

/** Fetches, checks and sends a step of an exit with the wallet. Returns and throws like `sendCall`. */
export async function sendExitStep(config: AppConfig, exit: TreasuryExit, step: ExitCall): Promise<boolean> {
  return sendAdminCall(config, await prepareExitStep(config, exit, step))
}
