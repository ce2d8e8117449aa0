import {
  decisionStatement,
  departureItem,
  departureSummary,
  MAX_MICROS,
  memberStatement,
  WISH_VALIDITY_MS,
  withdrawalWish,
  worth,
} from '@rif/rules'
import type { Address, Hex } from 'viem'
import { sha256, stringToBytes } from 'viem'
import { z } from 'zod'
import type { SignedStatement } from '../chain/signature.ts'
import type { SignRequest } from './protocol.ts'
import type { StoredApproval, StoredWithdrawal } from './reading.ts'
import type { SignatureCheck } from './signatures.ts'
import type { BankTerms } from './terms.ts'
import type { VoucherSums } from './vouchers.ts'

/** A wallet whose approvals count, with the person who owns it, from the settings of the signer. */
export interface Approver {
  readonly person: string
  readonly address: Address
}

/**
 * The evidence that a withdrawal needs in addition to its row, by the settings of the signer. Worths are USDT
 * micro-units.
 */
export interface Policy {
  /** The worth of vouchers without the member's signature within 24 hours above which the member must have signed. */
  readonly signAboveMicros: bigint
  /** The worth within 24 hours above which an approver must have signed. */
  readonly reviewAboveMicros: bigint
  /** The worth within 24 hours above which two persons must have signed. */
  readonly severalAboveMicros: bigint
  readonly approvers: readonly Approver[]
}

type ClaimRequest = Extract<SignRequest, { kind: 'claim' }>

interface Deps {
  readonly bank: BankTerms
  readonly policy: Policy
  readonly isSigned: SignatureCheck
}

const SEVERAL = 2

/** The part of a proposal's content that names the decided withdrawals. */
const approvalContent = z.object({
  kind: z.literal('withdrawals'),
  subject: z.string(),
  summary: z.string(),
  payload: z.object({
    approve: z.literal(true),
    withdrawals: z.array(z.object({ member_id: z.string(), withdraw_id: z.string() })).min(1),
  }),
  difference: z.array(z.object({ item: z.string().nullable(), after: z.string().nullable() })),
})
type ApprovalContent = z.output<typeof approvalContent>

const wishContent = z.object({ message: z.object({ nonce: z.string(), deadline: z.string() }) })

/** The lacking signature of a withdrawal, and how its voucher counts. */
export interface Judgement {
  readonly missing: 'not_signed' | 'not_reviewed' | null
  readonly worthMicros: bigint
  readonly isConsented: boolean
}

/** Returns the sums of a member who counts as at the bounds. */
export const atBounds = ({ signAboveMicros, reviewAboveMicros }: Policy): VoucherSums => ({
  unsignedMicros: signAboveMicros,
  allMicros: reviewAboveMicros,
})

/**
 * Returns the signatures that a withdrawal lacks: the member's own, and those of approvers. Verifies them over
 * exactly this withdrawal, so that the rows of the database need not be trusted. `before` are the sums of the member's
 * other vouchers, from the signer's own log. Throws when the chain is needed and does not respond. Rules, sections 7,
 * 10 and 12.
 */
export async function judgeEvidence(
  request: ClaimRequest,
  row: StoredWithdrawal,
  deps: Deps,
  before: VoucherSums,
): Promise<Judgement> {
  const { policy } = deps
  const worthMicros =
    row.asset === 'USDT' ? row.amountMicros : worth(row.amountMicros, row.amcPriceMicros ?? MAX_MICROS)
  const isForeign = row.toAddress !== row.memberAddress
  const isConsented = await hasConsent(row, deps)
  const needsConsent = isForeign || before.unsignedMicros + worthMicros > policy.signAboveMicros
  const judgement = { worthMicros, isConsented }
  if (needsConsent && !isConsented) return { missing: 'not_signed', ...judgement }
  const recentMicros = before.allMicros + worthMicros
  const needsReview =
    row.reasons.length > 0 || (isForeign && !row.isKnownAddress) || recentMicros > policy.reviewAboveMicros
  if (!needsReview) return { missing: null, ...judgement }
  const needed = recentMicros > policy.severalAboveMicros ? SEVERAL : 1
  const isSmall = recentMicros <= policy.reviewAboveMicros
  const persons = new Set<string>()
  for (const approval of row.approvals) {
    const person = await personBehind(request, row, approval, { ...deps, isSmall })
    if (person !== undefined) persons.add(person)
  }
  return { missing: persons.size >= needed ? null : 'not_reviewed', ...judgement }
}

/** Reports whether the member's wallet signed exactly this withdrawal, when it was requested. */
async function hasConsent(row: StoredWithdrawal, { bank, isSigned }: Deps): Promise<boolean> {
  const { consent, memberAddress, requestedAt } = row
  if (consent === null || memberAddress === null || requestedAt === null) return false
  const parsed = parseJson(wishContent, consent.statement)
  if (parsed === undefined || parsed.message.nonce !== consent.nonce) return false
  const deadline = Number(parsed.message.deadline)
  const leftMs = deadline * 1_000 - requestedAt.getTime()
  if (!Number.isSafeInteger(deadline) || leftMs < 0 || leftMs > WISH_VALIDITY_MS) return false
  const wish = withdrawalWish(row, { feeMicros: row.feeMicros, to: row.toAddress })
  const once = { wallet: memberAddress, nonce: consent.nonce, deadline }
  return isSignedForOneOf({ bank, isSigned }, (domain) => ({
    address: memberAddress as Hex,
    typedData: memberStatement(wish, once, domain),
    signature: consent.signature as Hex,
  }))
}

/**
 * Returns the person who signed an approval of this withdrawal; undefined unless all of its parts are valid.
 */
async function personBehind(
  request: ClaimRequest,
  row: StoredWithdrawal,
  approval: StoredApproval,
  { bank, policy, isSigned, isSmall }: Deps & { readonly isSmall: boolean },
): Promise<string | undefined> {
  const isOf = (address: string | null) => (approver: Approver) => approver.address.toLowerCase() === address
  const approver = policy.approvers.find(isOf(approval.address))
  if (approver === undefined) return undefined
  const own = policy.approvers.filter(({ person }) => person === approver.person)
  const others = [approval.preparedBy, row.memberAddress, row.toAddress]
  if (others.some((address) => own.some(isOf(address)))) return undefined
  const content = parseJson(approvalContent, approval.content)
  if (content === undefined || !names(content, { request, row, isSmall })) return undefined
  const { kind, subject, summary } = content
  const { proposalId, reason, nonce } = approval
  const decision = {
    proposalId,
    kind,
    subject,
    summary,
    reason,
    nonce,
    approve: true,
    digest: sha256(stringToBytes(approval.content)),
    deadline: approval.deadlineAt.getTime() / 1_000,
  }
  const isValid = await isSignedForOneOf({ bank, isSigned }, (domain) => ({
    address: approver.address,
    typedData: decisionStatement(decision, domain),
    signature: approval.signature as Hex,
  }))
  return isValid ? approver.person : undefined
}

/**
 * Reports whether a statement was signed for one of the signer's banks, because the bank that takes orders
 * may have changed since.
 */
function isSignedForOneOf(
  { bank, isSigned }: Pick<Deps, 'bank' | 'isSigned'>,
  statementFor: (domain: { chainId: number; bank: Address }) => SignedStatement,
): Promise<boolean> {
  return isSigned(bank.banks.map((item) => statementFor({ chainId: bank.chainId, bank: item })))
}

/**
 * Reports whether a content approves this withdrawal with its terms. Several withdrawals can be approved
 * together only while they are small.
 */
function names(
  { payload, difference, summary }: ApprovalContent,
  { request, row, isSmall }: { request: ClaimRequest; row: StoredWithdrawal; isSmall: boolean },
): boolean {
  const { member, withdrawal } = request
  const decided = {
    id: withdrawal,
    memberId: member,
    to: row.toAddress,
    asset: row.asset,
    amountMicros: row.amountMicros,
  }
  const index = payload.withdrawals.findIndex(
    (item) => item.member_id === `${member}` && item.withdraw_id === `${withdrawal}`,
  )
  const line = difference[index]
  if (line?.item !== departureItem(decided) || line.after !== 'Withdrawable') return false
  if (payload.withdrawals.length === 1)
    return summary === `Approve ${departureSummary('withdrawal', decided)}`
  return isSmall && summary.startsWith(`Approve ${payload.withdrawals.length} withdrawals, `)
}

function parseJson<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
