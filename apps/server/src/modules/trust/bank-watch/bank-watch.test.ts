import { rifBankAbi } from '@rif/contracts/abi'
import { createWalletClient, getAddress, type Hex, http, keccak256, toBytes } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { arbitrum } from '../../../chain/arbitrum.ts'
import { inTx } from '../../../db/database.ts'
import { createLogger } from '../../../lib/logger.ts'
import { startTestProduct, type TestProduct } from '../../../testing/test-product.ts'
import { appointTestApprovers } from '../../../testing/withdrawal-reviews.ts'
import { alarmsOf } from './alarms.ts'

const DAY_MS = 86_400_000
const ACTOR = '0x00000000000000000000000000000000000000ad'

let product: TestProduct
let lines: Record<string, unknown>[] = []
const log = createLogger({ level: 'info', stream: { write: (line) => lines.push(JSON.parse(line)) } })
const alarmLines = () => lines.filter(({ alarm }) => alarm === true)

beforeAll(async () => {
  product = await startTestProduct({ log })
  await appointTestApprovers(product.services)
  await product.finalise()
})
afterAll(() => product.stop())
beforeEach(() => {
  lines = []
})

type Key = keyof TestProduct['testChain']['keys']
type Call = { functionName: string; args?: readonly unknown[] }

/** Sends a call to the bank as the holder of a role, in a final block that the indexer has applied. */
async function send(role: Key, { functionName, args = [] }: Call): Promise<void> {
  const { keys, rpcUrl, contracts } = product.testChain
  const account = privateKeyToAccount(keys[role] as Hex)
  const wallet = createWalletClient({ account, chain: arbitrum, transport: http(rpcUrl) })
  const call = { address: contracts.bank, abi: rifBankAbi, functionName, args }
  expect((await product.receiptOf(await wallet.writeContract(call as never))).status).toBe('success')
  await product.finalise()
}

const bankOf = () => product.testChain.contracts.bank
const report = () => product.services.bankWatch.report()
const look = () => product.services.bankWatch.look()
const newKey = () => privateKeyToAccount(generatePrivateKey()).address
const kinds = async () => (await report()).alarms.map(({ kind }) => kind).toSorted()

test('the creation of the contract raises no alarm', async () => {
  expect((await report()).changes).toEqual([])
  expect(alarmLines()).toEqual([])
})

test('a role change that nobody announced in the product is an alarm', async () => {
  const thief = newKey()
  await send('admin', { functionName: 'grantRole', args: [keccak256(toBytes('PAUSER_ROLE')), thief] })
  const [change] = (await report()).changes
  expect(change).toMatchObject({ kind: 'role_granted', role: 'pauser', account: thief, proposed_by: null })
  expect(alarmLines()).toMatchObject([
    {
      level: 50,
      change: 'role_granted',
      role: 'pauser',
      account: thief,
      proposedBy: null,
      msg: 'the bank contract changed, and no admin announced it',
    },
  ])
})

test('an announced appointment names the admin, still raises an alarm, and waits two days', async () => {
  const next = newKey()
  const { services, db } = product
  for (const call of ['queueClaimSigner', 'cancelClaimSigner'] as const) {
    await inTx(db, (dbTx) =>
      services.bankWatch.announce(dbTx, { actor: ACTOR, bank: bankOf(), call, subject: next }),
    )
  }
  await send('admin', { functionName: 'queueClaimSigner', args: [next] })
  const [queued] = (await report()).changes
  expect(queued).toMatchObject({ kind: 'signer_queued', account: next, proposed_by: getAddress(ACTOR) })
  const waitsMs = Date.parse(queued!.executable_at!) - Date.parse(queued!.changed_at)
  expect(waitsMs).toBe(2 * DAY_MS)
  await look()
  expect(await kinds()).toEqual(['change_queued'])

  await send('guardian', { functionName: 'cancelClaimSigner', args: [next] })
  expect((await report()).changes[0]).toMatchObject({ kind: 'signer_cancelled', account: next })
  await look()
  expect(await kinds()).toEqual([])
  expect(alarmLines().map(({ msg }) => msg)).toEqual([
    'the bank contract changed as an admin announced',
    'a change of the bank contract is queued',
    'the bank contract changed as an admin announced',
    'ended: a change of the bank contract is queued',
  ])
})

test('an announcement does not explain another call or account', async () => {
  const [announced, other] = [newKey(), newKey()]
  const { services, db } = product
  const call = 'queueClaimSigner'
  await inTx(db, (dbTx) =>
    services.bankWatch.announce(dbTx, { actor: ACTOR, bank: bankOf(), call, subject: announced }),
  )
  await send('admin', { functionName: call, args: [other] })
  expect((await report()).changes[0]).toMatchObject({ account: other, proposed_by: null })
  await send('pauser', { functionName: 'cancelClaimSigner', args: [other] })
})

test('an announced cap raise explains only a raise to that cap', async () => {
  const { usdt } = product.testChain.contracts
  const announced = { call: 'queueCapRaise', subject: usdt, cap: '1200000.000000' } as const
  await inTx(product.db, (dbTx) =>
    product.services.bankWatch.announce(dbTx, { actor: ACTOR, bank: bankOf(), ...announced }),
  )
  await send('admin', { functionName: 'queueCapRaise', args: [usdt, 1_200_000_000_000n] })
  expect((await report()).changes[0]).toMatchObject({ cap: announced.cap, proposed_by: getAddress(ACTOR) })
  await send('admin', { functionName: 'queueCapRaise', args: [usdt, 1_200_000_000_001n] })
  expect((await report()).changes[0]).toMatchObject({ cap: '1200000.000001', proposed_by: null })
  await send('guardian', { functionName: 'cancelCapRaise', args: [usdt] })
})

test('a raise that a later one replaces is shown as gone', async () => {
  const { usdt } = product.testChain.contracts
  await send('admin', { functionName: 'queueCapRaise', args: [usdt, 1_500_000_000_000n] })
  await send('admin', { functionName: 'queueCapRaise', args: [usdt, 2_000_000_000_000n] })
  expect((await report()).changes.slice(0, 3)).toMatchObject([
    { kind: 'raise_queued', asset: 'USDT', cap: '2000000.000000' },
    { kind: 'raise_cancelled', asset: 'USDT' },
    { kind: 'raise_queued', asset: 'USDT', cap: '1500000.000000' },
  ])
  await send('guardian', { functionName: 'cancelCapRaise', args: [usdt] })
})

test('a new treasurer, a queued destination and an announced exit are alarms', async () => {
  const [treasurer, vault] = [newKey(), newKey()]
  await send('admin', { functionName: 'grantRole', args: [keccak256(toBytes('TREASURER_ROLE')), treasurer] })
  expect((await report()).changes[0]).toMatchObject({
    kind: 'role_granted',
    role: 'treasurer',
    account: treasurer,
    proposed_by: null,
  })
  await send('admin', { functionName: 'queueDestination', args: [vault] })
  await look()
  const queued = (await report()).alarms.find(({ kind }) => kind === 'change_queued')
  expect(queued).toMatchObject({ detail: `destination ${vault}` })
  expect(await kinds()).toEqual(['change_queued', 'destination_unapproved'])

  await product.advance(2 * DAY_MS)
  await send('admin', { functionName: 'executeDestination', args: [vault] })
  const { usdt } = product.testChain.contracts
  const exit = { exitId: 9n, kind: 0, productId: 0n, token: usdt, to: vault, amount: 1n }
  await send('treasurer', { functionName: 'announceExit', args: [exit] })
  await look()
  expect(await kinds()).toEqual(['destination_unapproved', 'exit_unapproved'])

  await send('guardian', { functionName: 'cancelExit', args: [9n] })
  await send('admin', { functionName: 'removeDestination', args: [vault] })
  await look()
  expect(await kinds()).toEqual([])
})

test('a repeated delivery stores and reports a change once', async () => {
  await send('pauser', { functionName: 'pauseOrders' })
  const { changes } = await report()
  const reset = { told: 'nothing', told_at: null } as const
  await product.db.updateTable('chain_events').set(reset).where('name', '=', 'OrdersPauseChanged').execute()
  await product.finalise()
  expect((await report()).changes).toEqual(changes)
  expect(alarmLines()).toHaveLength(1)
  await send('admin', { functionName: 'unpauseOrders' })
})

test('a dismissed claim key, a used-up cap and a missing guardian are alarms until resolved', async () => {
  const { usdt } = product.testChain.contracts
  await send('admin', { functionName: 'lowerDailyCap', args: [usdt, 0n] })
  await send('pauser', {
    functionName: 'dismissClaimSigner',
    args: [privateKeyToAccount(product.testChain.keys.claimSigner).address],
  })
  lines = []
  await Promise.all([look(), look()])
  expect(await kinds()).toEqual(['cap_low_usdt', 'claim_signer_away'])
  expect(alarmLines()).toHaveLength(2)
  const { caps } = await report()
  expect(caps.find(({ asset }) => asset === 'USDT')).toMatchObject({ cap: '0.000000', remaining: '0.000000' })

  await send('admin', { functionName: 'queueCapRaise', args: [usdt, 1_000_000_000_000n] })
  await product.advance(2 * DAY_MS)
  await send('admin', { functionName: 'executeCapRaise', args: [usdt] })
  await look()
  expect(await kinds()).toEqual(['claim_signer_away'])

  const guardian = privateKeyToAccount(product.testChain.keys.guardian).address
  await send('admin', { functionName: 'queueGuardianRemoval', args: [guardian] })
  await product.advance(2 * DAY_MS)
  await send('admin', { functionName: 'executeGuardianRemoval', args: [guardian] })
  await look()
  expect(await kinds()).toEqual(['claim_signer_away', 'no_guardian'])
})

test('a chain without blocks, a silent indexer and an unreachable node are alarms', () => {
  const at = new Date('2026-01-02T00:00:00Z')
  const signer = {
    claimSigner: getAddress(ACTOR),
    quoteSigner: getAddress(ACTOR),
    trouble: null,
    strict: null,
    approvers: [],
    decisions: [],
  }
  const indexer = { head: 9n, finalised: 9n, applied: 9n, lagBlocks: 0n, lastError: null, halted: false }
  const late = new Date(at.getTime() - 121_000)
  const nothing = {
    strangers: { exits: [], destinations: [] },
    announced: [],
    differences: [],
    refused: [],
  }
  expect(alarmsOf({ at, banks: null, headAt: null, indexer: null, signer, ...nothing })).toMatchObject([
    { kind: 'node_away' },
  ])
  const seen = {
    at,
    banks: null,
    signer,
    headAt: late,
    ...nothing,
    indexer: { ...indexer, polledAt: late },
  }
  expect(alarmsOf(seen).map(({ kind }) => kind)).toEqual(['node_away', 'no_blocks', 'indexer_stalled'])
  const failing = { ...indexer, polledAt: at, lastError: 'OrderPaid cannot be applied' }
  expect(alarmsOf({ ...seen, headAt: at, indexer: failing })).toMatchObject([
    { kind: 'node_away' },
    { kind: 'indexer_stalled', detail: 'OrderPaid cannot be applied' },
  ])
  const away = { at, banks: null, headAt: null, indexer: null, signer: null, ...nothing }
  expect(alarmsOf(away).map(({ kind }) => kind)).toEqual(['node_away', 'signer_away'])
})
