import { createHash } from 'node:crypto'
import type {
  AdminLedgerEntry,
  AdminLedgerGroup,
  AdminMember,
  AdminNote,
  AdminSearch,
  AdminSession,
  NoStaticReward,
  Reward,
  RewardType,
} from '@rif/api-schema'
import { type Asset, addDays, dayOf, formatMicros } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../../db/database.ts'
import { readMember } from '../../../db/read.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import { REVERSIBLE_KINDS, type TransactionKind } from '../../books/ledger/accounts.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { WithdrawalsService } from '../../leaving/withdrawals/withdrawals.service.ts'
import type { Member, MembersService } from '../../members/members.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { MeService } from '../../overview/me/me.service.ts'
import type { AttestedRevenue } from '../../rewards/attested-revenue/attested-revenue.service.ts'
import type { DayCapsService } from '../../rewards/rewards.day-caps.service.ts'
import type { RewardsService } from '../../rewards/rewards.service.ts'
import type { SettlementService } from '../../settlement/settlement.service.ts'
import { readSearch } from './reading.ts'
import { createMemberList } from './search.members.service.ts'
import * as repository from './search.repository.ts'

/** The maximum number of hits shown. */
const MAX_FOUND = 20

/** The kinds of each group of the ledger's filter. */
const GROUPS: Readonly<Record<AdminLedgerGroup, readonly TransactionKind[]>> = {
  sales: ['order_payment', 'order_discount_hold', 'order_discount_release', 'order_discount_spend'],
  rewards: ['commission', 'pairing', 'management', 'static', 'release', 'dividend'],
  withdrawals: ['withdrawal_request', 'withdrawal_return', 'withdrawal_paid', 'claim_set_aside'],
  transfers: ['transfer'],
  savings: ['savings_in', 'savings_out', 'savings_arrival', 'savings_interest'],
  fund: ['fund_purchase', 'fund_redemption', 'fund_income', 'fund_income_transfer'],
  exchange: ['hash_power_purchase', 'exchange', 'vc_subscription', 'vc_allocation'],
  other: ['suspense_release', 'unmatched_payment', 'attested_revenue', 'grant'],
}

/** A page of a list. */
export interface Page {
  readonly cursor?: string | undefined
  readonly limit: number
}

interface Deps {
  readonly now: Now
  readonly members: MembersService
  readonly me: MeService
  readonly ledger: LedgerService
  readonly withdrawals: Pick<WithdrawalsService, 'limit'>
  readonly dayCaps: Pick<DayCapsService, 'capRead'>
  readonly adminLog: AdminLogService
  readonly rewards: Pick<RewardsService, 'list'>
  readonly settlement: Pick<SettlementService, 'lastSettled'>
  readonly attestedRevenue: Pick<AttestedRevenue, 'approved'>
}

export type SearchService = ReturnType<typeof createSearchService>

/** Creates the service for admins to find members and read all facts about one. */
export function createSearchService(deps: Deps) {
  const { now, members, me, ledger, withdrawals, dayCaps, adminLog, rewards, settlement, attestedRevenue } =
    deps

  function lookUp(db: Db, q: string): Promise<repository.FoundMember[]> {
    const read = readSearch(q)
    const limit = MAX_FOUND + 1
    switch (read.reading) {
      case 'address':
        return repository.membersByAddress(db, read.text, limit)
      case 'address_start':
        return repository.byAddressStart(db, read.head, read.tail, limit)
      case 'code':
        return repository.byCode(db, read.code, limit)
      case 'number':
        return repository.byNumber(db, read.number, read.code, limit)
      case 'chain_id':
        return repository.byChainId(db, read)
      case 'hash':
        return repository.byHash(db, read.text, limit)
      case 'nothing':
        return Promise.resolve([])
    }
  }

  /** Returns why a member without a static reward has none. Rules, sections 5.4 and 6. */
  async function noStaticReward(db: Db, memberId: bigint): Promise<NoStaticReward> {
    const today = dayOf(now().getTime())
    const [paidOn, settledTo, attested] = await Promise.all([
      repository.firstPaymentDay(db, memberId),
      settlement.lastSettled(db),
      attestedRevenue.approved(db, { pool: 'yield_pool', to: today, limit: 1 }),
    ])
    const firstDay = paidOn === null ? null : addDays(paidOn, 1)
    return {
      reason:
        firstDay === null
          ? 'no_package'
          : firstDay >= today
            ? 'day_not_ended'
            : settledTo === null || settledTo < firstDay
              ? 'not_settled'
              : 'nothing_due',
      first_day: firstDay,
      settled_to: settledTo,
      attested: attested.length > 0,
    }
  }

  return {
    /** Returns the list of all members. */
    list: createMemberList({ members }),

    /** Searches for a text. Returns the interpretation of the text, and the hits. */
    async search(db: Db, q: string): Promise<AdminSearch> {
      const hits = await lookUp(db, q)
      const shown = hits.slice(0, MAX_FOUND)
      const ids = [...new Set(shown.map(({ memberId }) => memberId))].filter((id) => id > 0n)
      const listed = await members.listed(db, ids)
      return {
        reading: readSearch(q).reading,
        items: shown.map(({ kind, id, memberId }) => ({
          found: kind,
          id: id === null ? null : `${id}`,
          member: foundMember(listed.find((member) => member.memberId === memberId)),
        })),
        more: hits.length > shown.length,
      }
    },

    /** Returns the profile of a member. Throws MEMBER_NOT_FOUND. */
    async member(db: Db, memberId: bigint): Promise<AdminMember> {
      const member = await members.get(db, memberId)
      const [profile, place, extras, rewards, limit, ownDayCap, lastSeq] = await Promise.all([
        me.me(memberId),
        repository.placeOfMember(db, memberId),
        repository.extrasOf(db, memberId, now()),
        repository.rewardTotals(db, memberId),
        withdrawals.limit(db, memberId),
        readMember(db, memberId, dayCaps.capRead),
        ledger.history.lastSeq(db, memberId),
      ])
      const { riskReason, flaggedBy, flaggedAt } = extras
      return {
        profile,
        invite_code: member.inviteCode,
        joined_at: member.joinedAt.toISOString(),
        valid_at: member.validAt?.toISOString() ?? null,
        section: member.section,
        sponsor: relativeView(place.sponsor),
        parent: place.parent && { ...relativeOf(place.parent), side: place.parent.side },
        left: relativeView(place.left),
        right: relativeView(place.right),
        risk:
          riskReason === null || flaggedBy === null || flaggedAt === null
            ? null
            : { reason: riskReason, flagged_by: flaggedBy, flagged_at: flaggedAt.toISOString() },
        rewards: rewards.map(({ type, paidMicros, usdtMicros, amcMicros }) => ({
          type,
          paid: formatMicros(paidMicros),
          usdt: formatMicros(usdtMicros),
          amc: formatMicros(amcMicros),
        })),
        withdraw_limit: {
          limit: formatMicros(limit.limitMicros),
          used: formatMicros(limit.usedMicros),
          remaining: formatMicros(limit.remainingMicros),
        },
        own_day_cap: ownDayCap === null ? null : formatMicros(ownDayCap),
        notes: extras.notes,
        open_sessions: extras.openSessions,
        transactions: `${lastSeq}`,
      }
    },

    /** Returns a page of a member's books, newest first. */
    async ledger(
      db: Db,
      memberId: bigint,
      query: Page & { readonly asset?: Asset | undefined; readonly group?: AdminLedgerGroup | undefined },
    ): Promise<{ items: AdminLedgerEntry[]; next: string | null }> {
      const { items, next } = await ledger.history.entries(db, memberId, {
        cursor: query.cursor,
        limit: query.limit,
        asset: query.asset,
        kinds: query.group && GROUPS[query.group],
      })
      return {
        items: items.map((entry) => ({
          seq: `${entry.seq}`,
          line: entry.line,
          kind: entry.kind,
          reversible: REVERSIBLE_KINDS.includes(entry.kind),
          asset: entry.asset,
          source: entry.source,
          destination: entry.destination,
          amount: formatMicros(entry.amountMicros),
          cause_type: entry.cause.type,
          cause_id: entry.cause.id,
          accounting_day: entry.accountingDay,
          posted_at: entry.postedAt.toISOString(),
        })),
        next,
      }
    },

    /** Returns a page of a member's rewards, newest first, and why there is no static one if none was found. */
    async rewards(
      db: Db,
      memberId: bigint,
      query: Page & { readonly type?: RewardType | undefined },
    ): Promise<{ items: Reward[]; next: string | null; no_static: NoStaticReward | null }> {
      const page = await rewards.list(db, memberId, query)
      const isEmpty = query.type === 'Interest' && query.cursor === undefined && page.items.length === 0
      return { ...page, no_static: isEmpty ? await noStaticReward(db, memberId) : null }
    },

    /** Returns a page of a member's sessions that are still stored, newest first. */
    async sessions(
      db: Db,
      memberId: bigint,
      query: Page,
    ): Promise<{ items: AdminSession[]; next: string | null }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const rows = await repository.openSessionsOf(db, memberId, { before, limit: query.limit })
      const at = now()
      return toPage(
        rows,
        query.limit,
        (row) => ({
          session_id: `${row.sessionId}`,
          device: row.device,
          created_at: row.createdAt.toISOString(),
          last_used_at: row.lastUsedAt.toISOString(),
          expires_at: row.expiresAt.toISOString(),
          revoked_at: row.revokedAt?.toISOString() ?? null,
          open: row.revokedAt === null && row.expiresAt > at,
        }),
        (row) => encodeCursor(row.sessionId),
      )
    },

    /** Returns a page of the admins' notes about a member, newest first. */
    async notes(db: Db, memberId: bigint, query: Page): Promise<{ items: AdminNote[]; next: string | null }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const rows = await repository.notesOf(db, memberId, { before, limit: query.limit })
      return toPage(rows, query.limit, noteView, (row) => encodeCursor(row.noteId))
    },

    /** Adds a permanent note about a member. Throws MEMBER_NOT_FOUND. */
    async addNote(dbTx: Db, note: { memberId: bigint; text: string; actor: string }): Promise<AdminNote> {
      const { memberId, text, actor } = note
      await members.get(dbTx, memberId)
      const row = await repository.insertNote(dbTx, { memberId, text, writtenBy: actor, writtenAt: now() })
      await adminLog.record(dbTx, {
        actor,
        action: 'member.note',
        subject: `member/${memberId}/note/${row.noteId}`,
        // The log is permanent, and a text about a person must be deleted with the person's data.
        after: { sha256: createHash('sha256').update(text).digest('hex') },
      })
      return noteView(row)
    },
  }
}

const noteView = (row: repository.NoteRow): AdminNote => ({
  note_id: `${row.noteId}`,
  text: row.text,
  written_by: row.writtenBy,
  written_at: row.writtenAt.toISOString(),
})

const relativeOf = ({ memberId, address }: repository.Relative) => ({
  member_id: `${memberId}`,
  address: getAddress(address as Hex),
})

const relativeView = (relative: repository.Relative | null) => relative && relativeOf(relative)

/** Returns null for an unknown member: a payment may contain any id. */
const foundMember = (member: Member | undefined) =>
  member === undefined
    ? null
    : {
        member_id: `${member.memberId}`,
        address: getAddress(member.address as Hex),
        invite_code: member.inviteCode,
        level: member.level,
        joined_at: member.joinedAt.toISOString(),
      }
