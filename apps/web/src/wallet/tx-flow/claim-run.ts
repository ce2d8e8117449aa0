import type { Withdrawal } from '@rif/api-schema'
import { parseMicros, toChainUnits } from '@rif/rules'
import type { Address, Hex } from 'viem'
import { call } from '../../lib/index.ts'
import { FlowError } from '../provider.ts'
import { type ClaimTerms, readClaimed } from './chain-reads.ts'
import { type Call, type CheckedVoucher, checkClaim, deadlineSeconds, withAllVouchers } from './decode.ts'
import { claimPreviews, type FlowKey, withBank } from './flow-state.ts'
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
 * Claims approved withdrawals, or resumes their claims: those of one bank together in one transaction. Each
 * voucher must contain its withdrawal, token and receiver, and exactly the amount on the page. Any account
 * may send it, so the connected account may differ from the receiver.
 */
export async function runClaims(key: FlowKey, withdrawals: readonly Withdrawal[], deps: FlowDeps) {
  await guardFlow(
    deps,
    async () => {
      const run = await beginRun(key, deps)
      if (run === null) return deps.dispatch({ type: 'waits' })
      await advance(run, withdrawals)
    },
    // A claim takes no tokens from the wallet.
    async () => false,
  )
}

async function advance(run: FlowRun, withdrawals: readonly Withdrawal[]) {
  for (const { chain_withdrawal_id, withdraw_id } of withdrawals) {
    if (BigInt.asUintN(64, BigInt(chain_withdrawal_id)) !== BigInt(withdraw_id))
      throw new FlowError('mismatch', 'withdrawal')
  }
  const before = await settlePending(run)
  run.dispatch({ type: 'planned', steps: ['claim'], finished: [] })
  const unpaid = await unpaidOf(run, withdrawals)
  if (unpaid.length === 0) return verify(run, withdrawals)
  if (before !== null && before.outcome !== 'mined')
    throw new FlowError(before.outcome === 'reverted' ? 'transferFailed' : 'replaced')
  const open = await openOf(run, unpaid)
  if (open.length === 0) return run.dispatch({ type: 'done' })
  if (!run.mayAsk) return run.dispatch({ type: 'waits' })

  if ((await run.client.getBalance({ address: run.account })) === 0n) throw new FlowError('notEnoughForFee')
  for (const vouchers of byBank(await Promise.all(open.map((item) => checkedClaim(run, item))))) {
    const sent = vouchers.map(({ withdrawal }) => withdrawal)
    const claim = claimCall(vouchers)
    await rehearse(run, claim)
    const previews = claimPreviews(withBank(run.config, claim.to), sent)
    const outcome = await sendCall(run, 'claim', { call: claim, previews })
    if ((await unpaidOf(run, sent)).length > 0)
      throw new FlowError(outcome === 'replaced' ? 'replaced' : 'transferFailed')
  }
  return verify(run, open)
}

/**
 * Returns the withdrawals that no bank has paid. A former bank may have paid one, whose id is the same in all
 * banks.
 */
async function unpaidOf(run: FlowRun, withdrawals: readonly Withdrawal[]): Promise<Withdrawal[]> {
  const paid = await Promise.all(
    withdrawals.map(async (withdrawal) => {
      const terms = termsOf(run, withdrawal)
      const banks = run.config.banks.map(({ address }) => readClaimed(run.client, address as Address, terms))
      return (await Promise.all(banks)).includes(true)
    }),
  )
  return withdrawals.filter((_, index) => !paid[index])
}

/**
 * Returns the withdrawals that can still be claimed according to the server. Throws `closed` when one has
 * ended otherwise.
 */
async function openOf(run: FlowRun, withdrawals: readonly Withdrawal[]): Promise<Withdrawal[]> {
  const fresh = await Promise.all(withdrawals.map((withdrawal) => readFresh(run, withdrawal)))
  if (fresh.some(({ status }) => status !== 'Withdrawable' && status !== 'Success'))
    throw new FlowError('closed')
  return withdrawals.filter((_, index) => fresh[index]?.status === 'Withdrawable')
}

const readFresh = (run: FlowRun, { withdraw_id }: Withdrawal, quiet = false) =>
  call('withdrawal', { params: { withdraw_id } }, { signal: run.signal, quiet })

/** Returns the terms on the page in the form of the bank. */
function termsOf({ config }: FlowRun, withdrawal: Withdrawal): ClaimTerms {
  const { contracts, decimals } = config
  return {
    withdrawalId: BigInt(withdrawal.chain_withdrawal_id),
    token: (withdrawal.asset === 'USDT' ? contracts.usdt : contracts.amc) as Address,
    to: withdrawal.address as Address,
    amount: toChainUnits(parseMicros(withdrawal.receives), decimals[withdrawal.asset]),
  }
}

interface CheckedClaim {
  withdrawal: Withdrawal
  voucher: CheckedVoucher
}

async function checkedClaim(run: FlowRun, withdrawal: Withdrawal): Promise<CheckedClaim> {
  const { tx, deadline, bank } = await call('claim', { params: { id: withdrawal.withdraw_id } })
  const config = withBank(run.config, bank)
  const voucher = checkClaim(tx as Hex, {
    ...termsOf(run, withdrawal),
    chainId: config.chain.id,
    bank: config.contracts.bank,
    deadline: deadlineSeconds(deadline, null),
  })
  return { withdrawal, voucher }
}

/** Groups vouchers by their bank. The banks differ only when a hand-over lies between two vouchers. */
function byBank(claims: readonly CheckedClaim[]): CheckedClaim[][] {
  const banks = new Set(claims.map(({ voucher }) => voucher.call.to))
  return [...banks].map((bank) => claims.filter(({ voucher }) => voucher.call.to === bank))
}

function claimCall(claims: readonly CheckedClaim[]): Call {
  const vouchers = claims.map(({ voucher }) => voucher)
  return vouchers.length === 1 ? vouchers[0]!.call : withAllVouchers(vouchers)
}

/** Waits until the server has recorded the bank's payments. */
async function verify(run: FlowRun, withdrawals: readonly Withdrawal[]) {
  run.dispatch({ type: 'verifying' })
  for (let poll = 0; poll < VERIFY_POLLS; poll++) {
    const fresh = await Promise.all(withdrawals.map((withdrawal) => readFresh(run, withdrawal, true)))
    if (fresh.every(({ status, tx_hash }) => status === 'Success' || tx_hash !== null))
      return run.dispatch({ type: 'done' })
    await pause(VERIFY_POLL_MS, run.signal)
  }
  throw new FlowError('checkLater')
}
