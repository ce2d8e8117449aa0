import { rifBankAbi } from '@rif/contracts/abi'
import type { PaymentAsset } from '@rif/rules'
import { parseMicros } from '@rif/rules'
import { encodeFunctionData, type Hex, keccak256, toHex, zeroHash } from 'viem'
import { inTx } from '../../../db/database.ts'
import { decideTogether } from '../decisions.ts'
import { OPERATOR, SECOND_OPERATOR } from '../team.ts'
import type { Happening } from './frame.ts'
import { tokenOf, unitsOf, type World } from './world.ts'

type Of<What extends Happening['do']> = Extract<Happening, { do: What }>

const PAUSED_AREA = 'orders'

/** Publishes a price from now on. */
export async function publishPrice({ services }: World, { asset, price }: Of<'price'>): Promise<void> {
  const draft = { asset, priceMicros: parseMicros(price), actor: OPERATOR }
  await inTx(services.db, (dbTx) => services.pricing.publish(dbTx, draft))
}

/** Pays earnings of the operator into the bank and attests them for a pool. */
export async function payRevenue(
  world: World,
  { pool, asset, amount, source }: Of<'revenue'>,
): Promise<void> {
  const { db, attestedRevenue } = world.services
  const deposit = await depositRevenue(world, { asset, amount, source })
  const draft = { ...deposit, pool, asset, source, amountMicros: parseMicros(amount), actor: OPERATOR }
  await inTx(db, async (dbTx) => {
    const { attestationId } = await attestedRevenue.prepare(dbTx, draft)
    await attestedRevenue.approve(dbTx, { attestationId, actor: SECOND_OPERATOR })
  })
}

/**
 * Pays an amount into the bank from the operator's wallet. Returns the number of the final deposit and the
 * hash of its document.
 */
export async function depositRevenue(
  world: World,
  { asset, amount, source }: { asset: PaymentAsset; amount: string; source: string },
): Promise<{ depositId: bigint; documentHash: Hex }> {
  const { services, chain } = world
  const { untrustedClient: client, contracts } = services.chain
  const bank = { address: contracts.bank, abi: rifBankAbi } as const
  const documentHash = keccak256(toHex(`${source} ${world.nextNumber()}`))
  const units = unitsOf(world, asset, parseMicros(amount))
  const args = [zeroHash, tokenOf(world, asset), units, documentHash] as const
  const data = encodeFunctionData({ abi: rifBankAbi, functionName: 'depositRevenue', args })
  await chain.mineTogether([{ from: await chain.treasury(), tx: { to: contracts.bank, data } }])
  await chain.finalise()
  return { depositId: await client.readContract({ ...bank, functionName: 'depositCount' }), documentHash }
}

/** Pauses or resumes the sale of packages. */
export async function setPaused({ services, chain }: World, isPaused: boolean): Promise<void> {
  const reason = isPaused ? 'Work on the price feed' : 'The price feed is right again'
  const decision = { payload: { area: PAUSED_AREA }, subject: `pause/${PAUSED_AREA}`, reason } as const
  if (isPaused) {
    await decideTogether(services, chain, { kind: 'pause', ...decision, by: ['Olivia', 'Olivia'] })
  } else {
    await decideTogether(services, chain, { kind: 'resume', ...decision, by: ['Olivia', 'Otto'] })
  }
}
