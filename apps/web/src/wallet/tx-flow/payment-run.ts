import { parseMicros, toChainUnits } from '@rif/rules'
import type { Address, Hex } from 'viem'
import { FlowError, sameAddress, walletProblem, wrongAccount } from '../provider.ts'
import {
  findPayment,
  readCopiesPaid,
  readMethod,
  readOrderPaid,
  readTokenFacts,
  signPermit,
} from './chain-reads.ts'
import {
  type CheckedPayment,
  checkApproval,
  checkPayment,
  deadlineSeconds,
  type PermitSignature,
  withPermit,
} from './decode.ts'
import { approvalPreview, paymentPreview, type StepId, withBank, writePending } from './flow-state.ts'
import { pause, type TxOutcome } from './follow.ts'
import {
  type Method,
  nextPaymentAction,
  type Payable,
  type PaymentFacts,
  planPayment,
} from './payment-plan.ts'
import {
  beginRun,
  type FlowDeps,
  type FlowRun,
  guardFlow,
  isBatchUnsupported,
  type PreparedCall,
  rehearse,
  sendBatch,
  sendCall,
  settle,
  settlePending,
  showPreviews,
} from './send.ts'

/** The pause after each approval. Specification section 9. */
const PAUSE_MS = 1000
const VERIFY_POLL_MS = 1000
const VERIFY_POLLS = 30

/** Results that one run reuses. */
interface Memory {
  method: Method | null
  permit: PermitSignature | null
  /** True once the payment was simulated, before the first request to the wallet. */
  isSimulated: boolean
}

interface Payment extends FlowRun {
  payable: Payable
  bank: Address
  usdtAmount: bigint
  amcAmount: bigint
  memory: Memory
}

/**
 * Pays an order of the shop or the fund, or resumes its payment: reads order and chain, performs the next
 * action, and repeats, until the server has recorded the payment. Amounts, payer and deadline are those of
 * `payable`, which the member saw.
 */
export async function runPayment(payable: Payable, deps: FlowDeps) {
  let payment: Payment | null = null
  await guardFlow(
    deps,
    async () => {
      const run = await beginRun(payable.key, deps)
      if (run === null) return deps.dispatch({ type: 'waits' })
      if (!sameAddress(run.account, payable.payer)) throw wrongAccount(payable.payer, run.account)
      payment = paymentOf(run, payable)
      await advance(payment)
    },
    async () => {
      if (payment === null) return false
      const { usdt, amc } = await readFacts(payment)
      return usdt.balance < usdt.needed || amc.balance < amc.needed
    },
  )
}

const ORDER_ID_BITS = 64

function paymentOf(run: FlowRun, payable: Payable): Payment {
  const { decimals } = run.config
  if (BigInt.asUintN(ORDER_ID_BITS, payable.chainOrderId) !== payable.localId)
    throw new FlowError('mismatch', 'order')
  return {
    ...run,
    payable,
    config: withBank(run.config, payable.bank),
    bank: payable.bank as Address,
    usdtAmount: toChainUnits(parseMicros(payable.usdt), decimals.USDT),
    amcAmount: toChainUnits(parseMicros(payable.amc), decimals.AMC),
    memory: { method: null, permit: null, isSimulated: false },
  }
}

async function advance(payment: Payment) {
  const before = await settlePending(payment)
  if (before !== null && before.outcome === 'reverted') throw new FlowError('transferFailed')
  let wasReplaced = before?.outcome === 'replaced'
  for (;;) {
    const facts = await readFacts(payment)
    payment.dispatch({ type: 'planned', ...planPayment(facts) })
    const action = nextPaymentAction(facts)
    if (action.do === 'stop') throw new FlowError(action.problem, action.asset)
    if (action.do === 'finish') return payment.dispatch({ type: 'done' })
    if (action.do === 'verify') return verify(payment)
    if (wasReplaced) throw new FlowError('replaced')
    if (!payment.mayAsk) return payment.dispatch({ type: 'waits' })
    if (!payment.memory.isSimulated) await simulate(payment)
    const outcome = await perform(payment, action.do)
    if (outcome === 'reverted') {
      await requireCopy(payment)
      throw new FlowError('transferFailed')
    }
    wasReplaced = outcome === 'replaced'
    if (outcome === 'mined') await stepDone(payment, action.do)
  }
}

async function stepDone(payment: Payment, step: StepId) {
  payment.dispatch({ type: 'finished', step })
  if (step === 'approveAmc' || step === 'approveUsdt') await pause(PAUSE_MS, payment.signal)
}

async function readFacts(payment: Payment): Promise<PaymentFacts> {
  const { client, config, account, bank, payable, memory } = payment
  const [status, usdt, amc, paidOnChain, nativeBalance, method] = await Promise.all([
    payable.status({ signal: payment.signal }),
    readTokenFacts(client, config.contracts.usdt as Address, account, bank, payment.usdtAmount),
    readTokenFacts(client, config.contracts.amc as Address, account, bank, payment.amcAmount),
    readOrderPaid(client, bank, payable.chainOrderId, account),
    client.getBalance({ address: account }),
    memory.method ?? readMethod(client, account),
  ])
  memory.method = method
  const expired = Date.parse(payable.expiresAt) <= Date.now()
  return {
    status,
    expired,
    paidOnChain,
    usdt,
    amc,
    method,
    hasPermit: memory.permit !== null,
    nativeBalance,
  }
}

/** `done`: nothing was sent, because the facts have changed. */
async function perform(payment: Payment, step: StepId): Promise<TxOutcome | 'done'> {
  switch (step) {
    case 'approveAmc':
      return sendAll(payment, step, await approvalCalls(payment, 'amc'))
    case 'approveUsdt':
      return sendAll(payment, step, await approvalCalls(payment, 'usdt'))
    case 'permitAmc':
      return permit(payment)
    case 'batch':
      return batch(payment)
    default:
      return pay(payment)
  }
}

async function sendAll(payment: Payment, step: StepId, calls: readonly PreparedCall[]): Promise<TxOutcome> {
  for (const call of calls) {
    const outcome = await sendCall(payment, step, call)
    if (outcome !== 'mined') return outcome
  }
  return 'mined'
}

/**
 * Returns the approvals that one token requires according to the server, each checked: first the resets to
 * zero, then the exact amount.
 */
async function approvalCalls(payment: Payment, token: 'usdt' | 'amc'): Promise<PreparedCall[]> {
  const { payable, config, bank } = payment
  const { tx, before } = await payable.approval(token)
  const expected = { chainId: config.chain.id, token: config.contracts[token], spender: bank }
  const amount = token === 'usdt' ? payment.usdtAmount : payment.amcAmount
  const prepared = (raw: string, value: bigint): PreparedCall => ({
    call: checkApproval(raw as Hex, { ...expected, amount: value }),
    previews: [approvalPreview(config, token, bank, value)],
  })
  const resets = before.map((raw) => prepared(raw, 0n))
  return tx === null ? resets : [...resets, prepared(tx, amount)]
}

async function checkedPayment(payment: Payment): Promise<CheckedPayment> {
  const { payable, config, bank } = payment
  const [{ tx, deadline }, limit] = await Promise.all([payable.payment(), payable.limit()])
  return checkPayment(tx as Hex, {
    chainId: config.chain.id,
    bank,
    orderId: payable.chainOrderId,
    payer: payable.payer,
    package: payable.package,
    limit,
    usdtAmount: payment.usdtAmount,
    amcAmount: payment.amcAmount,
    deadline: deadlineSeconds(deadline, payable.expiresAt),
  })
}

/**
 * Simulates the payment before anything is asked of the wallet, so that nobody pays for approvals of a package that is sold out.
 * Without allowances it fails in any case, so the bank's count says why.
 */
async function simulate(payment: Payment) {
  const { call } = await checkedPayment(payment)
  await rehearse(payment, call).catch(() => requireCopy(payment))
  payment.memory.isSimulated = true
}

/** Throws `soldOut` if as many copies of the package as the member was shown are paid. Fund units are not counted. */
async function requireCopy({ client, bank, payable }: Payment) {
  if (payable.package === 0n) return
  const [paid, limit] = await Promise.all([readCopiesPaid(client, bank, payable.package), payable.limit()])
  if (paid >= limit) throw new FlowError('soldOut')
}

async function permit(payment: Payment): Promise<'done'> {
  const { provider, client, config, account, bank, memory } = payment
  const { order } = await checkedPayment(payment)
  await showPreviews(payment, 'permitAmc', [approvalPreview(config, 'amc', bank, payment.amcAmount, false)])
  try {
    memory.permit = await signPermit(provider, client, {
      chainId: config.chain.id,
      token: config.contracts.amc as Address,
      owner: account,
      spender: bank,
      value: payment.amcAmount,
      deadline: order.deadline,
    })
  } catch (error) {
    if (walletProblem(error) !== 'unsupported') throw error
    memory.method = 'plain'
  }
  return 'done'
}

async function pay(payment: Payment): Promise<TxOutcome> {
  const checked = await checkedPayment(payment)
  const { permit: signed } = payment.memory
  const callToSend = signed === null ? checked.call : withPermit(checked, signed)
  await rehearse(payment, callToSend).catch(async (error: unknown) => {
    await requireCopy(payment)
    throw error
  })
  return sendCall(payment, 'pay', { call: callToSend, previews: [previewOf(payment)] })
}

function previewOf({ config, usdtAmount, amcAmount, payable }: Payment) {
  return paymentPreview(config, { usdt: usdtAmount, amc: amcAmount, buys: payable.buys })
}

async function batch(payment: Payment): Promise<TxOutcome | 'done'> {
  const prepared = [
    ...(payment.amcAmount > 0n ? await approvalCalls(payment, 'amc') : []),
    ...(await approvalCalls(payment, 'usdt')),
    { call: (await checkedPayment(payment)).call, previews: [previewOf(payment)] },
  ]
  const calls = prepared.map((item) => item.call)
  await showPreviews(
    payment,
    'batch',
    prepared.flatMap((item) => item.previews),
  )
  try {
    const callsId = await sendBatch(payment, calls)
    const pending = { step: 'batch' as const, from: payment.account, hash: null, nonce: 0, callsId }
    writePending(payment.key, pending)
    return await settle(payment, pending)
  } catch (error) {
    if (!isBatchUnsupported(error)) throw error
    payment.memory.method = 'permit'
    return 'done'
  }
}

/**
 * Reports the hash to the server once it is mined, because the wallet may replace it earlier. The server does
 * not depend on it; the indexer finds the payment by the contract's event.
 */
async function tellServer({ payable }: Payment, hash: Hex) {
  await payable.report(hash).catch(() => undefined)
}

/**
 * Handles a bank that has received the payment, perhaps by another transaction; waits until the server has
 * recorded it.
 */
async function verify(payment: Payment) {
  payment.dispatch({ type: 'verifying' })
  const { client, bank, payable, account } = payment
  const hash = await findPayment(client, bank, payable.chainOrderId, account)
  if (hash !== null) await tellServer(payment, hash)
  for (let poll = 0; poll < VERIFY_POLLS; poll++) {
    const status = await payment.payable.status({ signal: payment.signal, quiet: true })
    if (status === 'Processing' || status === 'Paid') return payment.dispatch({ type: 'done' })
    await pause(VERIFY_POLL_MS, payment.signal)
  }
  throw new FlowError('checkLater')
}
