import { parseMicros, toChainUnits } from '@rif/rules'
import { sql } from 'kysely'
import { getAddress, type Hex } from 'viem'
import { chainExit } from '../chain/bank-exits.ts'
import { inTx } from '../db/database.ts'
import { findExit } from '../modules/fund/treasury/treasury.repository.ts'
import { decide, prepare, type TestAdmin } from './admin-actions.ts'
import { newWallet, type TestServer } from './test-server.ts'

const HASH: Hex = `0x${'ab'.repeat(32)}`

/** Records that the bank contract lists a destination of exits. */
export async function listOnChain({ services, database }: TestServer, address: string): Promise<void> {
  const { chain } = services
  const args = JSON.stringify({ destination: getAddress(address) })
  await sql`
    insert into chain_events (chain_id, block_hash, log_index, block_number, block_at, tx_hash, contract, name, args,
      state, told, told_at)
    select ${chain.chainId}, ${HASH}, count(*), 1, now(), ${HASH}, ${chain.contracts.bank}, 'DestinationListed',
      ${args}::jsonb, 'final', 'final', now() from chain_events`.execute(database.db)
}

/** Lets two admins name the owner of a destination of exits, which the bank contract then lists. */
export async function listDestination(
  server: TestServer,
  { operator, approver }: { operator: TestAdmin; approver: TestAdmin },
  address: string = newWallet().address,
): Promise<string> {
  const payload = { address, name: 'Our landlord', purpose: 'rent' }
  const proposal = await prepare(server, operator, 'exit_destination', payload)
  const { status, data } = await decide(server, approver, proposal)
  if (status !== 200) throw new Error(JSON.stringify(data))
  await listOnChain(server, address)
  return address
}

/** Supplies a final deposit of USDT, and returns its number. */
export async function finalDeposit(
  { services, database }: Pick<TestServer, 'services' | 'database'>,
  depositId: bigint,
  amount: string,
): Promise<string> {
  const { attestedRevenue, chain } = services
  const token = chain.contracts.usdt
  await inTx(database.db, (dbTx) =>
    attestedRevenue.handler.onFinal(dbTx, {
      name: 'RevenueDeposited',
      blockNumber: 1n,
      blockHash: HASH,
      blockAt: new Date(),
      txHash: HASH,
      logIndex: 0,
      contract: chain.contracts.bank,
      args: {
        depositId,
        from: token,
        label: HASH,
        token,
        documentHash: HASH,
        amount: toChainUnits(parseMicros(amount), chain.decimals.USDT),
      },
    }),
  )
  return `${depositId}`
}

/** Supplies the final announcement and execution of an approved investment. */
export async function executeInvestment(
  { services, database }: TestServer,
  investmentId: bigint,
): Promise<void> {
  const { chain, exitEvents, fund } = services
  const { exit_id: exitId } = (await fund.investments.find(database.db, investmentId))!
  const exit = (await findExit(database.db, BigInt(exitId!)))!
  const at = new Date()
  const place = { blockNumber: 1n, blockHash: HASH, blockAt: at, txHash: HASH, logIndex: 0 }
  const event = { ...place, contract: chain.contracts.bank }
  const args = chainExit(chain, exit)
  const executableAt = BigInt(Math.floor(at.getTime() / 1_000))
  await inTx(database.db, async (dbTx) => {
    const announced = { ...event, name: 'ExitAnnounced', args: { ...args, executableAt } } as const
    await exitEvents.ExitAnnounced.onFinal(dbTx, announced)
    await exitEvents.ExitExecuted.onFinal(dbTx, { ...event, name: 'ExitExecuted', args })
  })
}
