import type { Withdrawal } from '@rif/api-schema'
import { parseMicros, toChainUnits } from '@rif/rules'
import type { Address, Hex } from 'viem'
import { call } from '../../lib/index.ts'
import { FlowError } from '../provider.ts'
import { type ClaimTerms, readClaimed } from './chain-reads.ts'
import { checkClaim, deadlineSeconds } from './decode.ts'
import { claimPreview, withBank } from './flow-state.ts'
import { pause } from './follow.ts'
import {
  beginRun,
  type FlowDeps,
  type FlowRun,
  guardFlow,
  rehearse,
  sendCall,
  settlePending,
} from './send.ts'

const VERIFY_POLL_MS = 1000
const VERIFY_POLLS = 30

/**
 * Claims an approved withdrawal, or goes on with it. The voucher must name this withdrawal, its token, its receiver and
 * exactly the amount that was shown; anybody may send it, so the connected account may be another than the receiver.
 */
export async function runClaim(withdrawal: Withdrawal, deps: FlowDeps) {
  await guardFlow(
    deps,
    async () => {
      const run = await beginRun(`withdrawal:${withdrawal.withdraw_id}`, deps)
      if (run === null) return deps.dispatch({ type: 'waits' })
      await advance(run, withdrawal)
    },
    // A claim takes nothing from the wallet's tokens.
    async () => false,
  )
}

async function advance(run: FlowRun, withdrawal: Withdrawal) {
  const withdrawalId = BigInt(withdrawal.chain_withdrawal_id)
  if (BigInt.asUintN(64, withdrawalId) !== BigInt(withdrawal.withdraw_id))
    throw new FlowError('mismatch', 'withdrawal')
  const terms = termsOf(run, withdrawal)
  // A former bank may have paid it: the withdrawal's id is the same on all.
  const isClaimed = async () => {
    const banks = run.config.banks.map(({ address }) => readClaimed(run.client, address as Address, terms))
    return (await Promise.all(banks)).includes(true)
  }

  const before = await settlePending(run)
  run.dispatch({ type: 'planned', steps: ['claim'], finished: [] })
  if (await isClaimed()) return verify(run, withdrawal)
  if (before !== null && before.outcome !== 'mined')
    throw new FlowError(before.outcome === 'reverted' ? 'transferFailed' : 'replaced')
  const fresh = await call(
    'withdrawal',
    { params: { withdraw_id: withdrawal.withdraw_id } },
    { signal: run.signal },
  )
  if (fresh.status === 'Success') return run.dispatch({ type: 'done' })
  if (fresh.status !== 'Withdrawable') throw new FlowError('closed')
  if (!run.mayAsk) return run.dispatch({ type: 'waits' })

  if ((await run.client.getBalance({ address: run.account })) === 0n) throw new FlowError('notEnoughForFee')
  const { claim, config } = await checkedClaim(run, withdrawal, terms)
  await rehearse(run, claim)
  const preview = claimPreview(config, withdrawal.address, {
    amount: withdrawal.receives,
    unit: withdrawal.asset,
  })
  const outcome = await sendCall(run, 'claim', { call: claim, preview })
  if (await isClaimed()) return verify(run, withdrawal)
  throw new FlowError(outcome === 'replaced' ? 'replaced' : 'transferFailed')
}

/** The terms that the member was shown, as the bank knows them. */
function termsOf({ config }: FlowRun, withdrawal: Withdrawal): ClaimTerms {
  const { contracts, decimals } = config
  return {
    withdrawalId: BigInt(withdrawal.chain_withdrawal_id),
    token: (withdrawal.asset === 'USDT' ? contracts.usdt : contracts.amc) as Address,
    to: withdrawal.address as Address,
    amount: toChainUnits(parseMicros(withdrawal.receives), decimals[withdrawal.asset]),
  }
}

async function checkedClaim(run: FlowRun, withdrawal: Withdrawal, terms: ClaimTerms) {
  const { tx, deadline, bank } = await call('claim', { params: { id: withdrawal.withdraw_id } })
  const config = withBank(run.config, bank)
  const expected = {
    ...terms,
    chainId: config.chain.id,
    bank: config.contracts.bank,
    deadline: deadlineSeconds(deadline, null),
  }
  return { claim: checkClaim(tx as Hex, expected), config }
}

/** The bank has paid; waits until the server has seen it too. */
async function verify(run: FlowRun, withdrawal: Withdrawal) {
  run.dispatch({ type: 'verifying' })
  for (let poll = 0; poll < VERIFY_POLLS; poll++) {
    const params = { withdraw_id: withdrawal.withdraw_id }
    const fresh = await call('withdrawal', { params }, { signal: run.signal, quiet: true })
    if (fresh.status === 'Success' || fresh.tx_hash !== null) return run.dispatch({ type: 'done' })
    await pause(VERIFY_POLL_MS, run.signal)
  }
  throw new FlowError('checkLater')
}
