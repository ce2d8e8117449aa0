import { dayOf } from '@rif/rules'
import type { Hex } from 'viem'
import { bankDomain, claimDigest, orderDigest } from '../chain/bank-messages.ts'
import type { Db } from '../db/database.ts'
import { forRequest } from '../db/lanes.ts'
import type { Logger } from '../lib/logger.ts'
import type { BankReadOutcome, BankReads } from './bank-reads.ts'
import {
  type GapEntry,
  type LogEntry,
  openDecisionLog,
  type PublishedEntry,
  type SignedEntry,
} from './decision-log.ts'
import { atBounds, type Judgement, judgeEvidence, type Policy } from './evidence.ts'
import type { SigningKey } from './keys/signing-key.ts'
import { createLimits, type Limits } from './limits.ts'
import type {
  Reason,
  SignedClaim,
  SignedOrder,
  SignedPublication,
  SignerStatus,
  SignRequest,
  Trouble,
} from './protocol.ts'
import { digestOf, publicationOf, signedTx } from './publication.ts'
import {
  claimedAfter,
  readClock,
  readFundOrder,
  readReport,
  readShopOrder,
  readWithdrawal,
  type StoredOrder,
  type StoredWithdrawal,
} from './reading.ts'
import type { SignatureCheck } from './signatures.ts'
import { type BankTerms, claimTerms, LONGEST_MS, orderTerms, type SignerTerms } from './terms.ts'
import { createVouchers, VOUCHER_COUNTS_MS, type Voucher, voucherOf, withdrawalOf } from './vouchers.ts'

/** The publisher's key may be absent. */
export interface Keys {
  readonly claim: SigningKey
  readonly quote: SigningKey
  readonly publisher?: SigningKey | undefined
}

export interface SignerDeps {
  /** The URL of a login that can only read. */
  readonly db: Db
  readonly now: () => Date
  readonly log: Logger
  readonly bank: BankTerms
  readonly keys: Keys
  readonly limits: Limits
  readonly policy: Policy
  readonly isSigned: SignatureCheck
  /** The banks as the signer's nodes see them; without nodes no voucher stops counting early. */
  readonly bankReads?: BankReads | undefined
  /** The file of all decisions. */
  readonly logPath: string
  /** The largest difference between this process's clock and the database's. */
  readonly maxClockSkewMs: number
}

/** A refusal of a request. */
export class RefusedRequest extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super(reason)
    this.reason = reason
  }
}

/** No decision is possible now. */
export class Unable extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble, cause?: unknown) {
    super(trouble, { cause })
    this.trouble = trouble
  }
}

type PublicationRequest = Extract<SignRequest, { kind: 'publication' }>
type MoneyRequest = Exclude<SignRequest, PublicationRequest>

/** Including replaced transactions. */
const PUBLICATIONS_A_DAY = 50
const DAY_MS = 86_400_000

export type LocalSigner = Awaited<ReturnType<typeof createSigner>>

/** The longest queue of decisions; each waits for the disk. */
const MAX_WAITING = 200
/** The largest number of refusals that are written within a minute, so that a caller cannot fill the disk. */
const REFUSALS_A_MINUTE = 60
const MINUTE_MS = 60_000
const READ_TIMEOUT_MS = 3_000
/** The digests whose entry was written in this run. */
const DIGESTS_KEPT = 50_000
/** The log is compared with the banks at this interval, and soon again after a comparison that failed. */
const COMPARE_MS = 3_600_000
const COMPARE_AGAIN_MS = 2000

/**
 * Opens the signer. It reads the requested data in the database, judges it independently, counts it against
 * its own limits, writes the decision to the disk, and signs. Decisions are made one after the other. Throws
 * StartError for a log that was changed.
 */
export async function createSigner(deps: SignerDeps) {
  const { db, log, bank, keys } = deps
  const limits = createLimits(deps.limits)
  const written = new Set<string>()
  /** The vouchers of the last 24 hours. */
  const counted = createVouchers()
  /** The last voucher of each withdrawal that may still be valid, by subject. */
  const vouchers = new Map<string, { bank: string; untilMs: number }>()
  /** The last signed publications. */
  const publications: { atMs: number; subject: string; root: string; digest: string }[] = []
  /** Until when the log may lack vouchers, and the block up to which that was found. */
  const gap = { untilMs: 0, block: 0n }
  const decisions = await openDecisionLog(deps.logPath, (entry) => {
    if (entry.decision === 'sign') count(entry)
    if (entry.decision === 'publish') notePublication(entry)
    if (entry.decision === 'gap') noteGap(entry)
  })
  let trouble: Trouble | null = null
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  const refusals = { sinceMs: 0, written: 0, unwritten: 0 }
  const tally = new Map<string, SignerStatus['decisions'][number]>()
  /** The last block up to which the log was compared with the banks. */
  let compared: { readonly upTo: bigint } | null = null
  let isClosed = false

  function tallied(decision: 'sign' | 'publish' | 'refuse', reason: Reason | null): void {
    const key = `${decision}/${reason}`
    tally.set(key, { decision, reason, count: (tally.get(key)?.count ?? 0) + 1 })
  }

  function noteGap({ until, block }: GapEntry): void {
    Object.assign(gap, { untilMs: Date.parse(until), block: BigInt(block) })
  }

  function count(entry: SignedEntry) {
    const { at, what, member, subject, amount, digest, bank: signedFor, until } = entry
    const voucher = voucherOf(entry)
    if (voucher !== undefined) counted.add(voucher)
    if (what !== 'quotes') remember(`${member}/${subject}`, { bank: signedFor, untilMs: Date.parse(until) })
    written.add(digest)
    if (written.size > DIGESTS_KEPT) written.delete(written.values().next().value as string)
    limits.add({
      atMs: Date.parse(at),
      what,
      memberId: BigInt(member),
      subject: `${member}/${subject}`,
      amount: BigInt(amount),
    })
  }

  function notePublication({ at, subject, root, digest }: PublishedEntry) {
    publications.push({ atMs: Date.parse(at), subject, root, digest })
    if (publications.length > 2 * PUBLICATIONS_A_DAY) publications.shift()
  }

  /** Keeps a voucher until long after its deadline. */
  function remember(subject: string, voucher: { bank: string; untilMs: number }) {
    vouchers.delete(subject)
    vouchers.set(subject, voucher)
    for (const [oldest, { untilMs }] of vouchers) {
      if (untilMs + LONGEST_MS > voucher.untilMs) break
      vouchers.delete(oldest)
    }
  }

  /** Runs one decision after the other. Throws `busy` when too many wait. */
  function inTurn<T>(decide: () => Promise<T>): Promise<T> {
    if (waiting >= MAX_WAITING) throw new Unable('busy')
    waiting++
    const result = last.then(decide)
    last = result.catch(() => undefined).finally(() => waiting--)
    return result
  }

  /** Never earlier than the last decision, whatever the clock shows. */
  const decisionTime = () => new Date(Math.max(deps.now().getTime(), decisions.lastAtMs()))

  async function append(entry: LogEntry): Promise<void> {
    try {
      await decisions.append(entry)
    } catch (cause) {
      throw new Unable('log', cause)
    }
  }

  async function read<T>(reading: () => Promise<T>): Promise<T> {
    try {
      return await forRequest('reads', AbortSignal.timeout(READ_TIMEOUT_MS), reading)
    } catch (cause) {
      throw new Unable('database', cause)
    }
  }

  function checkClock(databaseAt: Date): void {
    const skewMs = Math.abs(deps.now().getTime() - databaseAt.getTime())
    if (skewMs > deps.maxClockSkewMs) throw new Unable('clock')
  }

  async function readStored(request: MoneyRequest): Promise<StoredWithdrawal | StoredOrder | undefined> {
    const { member } = request
    const stored = await read<StoredWithdrawal | StoredOrder | undefined>(() =>
      request.kind === 'claim'
        ? readWithdrawal(db, bank.chainId, {
            memberId: member,
            withdrawalId: request.withdrawal,
            at: decisionTime(),
          })
        : (request.of === 'shop' ? readShopOrder : readFundOrder)(db, {
            memberId: member,
            orderId: request.order,
            day: dayOf(deps.now().getTime()),
          }),
    )
    if (stored) checkClock(stored.databaseAt)
    return stored
  }

  async function refuse(request: SignRequest, reason: Reason): Promise<never> {
    const at = decisionTime()
    tallied('refuse', reason)
    if (at.getTime() - refusals.sinceMs > MINUTE_MS)
      Object.assign(refusals, { sinceMs: at.getTime(), written: 0 })
    if (refusals.written < REFUSALS_A_MINUTE) {
      const { unwritten } = refusals
      await append({
        decision: 'refuse',
        at: at.toISOString(),
        member: `${request.member}`,
        subject: subjectOf(request),
        reason,
        ...(unwritten > 0 && { unwritten }),
      })
      refusals.written++
      refusals.unwritten = 0
    } else refusals.unwritten++
    throw new RefusedRequest(reason)
  }

  /** Counts and writes a signature before it is given; one that was written before counts once. */
  async function allow(
    request: MoneyRequest,
    { terms, digest, judged }: { terms: SignerTerms; digest: Hex; judged: Judgement | null },
  ): Promise<void> {
    const at = decisionTime()
    const { what, amount } = terms
    const subject = subjectOf(request)
    // Based on its own log alone: regardless of the database, one withdrawal never has valid vouchers of two
    // banks.
    const earlier = vouchers.get(`${request.member}/${subject}`)
    if (earlier !== undefined && earlier.bank !== terms.bank.toLowerCase() && earlier.untilMs >= at.getTime())
      return refuse(request, 'other_bank')
    const exceeded = limits.exceeded({
      atMs: at.getTime(),
      what,
      memberId: request.member,
      amount,
      subject: `${request.member}/${subject}`,
    })
    if (exceeded !== null) return refuse(request, exceeded)
    if (written.has(digest)) return
    const entry: SignedEntry = {
      decision: 'sign',
      at: at.toISOString(),
      what,
      member: `${request.member}`,
      subject,
      amount: `${amount}`,
      digest,
      terms: termsText(terms),
      bank: terms.bank.toLowerCase(),
      until: new Date(Number(deadlineOf(terms)) * 1_000).toISOString(),
      ...(judged && { worth: `${judged.worthMicros}`, consented: judged.isConsented }),
    }
    await append(entry)
    count(entry)
  }

  /** True until the log was compared with the banks for the first time. */
  const isUncompared = () => deps.bankReads !== undefined && compared === null

  /** Judges the evidence of a withdrawal, with the vouchers that can still be claimed. */
  async function judge(request: SignRequest & { kind: 'claim' }, row: StoredWithdrawal): Promise<Judgement> {
    const atMs = decisionTime().getTime()
    const which = { memberId: request.member, withdrawalId: request.withdrawal }
    const isAtBounds = gap.untilMs > atMs || isUncompared()
    const judged = () => {
      const before = isAtBounds ? atBounds(deps.policy) : counted.sumsWithout(which, atMs)
      return judgeEvidence(request, row, deps, before)
    }
    try {
      const first = await judged()
      if (first.missing === null) return first
      if (isUncompared()) throw new Error('the log has not been compared with the bank yet')
      const lapsed = await lapsedOf(counted.expired(which, atMs))
      if (lapsed.length === 0) return first
      for (const voucher of lapsed) counted.release(voucher)
      return await judged()
    } catch (cause) {
      throw new Unable('chain', cause)
    }
  }

  /** Returns the vouchers that can never be claimed any more, and notes those that are paid, so that they are asked for once. */
  async function lapsedOf(expired: readonly Voucher[]): Promise<Voucher[]> {
    const { bankReads } = deps
    if (bankReads === undefined) return []
    const outcomes = await Promise.all(expired.map((voucher) => bankReads.outcomeOf(voucher)))
    const ofOutcome = (wanted: BankReadOutcome) => expired.filter((_, index) => outcomes[index] === wanted)
    for (const voucher of ofOutcome('paid')) counted.notePaid(voucher)
    return ofOutcome('lapsed')
  }

  /** Compares the log with the claims that the banks paid. Throws when database or chain do not answer. */
  async function compare(bankReads: BankReads): Promise<void> {
    const lost = compared === null ? await read(() => claimedUnlogged()) : null
    const from = compared?.upTo ?? gap.block
    // The log has the vouchers of 24 hours, and a voucher is claimed within LONGEST_MS.
    const fromMs = decisionTime().getTime() - VOUCHER_COUNTS_MS + LONGEST_MS
    const { claims, upTo } = await bankReads.claims(from, fromMs)
    const foreign = claims.find((onchainId) => {
      const which = withdrawalOf(onchainId)
      return which === undefined || !counted.has(which)
    })
    const cause =
      lost ?? (foreign === undefined ? null : `the bank paid claim ${foreign}, which it does not have`)
    if (cause !== null) await inTurn(() => findGap(cause, upTo))
    compared = { upTo }
  }

  /** Returns a cause when the books have a claim later than the log at its opening; of an empty log, any voucher. */
  async function claimedUnlogged(): Promise<string | null> {
    const claimed = await claimedAfter(db, {
      time: openedAtMs === 0 ? null : new Date(openedAtMs),
      block: gap.block,
    })
    const lost = claimed.find((item) => !counted.has(item))
    if (lost === undefined) return null
    return openedAtMs === 0
      ? 'it is empty, and vouchers were signed before'
      : `it is older than the claim of withdrawal ${lost.withdrawalId}`
  }

  async function findGap(cause: string, upTo: bigint): Promise<void> {
    const at = decisionTime()
    const until = new Date(at.getTime() + VOUCHER_COUNTS_MS).toISOString()
    const entry: GapEntry = { decision: 'gap', at: at.toISOString(), until, cause, block: `${upTo}` }
    await append(entry)
    noteGap(entry)
    log.error({ cause, until }, "the signer's log lacks vouchers: every member counts as at the bounds")
  }

  let timer: NodeJS.Timeout | undefined
  /** Compares the log now and again and again. */
  async function keepComparing(bankReads: BankReads): Promise<void> {
    const isCompared = await compare(bankReads).then(
      () => true,
      (err: unknown) => log.warn({ err }, "the signer's log cannot be compared with the bank now"),
    )
    if (isClosed) return
    timer = setTimeout(() => keepComparing(bankReads), isCompared ? COMPARE_MS : COMPARE_AGAIN_MS).unref()
  }

  /** Signs the transaction that publishes a report, and never one with another root for the same day. */
  async function decidePublication(request: PublicationRequest): Promise<SignedPublication> {
    const { publisher } = keys
    if (publisher === undefined) return refuse(request, 'unknown')
    const row = await read(() => readReport(db, request.day))
    if (row) checkClock(row.databaseAt)
    const made = publicationOf(request, row, bank)
    if (typeof made === 'string') return refuse(request, made)
    const [at, subject, digest] = [decisionTime(), subjectOf(request), digestOf(made.tx)]
    if (publications.some((earlier) => earlier.subject === subject && earlier.root !== made.root))
      return refuse(request, 'bad_terms')
    const isKnown = publications.some((earlier) => earlier.digest === digest)
    const ofDay = publications.filter(({ atMs }) => at.getTime() - atMs < DAY_MS)
    if (!isKnown && ofDay.length >= PUBLICATIONS_A_DAY) return refuse(request, 'limit_day')
    if (!isKnown) {
      const entry: PublishedEntry = {
        decision: 'publish',
        at: at.toISOString(),
        subject,
        root: made.root,
        digest,
        bank: made.bank.toLowerCase(),
        nonce: `${request.nonce}`,
      }
      await append(entry)
      notePublication(entry)
    }
    try {
      return { raw: await signedTx(publisher, made.tx) }
    } catch (cause) {
      throw new Unable('key', cause)
    }
  }

  async function decide(request: SignRequest): Promise<SignedClaim | SignedOrder | SignedPublication> {
    if (request.kind === 'publication') return decidePublication(request)
    const stored = await readStored(request)
    const context = { bank, nowMs: deps.now().getTime() }
    const terms =
      request.kind === 'claim'
        ? claimTerms(request, stored as StoredWithdrawal | undefined, context)
        : orderTerms(request, stored as StoredOrder | undefined, context)
    if (typeof terms === 'string') return refuse(request, terms)
    const judged = request.kind === 'claim' ? await judge(request, stored as StoredWithdrawal) : null
    if (judged !== null && judged.missing !== null) return refuse(request, judged.missing)
    const isClaim = 'claim' in terms
    const domain = bankDomain(bank.chainId, terms.bank)
    const digest = isClaim ? claimDigest(domain, terms.claim) : orderDigest(domain, terms.order)
    // An earlier signature stays valid, so the same signature is given again.
    if (stored!.isGuarded && !written.has(digest)) return refuse(request, 'guard_closed')
    await allow(request, { terms, digest, judged })
    const signature = await signWith(isClaim ? keys.claim : keys.quote, digest)
    return isClaim ? { claim: terms.claim, signature } : { order: terms.order, signature }
  }

  async function sign(request: SignRequest): Promise<SignedClaim | SignedOrder | SignedPublication> {
    try {
      const signed = await inTurn(() => decide(request))
      trouble = null
      tallied(request.kind === 'publication' ? 'publish' : 'sign', null)
      return signed
    } catch (error) {
      if (error instanceof Unable) report(error)
      if (error instanceof RefusedRequest) trouble = null
      throw error
    }
  }

  function report(error: Unable): void {
    if (error.trouble !== trouble && error.trouble !== 'busy')
      log.error({ trouble: error.trouble, err: error.cause }, 'the signer cannot sign')
    if (error.trouble !== 'busy') trouble = error.trouble
  }

  const openedAtMs = decisions.lastAtMs()
  const started = decisionTime().toISOString()
  const addresses = { claimSigner: keys.claim.address, quoteSigner: keys.quote.address }
  const published = keys.publisher && { publisher: keys.publisher.address }
  await decisions.append({ decision: 'start', at: started, ...addresses })
  if (deps.bankReads !== undefined) await keepComparing(deps.bankReads)

  function strictness(): SignerStatus['strict'] {
    if (isUncompared()) return { until: null }
    return gap.untilMs > decisionTime().getTime() ? { until: new Date(gap.untilMs).toISOString() } : null
  }

  return {
    sign,
    /**
     * Returns the addresses of the keys and the troubles that prevent them from signing; reads the database.
     */
    async status(): Promise<SignerStatus> {
      const now = await read(() => readClock(db))
        .then(checkClock)
        .then(
          () => (trouble === 'database' || trouble === 'clock' ? null : trouble),
          (error: Unable) => error.trouble,
        )
      return {
        ...addresses,
        ...published,
        trouble: now,
        strict: strictness(),
        approvers: deps.policy.approvers.map(({ address, person }) => ({ address, person })),
        decisions: [...tally.values()],
      }
    },
    /** Ends after the current decision. */
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await last
      await decisions.close()
    },
  }
}

async function signWith(key: SigningKey, digest: Hex): Promise<Hex> {
  try {
    return await key.sign(digest)
  } catch (cause) {
    throw new Unable('key', cause)
  }
}

function subjectOf(request: SignRequest): string {
  if (request.kind === 'publication') return `publication/${request.day}`
  return request.kind === 'claim'
    ? `withdrawal/${request.withdrawal}`
    : `${request.of}-order/${request.order}`
}

const deadlineOf = (terms: SignerTerms) => ('claim' in terms ? terms.claim : terms.order).deadline

/** Returns the signed terms in the form of the log. */
function termsText(terms: SignerTerms): string {
  if ('claim' in terms) {
    const { token, to, amount, deadline } = terms.claim
    return `${amount} of ${token} to ${to} by ${terms.bank} until ${deadline}`
  }
  const { payer, package: level, limit, usdtAmount, amcAmount, deadline } = terms.order
  const what = level === 0n ? 'fund units' : `package ${level} of ${limit}`
  return `${usdtAmount} USDT and ${amcAmount} AMC for ${what} by ${payer} to ${terms.bank} until ${deadline}`
}
