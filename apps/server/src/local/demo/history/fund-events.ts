import { rifBankAbi } from '@rif/contracts/abi'
import { dayOf, formatMicros, parseMicros } from '@rif/rules'
import { type Address, encodeFunctionData } from 'viem'
import type { RawTx } from '../../../chain/raw-tx.ts'
import { inTx } from '../../../db/database.ts'
import { fundProductSubject } from '../../../modules/desk/proposals/proposals.service.ts'
import { decideTogether } from '../decisions.ts'
import { demoAdmins } from '../demo-wallets.ts'
import { carryOut, decideValuation, evidence, openProduct } from '../fund.ts'
import { PROCEEDS, PRODUCTS } from '../fund-products.ts'
import type { FundHappening } from './frame.ts'
import { depositRevenue } from './operator-events.ts'
import { orRefused, shareOf, tryOut, type World } from './world.ts'

type Of<What extends FundHappening['do']> = Extract<FundHappening, { do: What }>

/** The wallet of the custodian, which has no other role in the demonstration. */
const custodianOf = ({ chain }: World): Address => chain.accounts.at(-2)!
const CUSTODIAN = 'Custodian of the demonstration'
/** The part of a product's cash that is invested; the rest pays redemptions. */
const INVESTED = [82n, 100n] as const
const LEAST_INVESTED = parseMicros('40')
const PPM = 1_000_000n
const WHOLE = parseMicros('1')

/** Opens the products of the demonstration. */
export async function openProducts({ services: { db, fund } }: World): Promise<void> {
  for (const product of PRODUCTS) await inTx(db, (dbTx) => openProduct(dbTx, fund, product))
}

/** Approves the custodian by two admins and announces it in the bank, which lists it after two days. */
export async function listCustodian(world: World): Promise<void> {
  const address = custodianOf(world)
  await decideTogether(world.services, world.chain, {
    kind: 'exit_destination',
    payload: { address, name: CUSTODIAN, purpose: 'Investments of the fund' },
    subject: `destination/${address.toLowerCase()}`,
    reason: 'The contract with the custodian is signed',
  })
  await callBank(world, 'queueDestination')
}

export const acceptCustodian = (world: World) => callBank(world, 'executeDestination')

/** Sends a transaction of the bank's default admin about the custodian. */
async function callBank(
  world: World,
  functionName: 'queueDestination' | 'executeDestination',
): Promise<void> {
  const data = encodeFunctionData({ abi: rifBankAbi, functionName, args: [custodianOf(world)] })
  await sendAs(world, 'Otto', { to: world.services.chain.contracts.bank, data })
}

async function sendAs({ chain }: World, name: string, tx: RawTx | { to: Address; data: `0x${string}` }) {
  const admin = demoAdmins(chain.accounts).find(({ person }) => person === name)!
  await chain.mineTogether([{ from: admin.address as Address, tx }])
  await chain.finalise()
}

/** Has two admins decide to invest most of a product's cash, and announces the exit in the bank. */
export async function announceInvestment(world: World, { product }: Of<'announce'>): Promise<void> {
  const { services, chain } = world
  const productId = await productIdOf(world, product)
  const row = await services.fund.products.get(services.db, productId)
  const { cashMicros } = await services.fund.assets.read(services.db, row)
  const amountMicros = ((cashMicros * INVESTED[0]) / INVESTED[1] / WHOLE) * WHOLE
  if (amountMicros < LEAST_INVESTED) return
  const paper = evidence(`Placement of ${formatMicros(amountMicros)} USDT`)
  const { title, mediaType, content } = paper.document
  const document = { title, media_type: mediaType as 'text/plain', content: content.toString('base64') }
  await decideTogether(services, chain, {
    kind: 'fund_invest',
    payload: {
      product_id: `${productId}`,
      amount: formatMicros(amountMicros),
      destination: custodianOf(world),
      held_at: paper.heldAt,
      document,
    },
    subject: fundProductSubject(productId),
    reason: 'More cash than redemptions need',
  })
  await stepExit(world, 'announce')
}

/** Executes the exits that were announced two days ago. */
export const executeInvestment = (world: World) => stepExit(world, 'execute')

async function stepExit(world: World, call: 'announce' | 'execute'): Promise<void> {
  const { exits } = world.services
  const state = call === 'announce' ? 'Approved' : 'Announced'
  const open = (await exits.list({ show: 'open', limit: 10 })).items
  for (const exit of open.filter((item) => item.state === state)) {
    const { raw_tx } = await exits.tx(BigInt(exit.exit_id), call)
    await sendAs(world, 'Paul', raw_tx as RawTx)
  }
}

/** Values the investments of each product: their former value, and a change in millionths. */
export async function valueInvestments({ services }: World, { changesPpm }: Of<'value'>): Promise<void> {
  const { db, fund, now } = services
  const day = dayOf(now().getTime())
  const ids = [...(await fund.products.all(db)).keys()]
  for (const [index, productId] of ids.entries()) {
    const { is_invested, invested_micros } = await fund.products.get(db, productId)
    if (!is_invested) continue
    const valueMicros = (invested_micros * (PPM + changesPpm[index]!)) / PPM
    const draft = { productId, valueMicros, evidence: evidence(`Statement of ${day}`) }
    await inTx(db, (dbTx) => decideValuation(dbTx, fund, draft))
  }
  await fund.payouts.payDue(db)
}

/** Sells a part of an investment; its cash returns by a deposit. */
export async function sellSome(world: World): Promise<void> {
  const { db, fund } = world.services
  const productId = await productIdOf(world, PROCEEDS.product)
  const { is_invested, invested_micros } = await fund.products.get(db, productId)
  const amountMicros = parseMicros(PROCEEDS.amount)
  if (!is_invested || invested_micros < 2n * amountMicros) return
  const { depositId } = await depositRevenue(world, {
    asset: 'USDT',
    amount: PROCEEDS.amount,
    source: 'Sale of a flat',
  })
  const draft = {
    productId,
    amountMicros,
    valueMicros: invested_micros - amountMicros,
    evidence: evidence('Sale of a flat'),
    depositId: `${depositId}`,
  }
  await inTx(db, (dbTx) => decideValuation(dbTx, fund, draft))
}

/** Buys units for a share of what is available. */
export async function buyUnits(world: World, event: Of<'buyUnits'>): Promise<void> {
  const { services, team } = world
  const productId = await productIdOf(world, event.product)
  const { nav_micros, minimum_micros } = await services.fund.products.get(services.db, productId)
  const spent = await shareOf(world, event.member, { asset: 'USDT', sharePpm: event.sharePpm })
  const units = (spent * 99n) / 100n / nav_micros
  if (units === 0n || units * nav_micros < minimum_micros) return
  await tryOut(world, (dbTx) =>
    world.unsigned.fund.orders.buy(dbTx, team.get(event.member)!, { productId, units, payWith: 'available' }),
  )
}

/** Redeems a share of the units that a member may redeem, with the approval of two admins. */
export async function redeem(world: World, event: Of<'redeem'>): Promise<void> {
  const { services, team } = world
  const productId = await productIdOf(world, event.product)
  const { memberId } = team.get(event.member)!
  const { redemptions } = services.fund
  const preview = await orRefused(() => redemptions.preview(services.db, memberId, productId, 1n))
  const units = (BigInt(preview?.units_redeemable ?? 0) * event.sharePpm) / PPM
  if (units === 0n) return
  await tryOut(world, (dbTx) =>
    carryOut(dbTx, services.fund, { do: 'redeem', member: event.member, productId, units, team }),
  )
}

async function productIdOf({ services: { db, fund } }: World, index: number): Promise<bigint> {
  return [...(await fund.products.all(db)).keys()][index]!
}
