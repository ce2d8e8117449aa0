import { hash, randomBytes } from 'node:crypto'
import type { Refusal } from '@rif/api-schema'
import { dayOf, type SideChoice, type TermsVersion, termsUri } from '@rif/rules'
import type { Hex } from 'viem'
import { type ContractAddresses, readWallet } from '../../../chain/banks.ts'
import type { Signatures } from '../../../chain/signature.ts'
import { noteChange } from '../../../db/changes.ts'
import { type Db, inTx } from '../../../db/database.ts'
import { inLane } from '../../../db/lanes.ts'
import { constantRead, readShared } from '../../../db/read.ts'
import { batched } from '../../../lib/batched.ts'
import type { Caller } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import { deviceOf } from '../../../lib/device.ts'
import { AppError } from '../../../lib/errors.ts'
import { MEMBERS } from '../../members/members.relations.ts'
import type { Member, MembersService } from '../../members/members.service.ts'
import { addressRefusalRead, type ReachService, refuse } from '../../members/reach/reach.service.ts'
import { devicesRead, endSessions, noteSignIn } from '../../messages/notices/notices.service.ts'
import type { AdminsService } from '../../operators/admins/admins.service.ts'
import { pausedRead } from '../gates/gates.service.ts'
import type { FoundSession, ListedSession, Visit } from './auth.repository.ts'
import * as repository from './auth.repository.ts'
import type { Acceptance } from './auth.terms.repository.ts'
import * as acceptances from './auth.terms.repository.ts'
import type { TermsTexts } from './auth.texts.service.ts'
import { makeNonce, readNonce } from './nonce.ts'
import {
  acceptsTerms,
  leaveStatementOf,
  parseSignInMessage,
  type SignInTerms,
  statementOf,
} from './sign-in-message.ts'

export type { Acceptance, ListedSession }

export const keepVisits = repository.keepVisits

const NONCE_VALIDITY_MS = 5 * 60_000
const SESSION_VALIDITY_MS = 7 * 24 * 60 * 60_000
const TOKEN_BYTES = 32
/** Expired rows are kept this long, then deleted, some at a time in each process. */
const RETENTION_MS = 24 * 60 * 60_000
/** The visits of a day are kept this long after its end, and then only their number. */
const VISITS_RETENTION_MS = 60 * 60_000
/** The maximum number of visits that wait to be stored, so that a process keeps its memory while the database is away. */
const MAX_VISITS = 50_000
const CLEAN_UP_EVERY_MS = 10_000
const CLEAN_UP_ROWS = 2_000
/** The age of the recorded last use after which it is recorded again. */
const USE_NOTED_EVERY_MS = 5 * 60_000
/** The maximum number of listed sessions, the last used ones. */
const SHOWN_SESSIONS = 50

/** A sign-in message (EIP-4361) and its signature. */
export interface SignedMessage {
  readonly message: string
  readonly signature: Hex
}

export interface SignIn extends SignedMessage {
  /** The country that the proxy states; null where it is not known. */
  readonly country?: string | null
  readonly inviteCode?: string | undefined
  readonly side?: SideChoice | undefined
  /** The browser's user agent, from which the session's device name is derived. */
  readonly userAgent?: string | undefined
  /** A random number that the browser keeps, by which a new one is recognised. */
  readonly deviceKey?: string | undefined
}

export interface SignedIn {
  readonly token: string
  readonly expiresAt: Date
  readonly address: string
  /** Undefined for the wallet of an admin who is no member. */
  readonly member: Member | undefined
  readonly newMember: boolean
}

/** The facts by which a sign-in is decided. */
interface Facts {
  readonly member: Member | undefined
  /** The member with the invitation code, if one was given and exists. */
  readonly sponsorId: bigint | undefined
  /** True if sign-ups are paused. */
  readonly isPaused: boolean
  readonly isAdmin: boolean
  /** Why the wallet, and why the country, is not served. */
  readonly refused: Refusal | null
  readonly abroad: Refusal | null
}

const SIGN_UPS_PAUSED = pausedRead('sign_ups')

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly members: MembersService
  readonly admins: Pick<AdminsService, 'addressRead'>
  readonly reach: Pick<ReachService, 'refusalOf'>
  readonly signatures: Pick<Signatures, 'isSigned'>
  readonly contracts: ContractAddresses
  /** The URL of the product, which a sign-in message must contain. */
  readonly publicUrl: string
  readonly chainId: number
  readonly termsTexts: TermsTexts
}

export type AuthService = ReturnType<typeof createAuthService>

/** Creates the service of signing in with a wallet (EIP-4361) and of session tokens. */
export function createAuthService({
  db,
  now,
  members,
  admins,
  reach,
  signatures,
  contracts,
  publicUrl,
  chainId,
  termsTexts,
}: Deps) {
  const { host, origin } = new URL(publicUrl)
  const terms: SignInTerms = { domain: host, uri: origin, chainId, validityMs: NONCE_VALIDITY_MS }
  /** The visits of this process that are not stored yet, by day and address. */
  let visits = new Map<string, Visit>()
  let cleanedUpMs = 0

  function noteVisit(visit: Visit): void {
    if (visits.size < MAX_VISITS) visits.set(`${visit.day}/${visit.address}`, visit)
  }

  async function storeVisits(): Promise<void> {
    const taken = visits
    if (taken.size === 0) return
    visits = new Map()
    try {
      await repository.storeVisits(db, [...taken.values()])
    } catch (error) {
      for (const visit of taken.values()) noteVisit(visit)
      throw error
    }
  }

  async function cleanUp(at: Date): Promise<void> {
    if (Math.abs(at.getTime() - cleanedUpMs) < CLEAN_UP_EVERY_MS) return
    cleanedUpMs = at.getTime()
    await repository.deleteOver(db, {
      before: new Date(at.getTime() - RETENTION_MS),
      visitsBefore: dayOf(at.getTime() - VISITS_RETENTION_MS),
      limit: CLEAN_UP_ROWS,
    })
  }

  // Simultaneous requests share one query. Nothing is cached: the next request refuses a revoked token.
  const openSession = batched(async (tokenHashes: readonly Buffer[]) => {
    const at = now()
    const sessions = await repository.openSessions(db, tokenHashes, at)
    const isStale = ({ lastUsedAt }: FoundSession) => at.getTime() - lastUsedAt.getTime() > USE_NOTED_EVERY_MS
    const stale = sessions.filter(isStale).map(({ tokenHash }) => tokenHash)
    if (stale.length > 0) await repository.noteUse(db, stale, at)
    const byHash = new Map(sessions.map((session) => [session.tokenHash.toString('latin1'), session]))
    return tokenHashes.map((hash) => byHash.get(hash.toString('latin1')))
  })

  /** The reads of all that a sign-in is decided by. */
  const factsReads = (address: string, inviteCode: string | undefined, deviceHash: Buffer | null) => ({
    member: members.addressRead(address),
    sponsorId: inviteCode === undefined ? constantRead(undefined) : members.invitationRead(inviteCode),
    isPaused: inviteCode === undefined ? constantRead(false) : SIGN_UPS_PAUSED,
    admin: admins.addressRead(address),
    refused: addressRefusalRead(address),
    devices: devicesRead(MEMBERS, address, deviceHash),
  })

  async function memberFor(
    dbTx: Db,
    address: string,
    { inviteCode, side = 'auto' }: SignIn,
    facts: Facts,
  ): Promise<[Member | undefined, boolean]> {
    const { member, sponsorId, isPaused, isAdmin, refused, abroad } = facts
    if (member !== undefined) {
      // A member who may only leave signs in for that; an admin always signs in.
      if (!isAdmin)
        for (const refusal of [refused, abroad]) if (refusal?.level === 'no_service') refuse(refusal)
      return [member, false]
    }
    if (inviteCode === undefined) {
      if (!isAdmin) throw new AppError('INVITATION_REQUIRED')
      return [undefined, false]
    }
    refuse(refused)
    refuse(abroad)
    if (isPaused) throw new AppError('PAUSED', { area: 'sign_ups' })
    if (sponsorId === undefined) throw new AppError('INVITATION_INVALID')
    try {
      return [await members.join(dbTx, { address, sponsorId, side }), true]
    } catch (error) {
      // Another sign-in of the same wallet finished while this one waited for it.
      const joinedMember = isCode(error, 'MEMBER_EXISTS')
        ? await members.findByAddress(dbTx, address)
        : undefined
      if (joinedMember === undefined) throw error
      return [joinedMember, false]
    }
  }

  /**
   * Checks a sign-in message, its nonce and its signature. Returns the wallet in lower case, and the text that the message accepts;
   * null if it declines it. The nonce is still to be used. The text is that of the nonce: a message that was asked for before
   * midnight is valid for its minutes, also when another text is in force since.
   */
  async function checked({ message, signature }: SignedMessage) {
    const at = now()
    const claim = parseSignInMessage(message, terms, at)
    const address = claim.address.toLowerCase()
    const nonce = readNonce(claim.nonce)
    if (nonce === undefined) throw new AppError('NONCE_INVALID')
    const expiresAt = new Date(nonce.issuedAt.getTime() + NONCE_VALIDITY_MS)
    const { key, texts, isUsed, member } = await readShared(db, {
      key: repository.nonceKeyRead,
      texts: repository.textsRead(nonce.textStart),
      isUsed: repository.nonceUsedRead(claim.nonce),
      member: members.addressRead(address),
    })
    const isOfNonce = ({ sha256 }: TermsVersion) => nonce.isOf(key, { address, sha256 })
    // Only a text of the last seconds is not stored yet.
    const ofNonce = texts.find(isOfNonce) ?? [await termsTexts.keep()].find(isOfNonce)
    if (ofNonce === undefined || isUsed || expiresAt <= at) throw new AppError('NONCE_INVALID')
    const accepts = await acceptsTerms(claim, { uri: origin, ofNonce, isOther: termsTexts.wasInForce })
    if (!(await signatures.isSigned({ address: claim.address, message, signature }))) {
      throw new AppError('SIGNATURE_INVALID')
    }
    const accepted = accepts ? ofNonce : null
    return { nonce: claim.nonce, expiresAt, address, accepted, isMember: member !== undefined }
  }

  /** Uses a checked nonce. Throws NONCE_INVALID if it expired or was used since. */
  async function use(dbTx: Db, { nonce, expiresAt }: Awaited<ReturnType<typeof checked>>, at: Date) {
    if (expiresAt <= at || !(await repository.useNonce(dbTx, nonce, expiresAt)))
      throw new AppError('NONCE_INVALID')
  }

  /** Keeps a checked message as evidence that the wallet accepted a text. */
  function keepAcceptance(
    dbTx: Db,
    { address, memberId }: Pick<Caller, 'address' | 'memberId'>,
    { message, signature }: SignedMessage,
    accepted: TermsVersion,
    acceptedAt: Date,
  ): Promise<void> {
    return acceptances.insertAcceptance(dbTx, {
      address,
      memberId,
      message,
      acceptedAt,
      version: accepted.version,
      sha256: Buffer.from(accepted.sha256, 'hex'),
      signature: Buffer.from(signature.slice(2), 'hex'),
    })
  }

  /** Revokes sessions of a wallet, and removes the browsers that receive pushes by them. Returns their number. */
  function end(address: string, which: Parameters<typeof repository.revokeOf>[2]): Promise<number> {
    return inTx(db, async (dbTx) => {
      const ended = await repository.revokeOf(dbTx, address, which, now())
      await endSessions(dbTx, ended)
      noteChange(dbTx, address as Hex, 'session')
      return ended.length
    })
  }

  return {
    /** Does what calls leave to a process: stores visits and the text in force, and deletes at times what is over. */
    async tidy(): Promise<void> {
      await storeVisits()
      await cleanUp(now())
      await termsTexts.keep()
    },

    /**
     * Issues a single-use nonce for a wallet, and writes nothing. Returns the terms of the message to sign. Throws INVALID_ADDRESS for
     * what is no wallet.
     */
    async issueNonce(address: Hex) {
      const wallet = readWallet({ contracts }, address)
      const at = now()
      const inForce = await termsTexts.inForce()
      const { key, member, admin, termsAccepted } = await readShared(db, {
        key: repository.nonceKeyRead,
        member: members.addressRead(wallet),
        admin: admins.addressRead(wallet),
        termsAccepted: acceptances.acceptedRead(wallet, inForce.version),
      })
      const nonce = makeNonce(key, { address: wallet, sha256: inForce.sha256 }, at)
      const expiresAt = new Date(readNonce(nonce)!.issuedAt.getTime() + NONCE_VALIDITY_MS)
      if (member === undefined) noteVisit({ day: dayOf(at.getTime()), address: wallet })
      const registered = member !== undefined || admin !== null
      const statements = { statement: statementOf(inForce), leaveStatement: leaveStatementOf(inForce) }
      const named = { ...statements, termsUri: termsUri(origin, inForce), termsAccepted }
      return { ...terms, ...named, nonce, expiresAt, registered }
    },

    /**
     * Exchanges a signed message for a token. A wallet of no member becomes a member, which needs an invitation, unless it
     * is an admin's. A message that declines the terms opens a session of a member that can only take out. The nonce is used in the same transaction: after a refused invitation the same signature may be sent
     * again with another code. Throws MESSAGE_INVALID, TERMS_OUTDATED, NONCE_INVALID, SIGNATURE_INVALID,
     * NOT_SERVED, TERMS_NOT_ACCEPTED, INVITATION_REQUIRED, INVITATION_INVALID, PAUSED, CHAIN_UNAVAILABLE.
     */
    async signIn(request: SignIn): Promise<SignedIn> {
      const proof = await checked(request)
      const { address, nonce, accepted, isMember } = proof
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      const abroad = await reach.refusalOf({ country: request.country ?? null })
      // Sign-ups wait for each other, one transaction at a time.
      const joins = request.inviteCode !== undefined && !isMember
      const signIn = async (dbTx: Db) => {
        const at = now()
        const deviceHash = request.deviceKey === undefined ? null : hashOf(request.deviceKey)
        await use(dbTx, proof, at)
        const reads = factsReads(address, request.inviteCode, deviceHash)
        const { admin, devices, ...facts } = await readShared(dbTx, reads)
        const signInFacts = { ...facts, isAdmin: admin !== null, abroad }
        const [member, newMember] = await memberFor(dbTx, address, request, signInFacts)
        if (accepted === null && (member === undefined || newMember)) throw new AppError('TERMS_NOT_ACCEPTED')
        const memberId = member?.memberId ?? null
        const session = { tokenHash: hashOf(token), memberId, address, leavesOnly: accepted === null }
        const expiresAt = new Date(at.getTime() + SESSION_VALIDITY_MS)
        const device = deviceOf(request.userAgent ?? '')
        const event = `sign_in/${nonce.slice(0, 32)}`
        if (member !== undefined)
          await noteSignIn(dbTx, member.memberId, { devices, deviceHash, device, event, at })
        if (accepted !== null) await keepAcceptance(dbTx, session, request, accepted, at)
        await repository.insertSession(dbTx, { ...session, device, createdAt: at, expiresAt })
        return { token, expiresAt, address, member, newMember }
      }
      return inLane(joins ? 'locks' : 'writes', () => inTx(db, signIn))
    },

    /**
     * Accepts the text of terms and risks in force in an open session, and opens those that could only take out. Throws as
     * `signIn`, MESSAGE_INVALID for the message of another wallet, and TERMS_NOT_ACCEPTED for one that declines.
     */
    async acceptTerms(caller: Caller, signed: SignedMessage): Promise<void> {
      const proof = await checked(signed)
      const { address, accepted } = proof
      if (address !== caller.address) throw new AppError('MESSAGE_INVALID', { reason: 'address' })
      if (accepted === null) throw new AppError('TERMS_NOT_ACCEPTED')
      await inTx(db, async (dbTx) => {
        const at = now()
        await use(dbTx, proof, at)
        await keepAcceptance(dbTx, caller, signed, accepted, at)
        await repository.liftLeavesOnly(dbTx, address)
      })
    },

    /** Returns the version in force and what the wallet accepted, the one in force first, then the last. */
    async terms({ address }: Caller): Promise<TermsVersion & { accepted: Acceptance[] }> {
      const inForce = await termsTexts.inForce()
      return { ...inForce, accepted: await acceptances.acceptancesOf(db, address, inForce.version) }
    },

    /** Returns the session of a token and its wallet address. Throws UNAUTHORIZED. */
    async authenticate(token: string, address: string): Promise<Caller> {
      const session = await openSession(hashOf(token))
      if (session === undefined || session.address !== address.toLowerCase())
        throw new AppError('UNAUTHORIZED')
      return session
    },

    /** Reports of each session, by the hash of its token, whether it is open. It counts as no use. */
    async areOpen(tokenHashes: readonly Buffer[]): Promise<boolean[]> {
      const sessions = await repository.openSessions(db, tokenHashes, now())
      const open = new Set(sessions.map(({ tokenHash }) => tokenHash.toString('latin1')))
      return tokenHashes.map((tokenHash) => open.has(tokenHash.toString('latin1')))
    },

    /** Revokes the token of a session. */
    signOut: ({ tokenHash, address }: Caller): Promise<void> =>
      inTx(db, async (dbTx) => {
        await repository.revoke(dbTx, tokenHash, now())
        await endSessions(dbTx, [tokenHash])
        noteChange(dbTx, address as Hex, 'session')
      }),

    /** Returns the wallet's open sessions, the last used first; `isCurrent` marks the caller's. */
    async sessions(session: Caller): Promise<(ListedSession & { isCurrent: boolean })[]> {
      const listed = await repository.sessionsOf(db, session.address, now(), SHOWN_SESSIONS)
      return listed.map((item) => ({ ...item, isCurrent: item.tokenHash.equals(session.tokenHash) }))
    },

    /** Revokes one of the wallet's sessions; the next request with its token is refused. Throws NOT_FOUND. */
    async endSession({ address }: Caller, sessionId: bigint): Promise<number> {
      const ended = await end(address, { sessionId })
      if (ended === 0) throw new AppError('NOT_FOUND')
      return ended
    },

    /** Revokes all sessions of the wallet except the caller's. Returns their number. */
    endOtherSessions({ address, tokenHash }: Caller): Promise<number> {
      return end(address, { exceptHash: tokenHash })
    },
  }
}

function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

function isCode(error: unknown, code: AppError['code']): boolean {
  return error instanceof AppError && error.code === code
}
