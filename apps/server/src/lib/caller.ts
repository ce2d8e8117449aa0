import type { AdminRole } from '@rif/rules'

/** The wallet of a token, in lower case, and its member; null for an admin who is no member. */
export interface Caller {
  readonly tokenHash: Buffer
  readonly memberId: bigint | null
  readonly address: string
  /** True if the wallet did not accept the terms in force: the session can only take out what is its own. */
  readonly leavesOnly: boolean
}

/** A member's session. */
export interface Session extends Caller {
  readonly memberId: bigint
}

/** A wallet with a role. The address is in lower case; `person` is the name of its owner and `personId` the number. */
export interface Admin {
  readonly address: string
  readonly role: AdminRole
  readonly person: string
  readonly personId: bigint
  readonly grantedAt: Date
}

/** Reports whether a signed-in wallet belongs to a member. */
export const isMember = (caller: Caller): caller is Session => caller.memberId !== null

/** The id of the operator, who has movements without a member (attested revenue) and requests with idempotency keys. No member has it. */
export const OPERATOR_MEMBER_ID = 0n
