import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { FundOrder } from '@rif/api-schema'
import { ALL_WEEKDAYS, investable, type Month, parseMicros } from '@rif/rules'
import { pino } from 'pino'
import type { ContractAddresses } from '../chain/client.ts'
import { connectChain } from '../chain/client.ts'
import { type Db, inTx } from '../db/database.ts'
import { inSimulation } from '../db/simulation.ts'
import type { ValuationDraft } from '../modules/fund/fund.service.ts'
import { createServices } from '../services.ts'
import { NO_SIGNER } from '../signer/protocol.ts'
import { createChildDatabase } from './child-database.ts'

// Performs actions of the fund's admins, and earlier actions of a member, in a running product, through its
// services. Its only argument is `ChildPlace` as JSON. Each input line is `ChildTasks` as JSON, answered by a
// line with `ChildAnswer` as JSON. It ends with its input. The end-to-end tests start it.
export interface ChildPlace {
  readonly databaseUrl: string
  /** The URL of the owner of the database. */
  readonly ownerUrl: string
  readonly rpcUrl: string
  readonly contracts: ContractAddresses
}

export interface ChildTasks {
  /** The lead of the admins' clocks: bills of this month are created in the next. Negative values let an approval of three days ago be paid now. */
  readonly clockAheadMs: number
  readonly tasks: readonly Task[]
}

/**
 * The answers to the tasks in their order, or the reason why one of them failed; the later ones are then not
 * started.
 */
type ChildAnswer = { readonly answers: readonly unknown[] } | { readonly error: string }

type Task =
  | { readonly do: 'open'; readonly name: string; readonly nav: string; readonly lockDays?: number }
  | { readonly do: 'grant'; readonly memberId: string; readonly rif: string }
  | { readonly do: 'buy'; readonly memberId: string; readonly productId: string; readonly units: string }
  | { readonly do: 'nav'; readonly productId: string; readonly nav: string }
  | { readonly do: 'propose'; readonly productId: string; readonly value: string }
  | { readonly do: 'approve'; readonly memberId: string; readonly redemptionId: string }
  | { readonly do: 'bills'; readonly month: Month }
  | {
      readonly do: 'transfer'
      readonly from: string
      readonly to: string
      readonly asset: 'USDT' | 'AMC'
      readonly amount: string
    }
  | {
      readonly do: 'withdraw'
      readonly memberId: string
      readonly amount: string
      readonly address: string
    }

const FIRST = 'first admin'
const SECOND = 'second admin'
const THIRD = 'third admin'

const { databaseUrl, ownerUrl, rpcUrl, contracts } = JSON.parse(process.argv[2] ?? '') as ChildPlace
let clockAheadMs = 0
const now = () => new Date(Date.now() + clockAheadMs)
const log = pino({ level: 'silent' })
const database = createChildDatabase({
  url: databaseUrl,
  max: 2,
  applicationName: 'fund-admin',
  role: 'rif_app',
})
const { db } = database
const chain = await connectChain({ rpcUrls: [rpcUrl], chainId: 42161, contracts })
const settings = {
  version: 'test',
  publicUrl: rpcUrl,
  browserRpcUrl: rpcUrl,
  explorerUrl: null,
  confirmations: 1,
  demoWallets: null,
  signer: NO_SIGNER,
  // The initial actions of a test need no signature, no review of transfers, and no new net value.
  transfersLimited: false,
  membersSign: false,
  navsGoStale: false,
}
const services = createServices({ db, now, log, chain, settings })
const { fund, members, hashPowerGrants } = services

const evidence = {
  heldAt: 'Custodian of the test',
  document: { title: 'Statement.txt', mediaType: 'text/plain', content: Buffer.from('Statement') },
}

/** Proposes a valuation without a decision. */
async function propose({ productId, value }: Extract<Task, { do: 'propose' }>): Promise<void> {
  const terms = { productId: BigInt(productId), valueMicros: parseMicros(value), evidence, actor: THIRD }
  await inTx(db, async (dbTx) => void (await fund.valuations.propose(dbTx, terms)))
}

/** Invests half of the cash. Only a simulation does so without an exit, which waits for two days. */
async function invest(productId: bigint): Promise<void> {
  const book = async (dbTx: Db) => {
    const product = await fund.products.get(dbTx, productId)
    const amountMicros = investable(await fund.assets.read(dbTx, product)) / 2n
    const draft = { productId, amountMicros, destination: 'test', evidence }
    const people = { preparedBy: FIRST, approvedBy: SECOND }
    const { investment_id } = await fund.investments.setAside(dbTx, { ...draft, ...people })
    await fund.investments.invest(dbTx, { investmentId: investment_id })
  }
  await inSimulation(ownerUrl, () => inTx(db, book))
}

/** Invests money, if none is invested, and values the investments so that a unit is worth `nav`. */
async function publish(productId: bigint, nav: string): Promise<void> {
  if (!(await fund.products.get(db, productId)).is_invested) await invest(productId)
  await inTx(db, async (dbTx) => {
    const product = await fund.products.get(dbTx, productId)
    const open = await fund.valuations.proposed(dbTx, productId)
    if (open !== undefined)
      await fund.valuations.reject(dbTx, { valuationId: open.valuation_id, actor: SECOND })
    const { cashMicros, units } = await fund.assets.read(dbTx, product)
    await decide(dbTx, { productId, valueMicros: parseMicros(nav) * units - cashMicros })
  })
}

async function decide(dbTx: Db, terms: Omit<ValuationDraft, 'evidence' | 'actor'>): Promise<void> {
  const draft = { ...terms, evidence, actor: FIRST }
  const { valuation_id: valuationId } = await fund.valuations.propose(dbTx, draft)
  await fund.valuations.approve(dbTx, { valuationId, actor: SECOND })
}

async function open(name: string, nav: string, lockDays = 0): Promise<{ productId: string }> {
  const terms = {
    minimumMicros: parseMicros('50'),
    lockDays,
    redeemableWeekdays: ALL_WEEKDAYS,
    subscriptionPpm: 10_000,
    redemptionPpm: 5_000,
    managementPpm: 200_000,
  }
  const { productId } = await inTx(db, (dbTx) =>
    fund.products.prepare(dbTx, {
      name,
      riskLevel: 3,
      estimatedAnnualReturnPpm: 60_000,
      terms,
      actor: FIRST,
      introduction: { en: `${name} is there for a test.` },
      openingMicros: parseMicros(nav),
      documents: [{ title: 'Terms.txt', mediaType: 'text/plain', content: Buffer.from(`Terms of ${name}`) }],
    }),
  )
  await inTx(db, (dbTx) => fund.products.approve(dbTx, { productId, actor: SECOND }))
  return { productId: `${productId}` }
}

async function grant({ memberId, rif }: Extract<Task, { do: 'grant' }>): Promise<void> {
  const grant = {
    key: `end-to-end/${randomUUID()}`,
    memberId: BigInt(memberId),
    amountMicros: parseMicros(rif),
    reason: 'as tested',
  }
  await inTx(db, (dbTx) => hashPowerGrants.give(dbTx, { preparedBy: FIRST, approvedBy: SECOND }, [grant]))
}

/** Creates a purchase that a member paid from the balance, also at an old net value. */
async function buy(task: Extract<Task, { do: 'buy' }>): Promise<FundOrder> {
  const { memberId, address } = await members.get(db, BigInt(task.memberId))
  const wanted = {
    productId: BigInt(task.productId),
    units: BigInt(task.units),
    payWith: 'available',
  } as const
  return inTx(db, (dbTx) => fund.orders.buy(dbTx, { memberId, address }, wanted))
}

/** Sends a part of a member's balance to another member. */
async function transfer({ from, to, asset, amount }: Extract<Task, { do: 'transfer' }>): Promise<void> {
  const sender = (await members.findByAddress(db, from))!
  const order = { asset, amountMicros: parseMicros(amount), address: to }
  await inTx(db, (dbTx) => services.transfers.transfer(dbTx, sender.memberId, order))
}

async function withdraw(task: Extract<Task, { do: 'withdraw' }>): Promise<{ withdrawId: string }> {
  const order = { asset: 'USDT', amountMicros: parseMicros(task.amount), address: task.address } as const
  const { withdraw_id } = await inTx(db, (dbTx) =>
    services.withdrawals.request(dbTx, BigInt(task.memberId), order),
  )
  return { withdrawId: withdraw_id }
}

async function carryOut(task: Task): Promise<unknown> {
  switch (task.do) {
    case 'open':
      return open(task.name, task.nav, task.lockDays)
    case 'grant':
      return grant(task)
    case 'buy':
      return buy(task)
    case 'nav':
      return publish(BigInt(task.productId), task.nav)
    case 'propose':
      return propose(task)
    case 'bills':
      return fund.bills.makeMonth(db, task.month)
    case 'transfer':
      return transfer(task)
    case 'withdraw':
      return withdraw(task)
    case 'approve': {
      const subject = { memberId: BigInt(task.memberId), redemptionId: BigInt(task.redemptionId) }
      const review = { ...subject, actor: FIRST, approve: true, reason: 'as tested' }
      await inTx(db, (dbTx) => fund.review.review(dbTx, review))
      return inTx(db, (dbTx) => fund.review.confirm(dbTx, { ...subject, actor: SECOND }))
    }
  }
}

async function answerTo({ tasks }: ChildTasks): Promise<ChildAnswer> {
  const answers: unknown[] = []
  try {
    for (const task of tasks) answers.push((await carryOut(task)) ?? null)
    return { answers }
  } catch (error) {
    return { error: error instanceof Error ? `${error.stack}` : `${error}` }
  }
}

try {
  for await (const line of createInterface(process.stdin)) {
    const request = JSON.parse(line) as ChildTasks
    clockAheadMs = request.clockAheadMs
    process.stdout.write(`${JSON.stringify(await answerTo(request))}\n`)
  }
} finally {
  await database.close()
}
