import { amcTokenAbi } from '@rif/contracts/abi'
import { dayOf, parseMicros, toChainUnits } from '@rif/rules'
import { encodeFunctionData } from 'viem'
import { readBankHoldings } from '../../chain/bank-holdings.ts'
import { inDbTx } from '../../db/database.ts'
import { idempotent } from '../../lib/idempotency.ts'
import { accountTotals } from '../../modules/ledger/ledger.totals.ts'
import type { Services } from '../../services.ts'
import { AMC_DEPOSIT, type DemoSaving, SAVINGS } from './cast.ts'
import type { DemoChain } from './demo-chain.ts'
import type { DemoMember, Team } from './team.ts'

/** Has members save, and one amount on its way out of savings. What has been done before is left alone. */
export async function makeSavings(services: Services, chain: DemoChain, team: Team): Promise<void> {
  await depositAmc(services, chain, team.get(AMC_DEPOSIT.member)!)
  for (const [index, saving] of SAVINGS.entries()) {
    await transfer(services, team.get(saving.member)!, index, saving)
  }
}

/** AMC to save: rewards in AMC are locked for a month at first. The tokens lie in the bank before the books say so. */
async function depositAmc(services: Services, chain: DemoChain, { memberId }: DemoMember): Promise<void> {
  const { db, now, ledger } = services
  const { contracts, decimals, client } = services.chain
  const amountMicros = parseMicros(AMC_DEPOSIT.amount)
  const held = await readBankHoldings(services.chain, await client.getBlockNumber({ cacheTime: 0 }))
  const external = (await accountTotals(db)).find(
    ({ asset, account }) => asset === 'AMC' && account === 'external',
  )
  const { savings, savings_leaving, available } = (await ledger.balances(db, memberId)).AMC
  if (savings + savings_leaving + available > 0n) return
  if (held.AMC.micros + (external?.micros ?? 0n) < amountMicros) {
    const args = [contracts.bank, toChainUnits(amountMicros, decimals.AMC)] as const
    const data = encodeFunctionData({ abi: amcTokenAbi, functionName: 'transfer', args })
    await chain.mineTogether([{ from: await chain.treasury(), tx: { to: contracts.amc, data } }])
    await chain.finalise()
  }
  const at = now()
  await ledger.post(db, {
    key: 'demonstration/amc-deposit',
    kind: 'grant',
    cause: { type: 'demonstration', id: 'amc-deposit' },
    accountingDay: dayOf(at.getTime()),
    at,
    lines: [{ memberId, asset: 'AMC', source: 'external', destination: 'available', amountMicros }],
  })
}

/** Makes a transfer once, as a client does with its Idempotency-Key. */
async function transfer(
  { db, now, savings }: Services,
  { memberId }: DemoMember,
  index: number,
  input: DemoSaving,
): Promise<void> {
  const { asset, direction } = input
  const order = { asset, amountMicros: parseMicros(input.amount) }
  const key = `demonstration/savings/${index}`
  await inDbTx(db, (dbTx) =>
    idempotent(dbTx, { memberId, key, operation: 'savings', input }, now(), () =>
      direction === 'in'
        ? savings.transferIn(dbTx, memberId, order)
        : savings.transferOut(dbTx, memberId, order),
    ),
  )
}
