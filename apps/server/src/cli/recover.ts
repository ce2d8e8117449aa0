import { formatMicros } from '@rif/rules'
import { undoOne } from '../chain/indexer/apply.ts'
import { createChainReader } from '../chain/indexer/reader.ts'
import {
  approveRecovery,
  type DeepReorganisation,
  eventsOfRecovery,
  findDeepReorganisation,
  findRecovery,
  insertRecovery,
  type Recovery,
  type RecoveryPlan,
} from '../chain/indexer/recovery.ts'
import { nextMissing } from '../chain/indexer/rewind.ts'
import { upsertEvents } from '../chain/indexer/store.ts'
import type { Config } from '../config.ts'
import { type Db, inTx } from '../db/database.ts'
import { createLogger } from '../lib/logger.ts'
import type { PostedLine } from '../modules/books/ledger/ledger.service.ts'
import type { SettledKind } from '../modules/settlement/replay/replay.service.ts'
import type { Services } from '../services.ts'
import { openSubject } from './audit.ts'
import { openDatabase } from './database.ts'
import { servicesOf } from './product.ts'

/** Thrown to roll back a trial. */
class TrialDone extends Error {}

type RecoveringServices = Pick<
  Services,
  'chain' | 'now' | 'ledger' | 'reversals' | 'eventHandlers' | 'withdrawals' | 'settlementReplays'
>

/**
 * Runs `rif recover`: compares the booked events with the chain. Prints events that are no longer on chain
 * and the postings of their undoing, and stores both for two admins to decide on (operators' page). Does not
 * change the books. Returns 0 if every booked event is on chain, and 3 if a recovery waits for a decision.
 */
export async function recover(config: Config): Promise<number> {
  const subject = await openSubject(config)
  const database = await openDatabase(subject.databaseUrl, 2)
  try {
    const log = createLogger({ level: config.logLevel ?? 'warn' })
    const services = await servicesOf(
      config,
      { chain: subject.chain, local: undefined },
      { db: database.db, log },
    )
    const recovery = await prepareRecovery(database.db, services, config.confirmations)
    process.stdout.write(
      `${recovery === undefined ? 'Every booked event is on the chain.' : linesOf(recovery).join('\n')}\n`,
    )
    return recovery === undefined ? 0 : 3
  } finally {
    await database.close()
    await subject.close()
  }
}

/**
 * Finds lost events, tries their undoing, and stores the result. Returns undefined if every booked event
 * stands.
 */
export async function prepareRecovery(
  db: Db,
  services: RecoveringServices,
  confirmations: number,
): Promise<Recovery | undefined> {
  const { chain, now } = services
  const reader = createChainReader(chain)
  const reorganisation = await findDeepReorganisation(db, chain.chainId, { reader, confirmations })
  if (reorganisation === undefined) return undefined
  const plan = await tryOut(db, services, reorganisation)
  const recoveryId = await inTx(db, (dbTx) =>
    insertRecovery(dbTx, chain.chainId, reorganisation, { plan, at: now() }),
  )
  return findRecovery(db, recoveryId)
}

/** Applies the recovery in a transaction that is rolled back, and returns its postings. */
async function tryOut(
  db: Db,
  services: RecoveringServices,
  reorganisation: DeepReorganisation,
): Promise<RecoveryPlan> {
  const { chain, now, eventHandlers: handlers } = services
  const { chainId } = chain
  let plan: RecoveryPlan | undefined
  await inTx(db, async (dbTx) => {
    const before = await accountsOf(dbTx, services)
    const paid = await services.settlementReplays.paidBySettlement(dbTx)
    const trial = await insertRecovery(dbTx, chainId, reorganisation, { plan: NO_PLAN, at: now() })
    await approveRecovery(dbTx, chainId, { recoveryId: trial, actor: 'trial', at: now() })
    await upsertEvents(dbTx, chainId, reorganisation.branch, 'final')
    for (;;) {
      const missing = await nextMissing(dbTx, chainId)
      if (missing === undefined) break
      await undoOne({ chainId, handlers, now }, dbTx, missing)
    }
    plan = {
      events: await eventsOfRecovery(dbTx, trial),
      postings: (await services.ledger.flows.postedHere(dbTx)).map(postingText),
      accounts: changes(before, await accountsOf(dbTx, services)),
      settled: restingOn(paid, await services.settlementReplays.paidBySettlement(dbTx)),
      ...(await debtsOf(dbTx, services, reorganisation)),
    }
    throw new TrialDone()
  }).catch((error: unknown) => {
    if (!(error instanceof TrialDone)) throw error
  })
  return plan!
}

const NO_PLAN: RecoveryPlan = { events: [], postings: [], accounts: [], settled: [], debts: [], left: [] }

/** Returns the kinds of settled rewards whose sum would differ without the undone orders. */
function restingOn(
  paid: Readonly<Record<SettledKind, bigint>>,
  without: Readonly<Record<SettledKind, bigint>>,
): RecoveryPlan['settled'] {
  const kinds = (Object.keys(paid) as SettledKind[]).filter((kind) => paid[kind] !== without[kind])
  return kinds.map((kind) => ({
    kind,
    paid: formatMicros(paid[kind]),
    without: formatMicros(without[kind]),
  }))
}

const ACCOUNTS = [
  'external',
  'revenue',
  'fees',
  'commission_pool',
  'yield_pool',
  'savings_pool',
  'dividend_pool',
] as const

async function accountsOf(db: Db, { ledger }: RecoveringServices): Promise<ReadonlyMap<string, bigint>> {
  const sums = await ledger.flows.accountsNow(db, [...ACCOUNTS, 'suspense', 'shortfall'])
  return new Map(sums.map(({ account, asset, micros }) => [`${account} ${asset}`, micros]))
}

function changes(
  before: ReadonlyMap<string, bigint>,
  after: ReadonlyMap<string, bigint>,
): RecoveryPlan['accounts'] {
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((name) => {
    const [account, asset] = name.split(' ') as [string, string]
    const [was, is] = [before.get(name) ?? 0n, after.get(name) ?? 0n]
    return was === is ? [] : [{ account, asset, before: formatMicros(was), after: formatMicros(is) }]
  })
}

async function debtsOf(
  dbTx: Db,
  { reversals, withdrawals }: RecoveringServices,
  { events, branch }: DeepReorganisation,
): Promise<Pick<RecoveryPlan, 'debts' | 'left'>> {
  const debts = await reversals.debts(dbTx)
  // The blocks of the new branch may have earlier times than those of the old one.
  const times = [...events.map(({ event }) => event), ...branch].map(({ blockAt }) => blockAt.getTime())
  const since = new Date(Math.min(...times, Date.now()))
  const left = await withdrawals.claimedSince(
    dbTx,
    debts.map(({ memberId }) => memberId),
    since,
  )
  const texts = ({ memberId, asset, micros }: { memberId: bigint; asset: string; micros: bigint }) => ({
    memberId: `${memberId}`,
    asset,
    amount: formatMicros(micros),
  })
  return {
    debts: debts.map(({ owedMicros, ...debt }) => texts({ ...debt, micros: owedMicros })),
    left: left.map(texts),
  }
}

const postingText = ({
  memberId,
  amountMicros,
  ...posting
}: PostedLine): RecoveryPlan['postings'][number] => ({
  ...posting,
  memberId: `${memberId}`,
  amount: formatMicros(amountMicros),
})

/** Returns the lines to print. */
function linesOf({ recoveryId, ancestor, plan }: Recovery): string[] {
  return [
    `Recovery ${recoveryId}: both branches have block ${ancestor.number} (${ancestor.hash}).`,
    `${plan.events.length} booked event(s) above it:`,
    ...plan.events.map(
      ({ name, txHash, block, outcome }) => `  ${outcome}: ${name} of ${txHash} in block ${block}`,
    ),
    'Postings:',
    ...plan.postings.map(
      ({ memberId, kind, asset, source, destination, amount }) =>
        `  member ${memberId}: ${amount} ${asset} ${source} -> ${destination} (${kind})`,
    ),
    'Accounts:',
    ...plan.accounts.map(
      ({ account, asset, before, after }) => `  ${account} ${asset}: ${before} -> ${after}`,
    ),
    'Rewards of settled days that rest on them, in USDT worth. They stay, and the operator bears what the pools lack:',
    ...plan.settled.map(({ kind, paid, without }) => `  ${kind}: ${paid} with them, ${without} without`),
    'Debts of members:',
    ...plan.debts.map(({ memberId, asset, amount }) => `  member ${memberId}: ${amount} ${asset}`),
    'Claimed from the bank by them meanwhile:',
    ...plan.left.map(({ memberId, asset, amount }) => `  member ${memberId}: ${amount} ${asset}`),
    'Nothing is changed yet: propose it on the page Emergency, and have another admin approve it.',
  ]
}
