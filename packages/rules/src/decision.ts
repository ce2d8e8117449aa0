import { formatMicros, type Micros } from './money.ts'

/** A withdrawal or transfer on which admins decide; `to` is the receiving wallet in lower case. */
export interface DecidedDeparture {
  readonly id: bigint
  readonly memberId: bigint
  readonly asset: string
  readonly amountMicros: Micros
  readonly to: string
}

/** Returns a departure as named in the summary of its proposal. */
export const departureSummary = (
  word: 'withdrawal' | 'transfer',
  { id, memberId, asset, amountMicros, to }: DecidedDeparture,
): string => `${word} ${id} of member ${memberId}: ${formatMicros(amountMicros)} ${asset} to ${to}`

/** Returns a departure as named in the difference of its proposal. */
export const departureItem = ({ id, asset, amountMicros, to }: DecidedDeparture): string =>
  `${id}: ${formatMicros(amountMicros)} ${asset} -> ${to}`

/** The decision of an admin on a proposal, as the wallet shows it before signing. */
export interface Decision {
  readonly proposalId: string
  readonly kind: string
  readonly subject: string
  /** The proposal in one English line. */
  readonly summary: string
  /** SHA-256 of the content of the proposal: 0x and 64 hexadecimal digits. */
  readonly digest: string
  readonly approve: boolean
  readonly reason: string
  /** 0x and 64 hexadecimal digits, used once. */
  readonly nonce: string
  /** Seconds since the epoch. */
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
 * Returns the EIP-712 statement that an admin signs, readable in the wallet. The browser builds it from the screen, the server
 * from its records, and the signature is valid only if both are equal. Rules, section 12.
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
      kind,
      subject,
      reason,
      decision: approve ? 'approve' : 'refuse',
      digest: digest as `0x${string}`,
      nonce: nonce as `0x${string}`,
      deadline: BigInt(deadline),
    },
  } as const
}
