import { createHash } from 'node:crypto'
import { parseMicros } from '@rif/rules'
import { type Db, inDbTx } from '../../db/database.ts'
import { createLogger } from '../../lib/logger.ts'
import { createServices, type Services } from '../../services.ts'
import { type DemoProduct, PRODUCTS } from './fund-products.ts'
import { OPERATOR, SECOND_OPERATOR, type Team } from './team.ts'

const WEEK_MS = 7 * 86_400_000
const WEEKS = 52
/** What the operator attests for each product: far above what the demonstration holds. */
const ASSETS = parseMicros('250000')
const HOLDINGS = [
  { member: 'Finn', product: 0, units: 15n },
  { member: 'Ann', product: 0, units: 5n },
  { member: 'Finn', product: 1, units: 4n },
] as const

/**
 * Opens the fund's products with a year of NAVs, has some units bought and one redemption asked for: through the services,
 * on a clock of their own for the past. All of it, once, or nothing.
 */
export async function makeFund(services: Services, team: Team): Promise<void> {
  const { db, adminLog, chain, settings, now } = services
  const made = { action: 'demonstration.fund', subject: `bank/${chain.contracts.bank}` }
  if (await adminLog.has(db, made)) return
  const today = now().getTime()
  let clock = today
  const log = createLogger({ level: 'silent' })
  const { fund } = createServices({ db, now: () => new Date(clock), log, chain, settings })
  await inDbTx(db, async (dbTx) => {
    const productIds: bigint[] = []
    for (const product of PRODUCTS) {
      clock = today - WEEKS * WEEK_MS
      const productId = await open(dbTx, fund, product)
      productIds.push(productId)
      for (let week = 0; week < WEEKS; week++) {
        clock = today - (WEEKS - week) * WEEK_MS
        await publish(dbTx, fund, { productId, navMicros: product.navOf(week) })
      }
      // The last one but one is of yesterday, so that there is something to buy at, and to compare with.
      clock = today - 86_400_000
      await publish(dbTx, fund, { productId, navMicros: product.navOf(WEEKS - 0.5) })
    }
    clock = today
    for (const { member, product, units } of HOLDINGS) {
      const productId = productIds[product]!
      await fund.purchases.buy(dbTx, team.get(member)!, { productId, units, payWith: 'available' })
    }
    for (const [index, { navOf }] of PRODUCTS.entries()) {
      await publish(dbTx, fund, { productId: productIds[index]!, navMicros: navOf(WEEKS) })
    }
    await fund.redemptions.request(dbTx, team.get('Finn')!.memberId, productIds[0]!, 5n)
    await adminLog.record(dbTx, { actor: OPERATOR, ...made })
  })
}

async function open(dbTx: Db, fund: Services['fund'], product: DemoProduct): Promise<bigint> {
  const { navOf: _, ...draft } = product
  const text = `${product.name}\n\n${product.introduction.en}\n\nThis product belongs to a demonstration. There are no such assets.\n`
  const document = { title: 'About this product.txt', mediaType: 'text/plain; charset=utf-8' }
  const documents = [{ ...document, content: Buffer.from(text) }]
  const { productId } = await fund.products.prepare(dbTx, { ...draft, documents, actor: OPERATOR })
  await fund.products.approve(dbTx, { productId, actor: SECOND_OPERATOR })
  return productId
}

async function publish(
  dbTx: Db,
  fund: Services['fund'],
  nav: { productId: bigint; navMicros: bigint },
): Promise<void> {
  const documentHash = `0x${createHash('sha256').update(`${nav.productId} ${nav.navMicros}`).digest('hex')}`
  const draft = { ...nav, assetsMicros: ASSETS, documentHash, actor: OPERATOR }
  const { navId } = await fund.navs.prepare(dbTx, draft)
  await fund.navs.approve(dbTx, { navId, actor: SECOND_OPERATOR })
}
