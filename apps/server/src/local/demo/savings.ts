import { parseMicros } from '@rif/rules'
import { type Db, inTx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { type DemoSaving, SAVINGS } from './cast.ts'
import type { DemoTeam } from './team.ts'

/** Starts a transfer out of savings. Skips completed steps. */
export async function makeSavings(services: Services, team: DemoTeam): Promise<void> {
  for (const [index, saving] of SAVINGS.entries()) {
    await inTx(services.db, (dbTx) => saveOnce(services, dbTx, team, { key: `${index}`, saving }))
  }
}

/** Makes a transfer once, as a client does with its Idempotency-Key. */
export async function saveOnce(
  { savings }: Services,
  dbTx: Db,
  team: DemoTeam,
  { key, saving }: { key: string; saving: DemoSaving },
): Promise<void> {
  const { asset, direction, amount } = saving
  const { memberId } = team.get(saving.member)!
  const order = { asset, amountMicros: parseMicros(amount) }
  const request = { memberId, key: `demonstration/savings/${key}`, operation: 'savings', input: saving }
  if (direction === 'in') await savings.transferIn(dbTx, memberId, order, { request })
  else await savings.transferOut(dbTx, memberId, order, { request })
}
