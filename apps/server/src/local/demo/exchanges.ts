import { parseMicros } from '@rif/rules'
import { type Db, inTx } from '../../db/database.ts'
import { idempotent } from '../../lib/idempotency.ts'
import type { Services } from '../../services.ts'
import { type DemoExchange, EXCHANGES, LAUNCH, SUBSCRIPTIONS } from './cast.ts'
import { type DemoTeam, OPERATOR, SECOND_OPERATOR } from './team.ts'

const DAY_MS = 86_400_000

/**
 * Sets a daily cap, exchanges hash power, opens a launch and subscribes VC to it. Skips the steps that are
 * done already.
 */
export async function makeExchanges(services: Services, team: DemoTeam): Promise<void> {
  const launchId = await openCentre(services)
  const { db, now, launches } = services
  for (const [index, exchange] of EXCHANGES.entries()) {
    await inTx(db, (dbTx) => exchangeOnce(services, dbTx, team, { key: `${index}`, exchange }))
  }
  for (const [index, { member, vc }] of SUBSCRIPTIONS.entries()) {
    const { memberId } = team.get(member)!
    const request = { memberId, key: `demonstration/launch/${index}`, operation: 'launch', input: vc }
    await inTx(db, (dbTx) =>
      idempotent(dbTx, request, now(), () =>
        launches.subscribe(dbTx, memberId, { launchId, vcMicros: parseMicros(vc) }),
      ),
    )
  }
}

/** Requests a quote and accepts it, once, as a client does with its Idempotency-Key. */
export async function exchangeOnce(
  { now, exchange: centre }: Services,
  dbTx: Db,
  team: DemoTeam,
  { key, exchange }: { key: string; exchange: DemoExchange },
): Promise<void> {
  const { memberId } = team.get(exchange.member)!
  const { to, rif } = exchange
  const request = { memberId, key: `demonstration/exchange/${key}`, operation: 'exchange', input: rif }
  await idempotent(dbTx, request, now(), async () => {
    const { quote_id } = await centre.quote(dbTx, memberId, { to, rifMicros: parseMicros(rif) })
    return centre.make(dbTx, memberId, BigInt(quote_id))
  })
}

/** Lets two admins set the cap and open the launch, in one transaction. Returns the id of the launch. */
async function openCentre(services: Services): Promise<bigint> {
  const { db, now, exchangeTerms, launchReview, launches, members } = services
  const root = (await members.root(db))!
  const [opened] = (await launches.list(db, root.memberId, { limit: 1 })).items
  if (opened !== undefined) return BigInt(opened.launch_id)
  return inTx(db, async (dbTx) => {
    const review = { approve: true, actor: SECOND_OPERATOR }
    const { termsId } = await exchangeTerms.prepare(dbTx, {
      asset: 'DIV',
      rateMicros: parseMicros('1'),
      actor: OPERATOR,
      dayCapMicros: parseMicros('100'),
    })
    await exchangeTerms.review(dbTx, { termsId, ...review })
    const at = now().getTime()
    const { launchId } = await launchReview.prepare(dbTx, {
      name: LAUNCH.name,
      introduction: LAUNCH.introduction,
      actor: OPERATOR,
      allocationMicros: parseMicros(LAUNCH.allocation),
      priceMicros: parseMicros(LAUNCH.price),
      startsAt: new Date(at),
      endsAt: new Date(at + LAUNCH.days * DAY_MS),
    })
    await launchReview.review(dbTx, { launchId, ...review })
    return launchId
  })
}
