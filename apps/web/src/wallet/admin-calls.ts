import type { AppConfig, BankCallBody, Proposal, ProposalContent } from '@rif/api-schema'
import { rifBankAbi } from '@rif/contracts/abi'
import { decisionStatement, parseMicros, type TypedStatement, toChainUnits } from '@rif/rules'
import {
  encodeFunctionData,
  getTypesForEIP712Domain,
  type Hex,
  hashStruct,
  hashTypedData,
  sha256,
  stringToBytes,
  type TypedDataDefinition,
} from 'viem'
import { call, sessionStore } from '../lib/index.ts'
import { activeProvider } from './connection.ts'
import { ensureChain, FlowError, sameAddress, type WalletProvider, walletProblem } from './provider.ts'
import { createChainClient } from './tx-flow/chain-reads.ts'
import { withBank } from './tx-flow/flow-state.ts'
import { followCall, type TxOutcome } from './tx-flow/follow.ts'
import { signTypedStatement } from './typed-data.ts'

/** The time for which a transaction is followed; afterwards it counts as sent. */
const FOLLOW_MS = 90_000

/** Encodes a call of a bank. */
export function bankCallData(
  { contracts, decimals }: Pick<AppConfig, 'contracts' | 'decimals'>,
  { call: functionName, subject, cap }: BankCallBody,
): Hex {
  const abi = rifBankAbi
  switch (functionName) {
    case 'queueCapRaise': {
      const places = sameAddress(subject, contracts.usdt) ? decimals.USDT : decimals.AMC
      const newCap = toChainUnits(parseMicros(cap ?? '0'), places)
      return encodeFunctionData({ abi, functionName, args: [subject as Hex, newCap] })
    }
    case 'pauseOrders':
    case 'unpauseOrders':
    case 'executeHandOver':
    case 'cancelHandOver':
      return encodeFunctionData({ abi, functionName })
    default:
      return encodeFunctionData({ abi, functionName, args: [subject as Hex] })
  }
}

/**
 * Announces a call of the bank to the server, sends it with the wallet, and waits until it is in a block;
 * returns false when that takes too long. The contract admits only the holders of its roles, so another
 * wallet fails before anything is sent. Throws like `sendWith`.
 */
export async function callBank(config: AppConfig, what: BankCallBody): Promise<boolean> {
  const to = withBank(config, what.bank).contracts.bank
  return sendAdminCall(config, { to, data: bankCallData(config, what) }, () =>
    call('announceBankCall', { body: what }),
  )
}

/**
 * Sends a call of a contract with the wallet, and waits until it is in a block; returns false when that takes
 * too long. The call is simulated first, so that a contract that refuses it costs nothing; then
 * `beforeSending` runs. Throws like `sendWith`.
 */
export async function sendAdminCall(
  config: AppConfig,
  { to, data }: { to: string; data: Hex },
  beforeSending?: () => Promise<unknown>,
): Promise<boolean> {
  const wallet = { provider: await activeProvider(config), account: sessionStore.getState().tokenAddress }
  return sendWith(wallet, config, { to, data }, beforeSending)
}

/** A connected wallet and the account that it uses. */
export interface UsedWallet {
  readonly provider: WalletProvider
  readonly account: string
}

/**
 * Like `sendCall`, with a given wallet. Throws the wallet's error, and `FlowError`: `undone` when the transaction reverted in its
 * block, `replaced` when the wallet sent another call in its place. The same call sent anew, with a higher fee, is followed.
 */
export async function sendWith(
  { provider, account }: UsedWallet,
  { chain }: Pick<AppConfig, 'chain'>,
  { to, data }: { to: string; data: Hex },
  beforeSending: () => Promise<unknown> = async () => undefined,
): Promise<boolean> {
  await ensureChain(provider, chain)
  const tx = { from: account, to, data }
  await provider.request({ method: 'eth_call', params: [tx, 'latest'] }).catch((error: unknown) => {
    throw walletProblem(error) === 'transferFailed' ? new FlowError('contractRefuses') : error
  })
  await beforeSending()
  const client = createChainClient(provider, { chain })
  const from = account as Hex
  const nonce = await client.getTransactionCount({ address: from, blockTag: 'pending' })
  const hash = (await provider.request({ method: 'eth_sendTransaction', params: [tx] })) as Hex
  const outcome = await withinTime((signal) => followCall(client, { hash, from, nonce, to, data }, signal))
  if (outcome === 'reverted') throw new FlowError('undone')
  if (outcome === 'replaced') throw new FlowError('replaced')
  return outcome === 'mined'
}

/** Returns the outcome, or null if it is not known in time or the node fails: the transaction is sent in any case. */
async function withinTime(follow: (signal: AbortSignal) => Promise<TxOutcome>): Promise<TxOutcome | null> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), FOLLOW_MS)
  try {
    return await follow(controller.signal)
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}

/** The hashes that a hardware wallet shows of a statement. */
export interface StatementHashes {
  readonly domain: Hex
  readonly message: Hex
  readonly digest: Hex
}

/** Computes the hashes of a statement (EIP-712) that hardware wallets show. */
export function hashesOf(statement: TypedStatement): StatementHashes {
  const { domain, types, primaryType, message } = statement
  const structHash = (data: object, type: string, all: object): Hex =>
    hashStruct({ data, primaryType: type, types: all } as unknown as Parameters<typeof hashStruct>[0])
  return {
    domain: structHash(domain, 'EIP712Domain', { EIP712Domain: getTypesForEIP712Domain({ domain }) }),
    message: structHash(message, primaryType, types),
    digest: hashTypedData(statement as TypedDataDefinition),
  }
}

/**
 * Signs a decision on a proposal with the admin's wallet (EIP-712), and submits it. The statement is built
 * from the data on the page, whose digest is computed again here; the server accepts only a signature of the
 * same statement. `onSign` receives the hashes that the wallet is about to show, which the server must have
 * computed equally. Throws the wallet's error, `FlowError`, or `ApiError`.
 */
export async function signDecision(
  config: AppConfig,
  proposal: Proposal,
  decision: {
    approve: boolean
    reason: string
    onSign?: (hashes: StatementHashes) => void
    /** The caller shows the failure itself. */
    quiet?: boolean
  },
): Promise<Proposal> {
  const { approve, reason, onSign, quiet = false } = decision
  const { proposal_id: proposalId, content, kind, subject } = proposal
  const digest = sha256(stringToBytes(content))
  if (digest !== proposal.digest) throw new FlowError('mismatch', 'digest')
  const params = { proposal_id: proposalId }
  const answer = await call('decisionStatement', { params, body: { approve, reason } }, { quiet })
  const { nonce, deadline } = answer
  const { summary } = JSON.parse(content) as ProposalContent
  const statement = decisionStatement(
    { proposalId, kind, subject, summary, digest, approve, reason, nonce, deadline },
    { chainId: config.chain.id, bank: config.contracts.bank },
  )
  const hashes = hashesOf(statement)
  const isAlike =
    hashes.domain === answer.domain_hash &&
    hashes.message === answer.message_hash &&
    hashes.digest === answer.digest
  if (!isAlike) throw new FlowError('mismatch', 'hashes')
  onSign?.(hashes)
  const signature = await signTypedStatement(config, statement)
  return call('decideProposal', { params, body: { nonce, signature } }, { quiet })
}
