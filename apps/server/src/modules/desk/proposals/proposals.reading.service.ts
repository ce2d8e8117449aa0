import {
  type Proposal,
  type ProposalContent,
  type ProposalKind,
  type ProposalListItem,
  type ProposalState,
  proposalState,
} from '@rif/api-schema'
import { roleAllows } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import type { Admin } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor, toPage } from '../../../lib/cursor.ts'
import type { DepsOf } from '../../../lib/deps.ts'
import { AppError } from '../../../lib/errors.ts'
import type { ProposalRow } from './proposals.repository.ts'
import * as repository from './proposals.repository.ts'
import { createProposalRisks } from './proposals.risks.service.ts'
import type { createProposalSteps, StepDeps } from './proposals.steps.service.ts'
import { listItem, proposalView } from './view.ts'

export interface ReadingDeps extends Pick<StepDeps, 'kinds' | 'admins'>, DepsOf<typeof createProposalRisks> {
  readonly db: Db
  readonly now: Now
}

/** The maximum count of proposals for an admin. */
const COUNTED = 100
/** The time for which an admin sees the own decisions. */
const DECIDED_MS = 7 * 24 * 60 * 60_000

/** Creates the reads of proposals: one, a list, and the number waiting for an admin. */
export function createProposalReading(
  deps: ReadingDeps & { readonly steps: ReturnType<typeof createProposalSteps> },
) {
  const { db, steps } = deps
  const { kindOf, contentOf, hindrance, walletsOf } = steps
  const risksOf = createProposalRisks(deps)

  async function view(on: Db, row: ProposalRow, admin: Admin): Promise<Proposal> {
    const [wallets, risks] = await Promise.all([walletsOf(on, admin), risksOf(on, [row])])
    return proposalView(row, hindrance(row, admin, wallets), risks.get(row.proposalId) ?? [])
  }

  async function requireFound(row: Promise<ProposalRow | undefined>): Promise<ProposalRow> {
    const proposal = await row
    if (proposal === undefined) throw new AppError('NOT_FOUND')
    return proposal
  }

  return {
    /** Returns a proposal as an admin sees it. */
    view,
    /** Returns the row of a query. Throws NOT_FOUND. */
    requireFound,

    /** Returns a proposal. Throws NOT_FOUND. */
    async get(admin: Admin, proposalId: bigint): Promise<Proposal> {
      return view(db, await requireFound(repository.findProposal(db, proposalId)), admin)
    },

    /** Returns the content of a proposal. Throws NOT_FOUND. */
    async content(proposalId: bigint): Promise<ProposalContent> {
      return contentOf(await requireFound(repository.findProposal(db, proposalId)))
    },

    /** Counts the open proposals that an admin can decide on now, at most 100, and returns the oldest. */
    async waitingFor(admin: Admin): Promise<{
      readonly count: number
      readonly more: boolean
      readonly oldest: { readonly preparedAt: Date; readonly by: string } | null
    }> {
      const kinds = (Object.keys(deps.kinds()) as ProposalKind[]).filter((kind) =>
        roleAllows(admin.role, kindOf(kind).decide),
      )
      const notBy = await deps.admins.walletsLike(db, admin.address)
      const filter = { kinds, notBy, limit: COUNTED + 1 }
      const [rows, wallets] = await Promise.all([repository.openFacts(db, filter), walletsOf(db, admin)])
      const mine = rows.filter((row) => hindrance(row, admin, wallets) === null)
      const [first] = mine
      return {
        count: Math.min(mine.length, COUNTED),
        more: rows.length > COUNTED,
        oldest: first === undefined ? null : { preparedAt: first.preparedAt, by: first.preparedPerson },
      }
    },

    /** Returns a page of proposals, newest first. */
    async list(
      admin: Admin,
      query: { show: Show; kind?: ProposalKind | undefined; cursor?: string | undefined; limit: number },
    ): Promise<{ items: ProposalListItem[]; next: string | null; open: number }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const mine = query.show === 'mine'
      const decidable = Object.keys(deps.kinds()) as ProposalKind[]
      const kinds = query.kind
        ? [query.kind]
        : mine
          ? decidable.filter((kind) => roleAllows(admin.role, kindOf(kind).decide))
          : null
      const own = await deps.admins.walletsLike(db, admin.address)
      const rows = await repository.listProposals(db, {
        states: STATES[query.show],
        kinds,
        before,
        limit: query.limit,
        notBy: mine ? own : undefined,
        by: query.show === 'own' ? own : undefined,
        decidedBy:
          query.show === 'decided'
            ? { address: admin.address, since: new Date(deps.now().getTime() - DECIDED_MS) }
            : undefined,
      })
      const [wallets, risks] = await Promise.all([walletsOf(db, admin), risksOf(db, rows)])
      const page = toPage(
        rows,
        query.limit,
        (row) => listItem(row, hindrance(row, admin, wallets), risks.get(row.proposalId) ?? []),
        (row) => encodeCursor(row.proposalId),
      )
      return { ...page, open: await repository.countOpenProposals(db) }
    },
  }
}

type Show = 'open' | 'mine' | 'own' | 'decided' | 'ended' | 'all'
const STATES: Readonly<Record<Show, readonly ProposalState[]>> = {
  open: ['Open', 'Approved'],
  mine: ['Open'],
  own: ['Open', 'Approved'],
  decided: ['Approved', 'Applied', 'Refused', 'Failed'],
  ended: ['Applied', 'Refused', 'Withdrawn', 'Expired', 'Failed'],
  all: proposalState.options,
}
