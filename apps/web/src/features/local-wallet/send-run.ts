import type { AppConfig } from '@rif/api-schema'
import { type Address, type Hex, numberToHex } from 'viem'
import { call, randomHex } from '../../lib/index.ts'
import { activeProvider } from '../../wallet/connection.ts'
import { ensureChain, FlowError, firstAccount, sameAddress, wrongAccount } from '../../wallet/provider.ts'
import { createChainClient } from '../../wallet/tx-flow/chain-reads.ts'
import { followTx } from '../../wallet/tx-flow/follow.ts'
import { lookAnew, reportSent } from '../../wallet/tx-flow/report.ts'
import {
  approvalCall,
  checkSend,
  readIntent,
  type SendCall,
  type SendIntent,
  sendCallOf,
  unitsOf,
  type WalletSendDraft,
  writeIntent,
} from './send-plan.ts'
import { readAllowance } from './wallet-reads.ts'

export type SendStep = 'approve' | 'send'

interface RunOptions {
  config: AppConfig
  /** The signed-in wallet; no other wallet may pay. */
  owner: string
  onStep: (step: SendStep) => void
  signal: AbortSignal
}

/**
 * Sends from the member's wallet and returns the hash, as soon as the wallet has returned it; the result page
 * then follows the transaction. The intent is stored before the wallet opens and removed when the server has
 * the hash, so that a crash in between is noticed instead of sent again. Throws FlowError, or the wallet's
 * error.
 */
export async function runSend(draft: WalletSendDraft, options: RunOptions): Promise<Hex> {
  const { config, owner, onStep, signal } = options
  const provider = await activeProvider(config)
  await ensureChain(provider, config.chain)
  const account = (await firstAccount(provider, { ask: true })) as Address | null
  if (account === null) throw new FlowError('locked')
  if (!sameAddress(account, owner)) throw wrongAccount(owner, account)
  const client = createChainClient(provider, config)

  const nextNonce = () => client.getTransactionCount({ address: account, blockTag: 'pending' })
  const request = async ({ to, data, value }: SendCall) =>
    (await provider.request({
      method: 'eth_sendTransaction',
      params: [{ from: account, to, data, value: numberToHex(value), chainId: numberToHex(config.chain.id) }],
    })) as Hex

  async function approve(amount: bigint) {
    if (draft.asset === 'ETH') return
    onStep('approve')
    const nonce = await nextNonce()
    const hash = await request(approvalCall(config, draft.asset, amount))
    const step = amount === 0n ? 'revokeUsdt' : draft.asset === 'AMC' ? 'approveAmc' : 'approveUsdt'
    const pending = { step, from: account!, hash, nonce, callsId: null } as const
    void reportSent('approval:send', pending)
    const outcome = await followTx(client, pending, { signal, onNonce: () => undefined })
    if (outcome !== 'mined') throw new FlowError(outcome === 'replaced' ? 'replaced' : 'transferFailed')
  }

  if (draft.byContract && draft.asset !== 'ETH') {
    const amount = unitsOf(config, draft.asset, draft.amount)
    const allowance = await readAllowance(client, config, draft.asset, account)
    // The original USDT refuses to change an allowance that is not zero.
    if (allowance < amount && allowance > 0n && draft.asset === 'USDT') await approve(0n)
    if (allowance < amount) await approve(amount)
  }
  const reference = `0x${randomHex(32)}` as const
  const tx = sendCallOf(config, draft, reference)
  checkSend(config, draft, tx)
  // A transaction that would fail is reported before the wallet opens.
  await client.estimateGas({ account, to: tx.to, data: tx.data, value: tx.value })
  onStep('send')
  const intent: SendIntent = { draft, from: account, nonce: await nextNonce(), hash: null }
  writeIntent(intent)
  const hash = await request(tx).catch((error: unknown) => {
    writeIntent(null)
    throw error
  })
  writeIntent({ ...intent, hash })
  await tellIntent()
  return hash
}

/**
 * Reports the stored send to the server. If the server cannot be reached, the send stays stored and is
 * reported on the next visit.
 */
export async function tellIntent(): Promise<void> {
  const intent = readIntent()
  if (intent === null || intent.hash === null) return
  const { draft, nonce, hash } = intent
  const { asset, amount, to, byContract } = draft
  const body = { tx_hash: hash, nonce, asset, to, amount, by_contract: byContract }
  await call('tellSend', { body }, { quiet: true }).then(
    () => {
      writeIntent(null)
      lookAnew()
    },
    () => undefined,
  )
}

/** Reports whether a send with an unknown outcome may have reached the chain. */
export async function mayHaveSent(config: AppConfig): Promise<boolean> {
  const intent = readIntent()
  if (intent === null || intent.hash !== null) return false
  const client = createChainClient(await activeProvider(config), config)
  const used = await client.getTransactionCount({ address: intent.from as Address, blockTag: 'pending' })
  if (used <= intent.nonce) writeIntent(null)
  return used > intent.nonce
}
