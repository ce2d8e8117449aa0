/** What an admin decides about one proposal, as a wallet shows it before it signs. */
export interface Decision {
  readonly proposalId: string
  readonly kind: string
  readonly subject: string
  /** The proposal in one English line. */
  readonly summary: string
  /** SHA-256 of the proposal's content: 0x and 64 hexadecimal digits. */
  readonly digest: string
  readonly approve: boolean
  readonly reason: string
  /** 0x and 64 hexadecimal digits, for one use. */
  readonly nonce: string
  /** In seconds. */
  readonly deadline: number
}

const FIELDS = [
  { name: 'statement', type: 'string' },
  { name: 'proposal', type: 'uint256' },
  { name: 'kind', type: 'string' },
  { name: 'subject', type: 'string' },
  { name: 'decision', type: 'string' },
  { name: 'reason', type: 'string' },
  { name: 'digest', type: 'bytes32' },
  { name: 'nonce', type: 'bytes32' },
  { name: 'deadline', type: 'uint256' },
] as const

/**
 * The statement that an admin signs (EIP-712), readable in the wallet. The browser makes it of what the screen shows, the
 * server of what it has stored; only a signature of the very same text decides. Rules, section 12.
 */
export function decisionStatement(decision: Decision, domain: { chainId: number; bank: string }) {
  const { proposalId, kind, subject, summary, approve, reason, digest, nonce, deadline } = decision
  const verb = approve ? 'I approve' : 'I refuse'
  return {
    domain: {
      name: 'RIFund Portfolio operations',
      version: '1',
      chainId: domain.chainId,
      verifyingContract: domain.bank as `0x${string}`,
    },
    types: { Decision: FIELDS },
    primaryType: 'Decision',
    message: {
      statement: `${verb} proposal ${proposalId}: ${summary}`,
      proposal: BigInt(proposalId),
      ...{ kind, subject, reason, decision: approve ? 'approve' : 'refuse' },
      digest: digest as `0x${string}`,
      nonce: nonce as `0x${string}`,
      deadline: BigInt(deadline),
    },
  } as const
}
