import type { AppConfig, Proposal, ProposalContent } from '@rif/api-schema'
import { decisionStatement } from '@rif/rules'
import { sha256, stringToBytes } from 'viem'
import { call } from '../lib/api.ts'
import { sessionStore } from '../lib/session.ts'
import { activeProvider } from './connection.ts'
import { FlowError } from './errors.ts'

const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
]

/**
 * Has the admin's wallet sign a decision on a proposal (EIP-712), and decides with it. The statement is made of what the
 * page shows, whose digest is worked out anew here; the server accepts a signature of the very same only. Throws what the
 * wallet throws, `FlowError`, or `ApiError`.
 */
export async function signDecision(
  config: AppConfig,
  proposal: Proposal,
  { approve, reason }: { approve: boolean; reason: string },
): Promise<Proposal> {
  const { proposal_id: proposalId, content, kind, subject } = proposal
  const digest = sha256(stringToBytes(content))
  if (digest !== proposal.digest) throw new FlowError('mismatch')
  const params = { proposal_id: proposalId }
  const { nonce, deadline } = await call('decisionStatement', { params, body: { approve, reason } })
  const { summary } = JSON.parse(content) as ProposalContent
  const { domain, types, primaryType, message } = decisionStatement(
    { proposalId, kind, subject, summary, digest, approve, reason, nonce, deadline },
    { chainId: config.chain.id, bank: config.contracts.bank },
  )
  const typedData = JSON.stringify(
    { domain, primaryType, message, types: { EIP712Domain: DOMAIN, ...types } },
    (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
  )
  const provider = await activeProvider(config)
  const signature = (await provider.request({
    method: 'eth_signTypedData_v4',
    params: [sessionStore.get().tokenAddress, typedData],
  })) as string
  return call('decideProposal', { params, body: { nonce, signature } })
}
