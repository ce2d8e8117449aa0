import type { AppConfig } from '@rif/api-schema'
import { dayOf, formatMicros } from '@rif/rules'
import { sql } from 'kysely'
import { getAddress, type Hex } from 'viem'
import type { Chain } from '../../../chain/client.ts'
import { type FollowedBank, listBanks } from '../../../chain/hand-over.ts'
import { indexerStatus } from '../../../chain/indexer/position.ts'
import { storedNodes } from '../../../chain/nodes/node-states.ts'
import { machineStates } from '../../../db/citus/machines.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { type BrowserChain, bankFactsOf } from '../../../plugins/bank-facts.ts'
import type { Signer } from '../../../signer/client.ts'
import type { SignerStatus } from '../../../signer/protocol.ts'
import type { TermsTexts } from '../../access/auth/auth.texts.service.ts'
import { guardCauses } from '../../access/gates/gates.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { AdminsService } from '../../operators/admins/admins.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import type { RewardsService } from '../../rewards/rewards.service.ts'

/** The settings that only browsers use. */
export interface PublicSettings extends BrowserChain {
  readonly version: string
  /** The contact for members. */
  readonly supportContact?: string | undefined
  /** Unlocked wallets of the chain that the product itself started; null on any other. */
  readonly demoWallets: readonly { readonly address: string; readonly label: string }[] | null
}

/** A part and, if it does not work, the reason, without the name of any host. */
export interface PartCheck {
  readonly ok: boolean
  readonly problem?: string
}
/** The parts without which a process cannot serve. */
export type Readiness = Readonly<Record<'database' | 'schema', PartCheck>>
/** The parts without which a process serves less. */
export type Status = Readonly<
  Record<'machines' | 'chain' | 'indexer' | 'signer' | 'approvers' | 'gate', PartCheck>
>

interface Deps {
  readonly now: Now
  readonly chain: Chain
  readonly members: MembersService
  readonly admins: Pick<AdminsService, 'list' | 'approverDifferences'>
  readonly plans: PlansService
  readonly rewards: RewardsService
  readonly termsTexts: Pick<TermsTexts, 'inForce'>
  readonly settings: PublicSettings
  readonly signer: Pick<Signer, 'status'>
  /** Returns why this code cannot work with the database's schema; null if it can. */
  readonly schemaProblem: (db: Db) => Promise<string | null>
}

const OK: PartCheck = { ok: true }

const APP_TITLE = 'RIFund Portfolio'
const APP_CODE = 100
/** The limits beyond which the indexer is late: time since its last poll of the chain, and blocks behind. */
const MAX_POLL_AGE_MS = 60_000
const MAX_LAG_BLOCKS = 600n

export type SystemService = ReturnType<typeof createSystemService>

/** Creates the service that reports the product's settings and health. */
export function createSystemService({
  now,
  chain,
  members,
  admins,
  plans,
  rewards,
  termsTexts,
  settings,
  signer,
  schemaProblem,
}: Deps) {
  async function demo(db: Db): Promise<Pick<AppConfig, 'demo' | 'demo_invite_code'>> {
    if (settings.demoWallets === null) return { demo: null, demo_invite_code: null }
    const demoMembers = await Promise.all(
      settings.demoWallets.map(({ address }) => members.findByAddress(db, address)),
    )
    const operators = new Set((await admins.list(db)).map(({ address }) => address))
    const wallets = settings.demoWallets.map(({ address, label }, index) => ({
      address: getAddress(address as Hex),
      label,
      member: demoMembers[index] !== undefined,
      admin: operators.has(address.toLowerCase()),
    }))
    const inviter = demoMembers.find((member) => member !== undefined)
    return { demo: wallets, demo_invite_code: inviter?.inviteCode ?? null }
  }

  async function indexerCheck(db: Db): Promise<PartCheck> {
    const status = await indexerStatus(db, chain.chainId)
    if (status === null) return { ok: false, problem: 'has not run yet' }
    const ageMs = now().getTime() - status.polledAt.getTime()
    if (ageMs > MAX_POLL_AGE_MS) return { ok: false, problem: 'not running' }
    if (status.halted) return { ok: false, problem: 'halted' }
    if (status.lastError !== null) return { ok: false, problem: 'its last look at the chain failed' }
    if (status.lagBlocks > MAX_LAG_BLOCKS) return { ok: false, problem: `${status.lagBlocks} blocks behind` }
    return OK
  }

  /** Reads the states that the indexer has stored, without a call to a node. */
  async function nodesCheck(db: Db): Promise<PartCheck> {
    const nodes = await storedNodes(db, chain.chainId)
    const checkedAt = Math.max(...nodes.map((node) => node.checkedAt.getTime()))
    if (now().getTime() - checkedAt > MAX_POLL_AGE_MS)
      return { ok: false, problem: 'unknown: no indexer has asked the nodes for a minute' }
    const aside = nodes.filter(({ state }) => state !== 'healthy')
    if (nodes.length - aside.length >= chain.nodes.quorum) return OK
    const states = [...new Set(aside.map(({ state }) => state))]
    const problem = states.map(
      (state) => `${aside.filter((item) => item.state === state).length} of ${nodes.length} ${state}`,
    )
    return { ok: false, problem: `no quorum: ${problem.join(', ')}` }
  }

  async function gateCheck(db: Db): Promise<PartCheck> {
    const causes = await guardCauses(db)
    return causes.length === 0
      ? OK
      : { ok: false, problem: `closed: ${causes.map(({ cause }) => cause).join(', ')}` }
  }

  /** Names no machine, because anybody may ask; the metrics do. */
  async function machinesCheck(db: Db): Promise<PartCheck> {
    const states = await machineStates(db)
    const absent = states.filter(({ isAnswering }) => !isAnswering).length
    return absent === 0 ? OK : { ok: false, problem: `${absent} of ${states.length} do not answer` }
  }

  /** Names no wallet, because anybody may ask; the alarm does. */
  async function approversCheck(db: Db, { approvers }: SignerStatus): Promise<PartCheck> {
    const { length } = await admins.approverDifferences(db, approvers)
    return length === 0 ? OK : { ok: false, problem: `SIGNER_APPROVERS and the roles differ: ${length}` }
  }

  return {
    /** Returns everything the app needs before sign-in. */
    async config(db: Db): Promise<Omit<AppConfig, 'refused'>> {
      const plan = await plans.planAt(db, dayOf(now().getTime()))
      const { former_banks: _, ...facts } = bankFactsOf(settings, chain.contracts)
      return {
        app: { title: APP_TITLE, version: settings.version, code: APP_CODE },
        ...facts,
        banks: (await listBanks(db, chain.contracts)).map(bankView),
        decimals: chain.decimals,
        quote_minutes: plan.order.quoteValidityMs / 60_000,
        use_hash_rate_percent: plan.order.hashRatePpm,
        withdraw: {
          fee_ppm: plan.withdrawal.feePpm,
          audit_above_usdt: formatMicros(plan.withdrawal.auditAboveMicros),
        },
        contact: settings.supportContact ?? null,
        terms: await termsTexts.inForce(),
        ...(await demo(db)),
        coverage_30d: await rewards.coverage30Days(db),
      }
    },

    /** Reports whether this process can serve; an unreachable part does not. */
    async readiness(db: Db): Promise<Readiness> {
      const [database, schema] = await Promise.all([
        check(async () => {
          await sql`select 1`.execute(db)
          return OK
        }),
        check(async () => {
          const problem = await schemaProblem(db)
          return problem === null ? OK : { ok: false, problem }
        }),
      ])
      return { database, schema }
    },

    /** Reports whether the parts work without which members can do less. */
    async status(db: Db): Promise<Status> {
      const signerStatus = signer.status()
      const [machines, nodes, indexer, keys, approvers, gate] = await Promise.all([
        check(() => machinesCheck(db)),
        check(() => nodesCheck(db)),
        check(() => indexerCheck(db)),
        check(async () => {
          const { trouble } = await signerStatus
          return trouble === null ? OK : { ok: false, problem: trouble }
        }),
        check(async () => approversCheck(db, await signerStatus)),
        check(() => gateCheck(db)),
      ])
      return { machines, chain: nodes, indexer, signer: keys, approvers, gate }
    },
  }
}

async function check(ask: () => Promise<PartCheck>): Promise<PartCheck> {
  try {
    return await ask()
  } catch {
    return { ok: false, problem: 'does not answer' }
  }
}

function bankView({ address, phase, successor, executableAt, handedOver }: FollowedBank) {
  return {
    address,
    state: phase,
    successor: successor === null ? null : getAddress(successor),
    hand_over_from: executableAt?.toISOString() ?? null,
    handed_over_at: handedOver?.blockAt.toISOString() ?? null,
  }
}
