import { type Day, dayOf, nextDay, parseMicros, startOfDay } from '@rif/rules'
import { type Db, inTx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { DEPOSITS, PAST_EXCHANGES, PAST_SAVINGS, REVENUE } from './cast.ts'
import { servicesAt } from './demo-clock.ts'
import { exchangeOnce } from './exchanges.ts'
import { revenueDeposit } from './pay-in.ts'
import { saveOnce } from './savings.ts'
import { type DemoTeam, OPERATOR, SECOND_OPERATOR } from './team.ts'

const [HOUR_MS, MINUTE_MS] = [3_600_000, 60_000]

/**
 * Creates the days before today: test deposits, savings, exchanges and attested revenue on their days, all of
 * it once or not at all, and then the settlement of every day that has ended. If the root member existed
 * before the demonstration, only the days since then are created.
 */
export async function makePast(services: Services, team: DemoTeam): Promise<void> {
  const { db, adminLog, chain, now, members, settlement } = services
  const firstDay = dayOf((await members.root(db))!.joinedAt.getTime())
  await settlement.begin(firstDay)
  let clock = now()
  const past = servicesAt(services, () => clock)
  const made = { action: 'demonstration.past', subject: `bank/${chain.contracts.bank}` }
  if (!(await adminLog.has(db, made))) {
    await inTx(db, async (dbTx) => {
      for (let day = firstDay, index = 0; day <= dayOf(now().getTime()); day = nextDay(day), index++) {
        clock = earlier(now(), timeOf(day, 10 * HOUR_MS))
        await liveDay(past, dbTx, team, index)
      }
      await adminLog.record(dbTx, { actor: OPERATOR, ...made })
    })
  }
  for (;;) {
    const day = (await settlement.nextToSettle())!
    clock = timeOf(nextDay(day), 5 * MINUTE_MS)
    if (clock > now()) return
    await past.settlement.settle(day)
  }
}

/** The events of a day, counted from the first. */
async function liveDay(past: Services, dbTx: Db, team: DemoTeam, index: number): Promise<void> {
  if (index === 0) await bookDeposits(past, dbTx, team)
  for (const [number, saving] of PAST_SAVINGS.entries()) {
    if (saving.day === index) await saveOnce(past, dbTx, team, { key: `past/${number}`, saving })
  }
  for (const [number, exchange] of PAST_EXCHANGES.entries()) {
    if (exchange.day === index) await exchangeOnce(past, dbTx, team, { key: `past/${number}`, exchange })
  }
  for (const [number, { pool, asset, amount, source, day }] of REVENUE.entries()) {
    if (day !== index) continue
    const deposit = revenueDeposit(number)
    const draft = { pool, asset, source, amountMicros: parseMicros(amount), ...deposit, actor: OPERATOR }
    const { attestationId } = await past.attestedRevenue.prepare(dbTx, draft)
    await past.attestedRevenue.approve(dbTx, { attestationId, actor: SECOND_OPERATOR })
  }
}

/** Test deposits (rules, section 2). The bank holds their tokens. */
async function bookDeposits({ ledger, now }: Services, dbTx: Db, team: DemoTeam): Promise<void> {
  for (const [number, { member, asset, amount }] of DEPOSITS.entries()) {
    const { memberId } = team.get(member)!
    const amountMicros = parseMicros(amount)
    await ledger.post(dbTx, {
      key: `demonstration/deposit/${number}`,
      kind: 'grant',
      cause: { type: 'demonstration', id: 'deposit' },
      accountingDay: dayOf(now().getTime()),
      at: now(),
      lines: [{ memberId, asset, source: 'external', destination: 'available', amountMicros }],
    })
  }
}

const timeOf = (day: Day, offsetMs: number) => new Date(startOfDay(day) + offsetMs)
const earlier = (a: Date, b: Date) => (a < b ? a : b)
