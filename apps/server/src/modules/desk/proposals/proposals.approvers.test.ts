import { dayOf } from '@rif/rules'
import { sql } from 'kysely'
import { type Address, concat, encodeFunctionData, erc20Abi, getAddress, type Hex, keccak256 } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { decide, newAdmin, prepare, sign, type TestAdmin } from '../../../testing/admin-actions.ts'
import { takeRole } from '../../../testing/roles.ts'
import {
  call,
  callSigned,
  newWallet,
  type SignedIn,
  signIn,
  startTestServer,
  type TestServer,
} from '../../../testing/test-server.ts'
import { WAIT } from '../../../testing/wait.ts'

const M = 1_000_000n
const HASH = `0x${'ab'.repeat(32)}` as const
const NOTHING_KNOWN = { member_id: null, admin: null, paid_by_bank: 0, funded_by: [] }

let server: TestServer
let operator: TestAdmin
let approver: TestAdmin
/** Another wallet of the same person. */
let approver2: TestAdmin
let other: TestAdmin
let member: SignedIn
let aheadMs = 0
const db = () => server.database.db

beforeAll(async () => {
  server = await startTestServer({ now: () => new Date(Date.now() + aheadMs) })
  operator = await newAdmin(server, 'operator')
  other = await newAdmin(server, 'approver')
  for (const asset of ['AMC', 'RIF'] as const) {
    const price = { asset, priceMicros: 500_000n, actor: 'test' }
    await inTx(db(), (dbTx) => server.services.pricing.publish(dbTx, price))
  }
})
afterAll(() => server.close())

beforeEach(async () => {
  const wallet = newWallet()
  await signIn(server, wallet)
  const person = `approver ${wallet.address}`
  approver = await newAdmin(server, 'approver', person, wallet)
  approver2 = await newAdmin(server, 'approver', person)
  member = await signIn(server, newWallet())
  await gift(member)
})

async function gift({ memberId }: SignedIn): Promise<void> {
  const at = new Date()
  const line = { memberId, asset: 'USDT', amountMicros: 40_000n * M } as const
  await server.services.ledger.post(db(), {
    key: `gift/${memberId}`,
    kind: 'grant',
    cause: { type: 'test', id: '1' },
    accountingDay: dayOf(at.getTime()),
    at,
    lines: [{ ...line, source: 'external', destination: 'available' }],
  })
}

const withdrawing = async () =>
  (await server.services.ledger.balances(db(), member.memberId)).USDT.withdrawing

/** A withdrawal of the member under audit, prepared for approval by the operator. */
async function withdrawalTo(address: string) {
  const payload = { asset: 'USDT', amount: '20', address }
  const { data } = await callSigned(server, 'withdraw', { as: member, payload })
  const withdrawals = [{ member_id: `${member.memberId}`, withdraw_id: data.withdraw_id }]
  const proposal = await prepare(server, operator, 'withdrawals', { approve: true, withdrawals })
  const status = async () => (await call(server, `withdraw/${data.withdraw_id}`, { as: member })).data.status
  return { proposal, status }
}

it('an approver cannot approve a withdrawal to the own wallet, whoever requested it', async () => {
  const saved = newWallet().address
  const contact = { address: saved, label: 'cold wallet' }
  const own = { ...approver, memberId: 0n }
  expect((await callSigned(server, 'transfer/contacts', { as: own, payload: contact })).status).toBe(200)
  for (const address of [approver.address, approver2.address, saved]) {
    const { proposal, status } = await withdrawalTo(address)
    for (const admin of [approver, approver2]) {
      const { data } = await call(server, `admin/proposals/${proposal.proposal_id}`, { as: admin })
      expect(data).toMatchObject({ may_decide: false, hindrance: 'about_you' })
      expect((await decide(server, admin, proposal)).data.error).toBe('OWN_PROPOSAL')
      expect((await decide(server, admin, proposal, { approve: false })).data.error).toBe('OWN_PROPOSAL')
    }
    expect(await status()).toBe('Auditing')
    expect((await decide(server, other, proposal)).data.state).toBe('Applied')
    expect(await status()).toBe('Withdrawable')
  }
  expect(await withdrawing()).toBe(60n * M)
})

it('an approver cannot approve a transfer or a refund to the own account', async () => {
  const payload = { asset: 'USDT', amount: '5', address: approver.address }
  const flag = (flagged: boolean) =>
    call(server, `admin/members/${member.memberId}/flag`, {
      as: operator,
      payload: { flagged, reason: 'held for this test' },
    })
  expect((await flag(true)).status).toBe(200)
  const { data } = await callSigned(server, 'transfer', { as: member, payload })
  expect((await flag(false)).status).toBe(200)
  expect(data.status).toBe('Auditing')
  const transfers = [{ member_id: `${member.memberId}`, transfer_id: data.transfer_id }]
  const transfer = await prepare(server, operator, 'transfers', { approve: true, transfers })
  expect((await decide(server, approver2, transfer)).data.error).toBe('OWN_PROPOSAL')

  const at = new Date()
  const txHash = keccak256(approver.address as `0x${string}`)
  await inTx(db(), async (dbTx) => {
    const line = { memberId: 0n, asset: 'USDT', amountMicros: 5n * M } as const
    await server.services.ledger.post(dbTx, {
      key: `unmatched/${txHash}/0`,
      kind: 'unmatched_payment',
      cause: { type: 'payment', id: txHash },
      accountingDay: dayOf(at.getTime()),
      at,
      lines: [{ ...line, source: 'external', destination: 'suspense' }],
    })
    await sql`
      insert into unmatched_payments (member_id, tx_hash, log_index, chain_order_id, payer, reason, usdt_micros,
        amc_micros, usdt_dust, amc_dust, paid_at, collected_at)
      values (0, ${txHash}, 0, 1, ${approver.address.toLowerCase()}, 'unknown_order', ${5n * M}, 0, 0, 0, ${at},
        ${at})`.execute(dbTx)
  })
  const own = (await server.services.members.findByAddress(db(), approver.address))!
  const where = { member_id: '0', tx_hash: txHash, log_index: 0 }
  const refund = await prepare(server, operator, 'suspense', {
    ...where,
    to_member_id: `${own.memberId}`,
    is_free: false,
  })
  expect((await decide(server, approver2, refund)).data.error).toBe('OWN_PROPOSAL')
  expect((await decide(server, other, refund)).data.state).toBe('Applied')
})

it('above the amount of the plan two persons approve, and one person counts once', async () => {
  const asker = await newAdmin(server, 'operator')
  const lines = [{ address: member.address, amount: '20000.01', reason: 'welcome' }]
  const small = { batch: `small ${member.address}`, lines: [{ ...lines[0]!, amount: '20000' }] }
  const proposal = await prepare(server, asker, 'hash_power', small)
  expect(proposal).toMatchObject({ approvals_needed: 1, approvals: [] })
  expect((await decide(server, approver, proposal)).data.state).toBe('Applied')

  const large = await prepare(server, asker, 'hash_power', { batch: member.address, lines })
  expect(large.approvals_needed).toBe(2)
  const first = await decide(server, approver, large)
  expect(first.data).toMatchObject({
    state: 'Open',
    hindrance: 'approved',
    approvals: [{ address: getAddress(approver.address) }],
  })
  for (const admin of [approver, approver2]) {
    expect((await decide(server, admin, large)).data.error).toBe('OWN_PROPOSAL')
  }
  expect((await server.services.ledger.balances(db(), member.memberId)).RIF.available).toBe(20_000n * M)
  expect((await decide(server, other, large)).data.state).toBe('Applied')
  expect((await server.services.ledger.balances(db(), member.memberId)).RIF.available).toBe(40_000_010_000n)
})

it('a withdrawal that completes a large sum needs two persons, even if it is small itself', async () => {
  await sql`update members set level = 5 where member_id = ${member.memberId}`.execute(db())
  const withdraw = (amount: string) =>
    callSigned(server, 'withdraw', { as: member, payload: { asset: 'USDT', amount } })
  await withdraw('9999')
  const { data } = await withdraw('2')
  const withdrawals = [{ member_id: `${member.memberId}`, withdraw_id: data.withdraw_id }]
  const proposal = await prepare(server, operator, 'withdrawals', { approve: true, withdrawals })
  expect(proposal.approvals_needed).toBe(2)
})

describe('a sum that is split over proposals needs as many approvers as the sum', () => {
  const grant = (as: TestAdmin, to: string, rif: string) =>
    prepare(server, as, 'hash_power', {
      batch: crypto.randomUUID(),
      lines: [{ address: to, amount: rif, reason: 'welcome' }],
    })
  const needed = async (as: TestAdmin, to: string, rif: string) => (await grant(as, to, rif)).approvals_needed
  const join = async () => (await signIn(server, newWallet())).address

  it('by the admin who prepares them, whoever is paid', async () => {
    const asker = await newAdmin(server, 'operator')
    expect(await needed(asker, await join(), '10000')).toBe(1)
    const refused = await grant(asker, await join(), '10000')
    expect((await decide(server, other, refused, { approve: false })).data.state).toBe('Refused')
    expect(await needed(asker, await join(), '10000')).toBe(1)
    expect(await needed(asker, await join(), '0.01')).toBe(2)
    expect(await needed(await newAdmin(server, 'operator'), await join(), '0.01')).toBe(1)
  })

  it('by the person who prepares them, with any of the own wallets', async () => {
    const person = `operator ${crypto.randomUUID()}`
    const [first, second] = [
      await newAdmin(server, 'operator', person),
      await newAdmin(server, 'operator', person),
    ]
    expect(await needed(first, await join(), '20000')).toBe(1)
    const rest = await grant(second, await join(), '20000')
    expect(rest.approvals_needed).toBe(2)
    expect((await decide(server, other, rest)).data).toMatchObject({ state: 'Open' })
  })

  it('by the wallet that is paid, whoever prepares them, over all kinds', async () => {
    const to = await signIn(server, newWallet())
    const line = { memberId: to.memberId, asset: 'USDT', amountMicros: 50n * M } as const
    const at = new Date()
    await server.services.ledger.post(db(), {
      key: 'split/1',
      kind: 'grant',
      cause: { type: 'test', id: '1' },
      at,
      accountingDay: dayOf(at.getTime()),
      lines: [{ ...line, source: 'external', destination: 'available' }],
    })
    for (const rif of ['10000', '9999'])
      expect(await needed(await newAdmin(server, 'operator'), to.address, rif)).toBe(1)
    const payload = { asset: 'USDT', amount: '20', address: newWallet().address }
    const { data } = await callSigned(server, 'withdraw', { as: to, payload })
    const withdrawals = [{ member_id: `${to.memberId}`, withdraw_id: data.withdraw_id }]
    const withdrawal = await prepare(server, operator, 'withdrawals', { approve: true, withdrawals })
    expect(withdrawal.approvals_needed).toBe(2)
  })

  it('even if the clock of the process that prepares the second one is slow', async () => {
    const to = await join()
    aheadMs = 500
    expect(await needed(await newAdmin(server, 'operator'), to, '12000')).toBe(1)
    aheadMs = 0
    expect(await needed(await newAdmin(server, 'operator'), to, '12000')).toBe(2)
  })

  it('even if they are prepared at once', async () => {
    const [first, second] = [await newAdmin(server, 'operator'), await newAdmin(server, 'operator')]
    const to = await join()
    const both = await Promise.all([grant(first, to, '12000'), grant(second, to, '12000')])
    const [earlier, later] = both.sort((a, b) => Number(a.proposal_id) - Number(b.proposal_id))
    expect(earlier!.approvals_needed).toBe(1)
    expect((await decide(server, other, earlier!)).data.state).toBe('Applied')
    expect(later!.approvals_needed).toBe(2)
    expect((await decide(server, other, later!)).data.state).toBe('Open')
    const { memberId } = (await server.services.members.findByAddress(db(), to))!
    expect((await server.services.ledger.balances(db(), memberId)).RIF.available).toBe(12_000n * M)
  })
})

it('an admin who loses the role while a decision is pending can no longer decide', async () => {
  const proposal = await prepare(server, operator, 'price', { asset: 'RIF', price: '0.75' })
  const { signed } = await sign(server, approver, proposal)
  const { proposal_id } = proposal
  let decided: ReturnType<typeof call> | undefined
  await server.database.adminDb.transaction().execute(async (holding) => {
    await sql`select from proposals where proposal_id = ${proposal_id} for update`.execute(holding)
    decided = call(server, `admin/proposals/${proposal_id}/decide`, { as: approver, payload: signed })
    await vi.waitUntil(async () => {
      const { rows } = await sql`
        select from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(db())
      return rows.length > 0
    }, WAIT)
    await takeRole(server.services, approver.address)
  })
  expect(await decided).toMatchObject({ status: 403, data: { error: 'FORBIDDEN' } })
  const { data } = await call(server, `admin/proposals/${proposal_id}`, { as: operator })
  expect(data).toMatchObject({ state: 'Open', approvals: [] })
  expect((await decide(server, other, proposal, { approve: false })).data.state).toBe('Refused')
})

it('the hashes of a statement equal those that a hardware wallet shows', async () => {
  const proposal = await prepare(server, operator, 'price', { asset: 'RIF', price: '0.5' })
  const { data } = await sign(server, other, proposal)
  expect(data.digest).toBe(keccak256(concat(['0x1901', data.domain_hash, data.message_hash])))
  // The EIP-712 encoding by hand, independent of any library for typed data.
  const words = [
    ...[
      'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
      'RIFund Portfolio operations',
      '1',
    ].map((text) => keccak256(new TextEncoder().encode(text))),
    `0x${(42161).toString(16).padStart(64, '0')}`,
    `0x${server.services.chain.contracts.bank.slice(2).toLowerCase().padStart(64, '0')}`,
  ] as `0x${string}`[]
  expect(data.domain_hash).toBe(keccak256(concat(words)))
})

it('a deposit shows whether its wallet was paid by the bank, belongs to a member or admin, or was funded by one', async () => {
  const { attestedRevenue, chain } = server.services
  const token = chain.contracts.usdt
  const stranger = newWallet().address
  const deposit = (depositId: bigint, from: `0x${string}`) =>
    inTx(db(), (dbTx) =>
      attestedRevenue.handler.onFinal(dbTx, {
        name: 'RevenueDeposited',
        blockNumber: 1n,
        blockHash: HASH,
        blockAt: new Date(),
        txHash: HASH,
        logIndex: Number(depositId),
        contract: chain.contracts.bank,
        args: { depositId, from, label: HASH, token, amount: 40n * M, documentHash: HASH },
      }),
    )
  const clean = newWallet().address
  await deposit(701n, clean)
  await deposit(702n, member.address as `0x${string}`)
  await deposit(703n, stranger)
  const event = (name: string, log: number, args: object) =>
    sql`insert into chain_events (chain_id, block_number, block_hash, log_index, block_at, tx_hash, contract, name, args,
        state)
      values (${chain.chainId}, 1, ${HASH}, ${log}, now(), ${HASH}, ${token}, ${name}, ${JSON.stringify(args)}::jsonb,
        'final')`.execute(db())
  await event('Claimed', 51, { to: stranger, token, amount: '1', withdrawalId: '1' })
  await event('Transferred', 52, { from: getAddress(approver.address), to: stranger, token, amount: '1' })
  const { items } = (await call(server, 'admin/deposits', { as: operator })).data
  const of = (id: string) =>
    items.find(({ deposit_id }: { deposit_id: string }) => deposit_id === id).depositor
  expect(of('701')).toEqual({ ...NOTHING_KNOWN, looked_at: null })
  expect(of('702')).toMatchObject({ member_id: `${member.memberId}`, admin: null })
  const admin = { address: getAddress(approver.address), is: 'admin', transfers: 1 }
  expect(of('703')).toMatchObject({ paid_by_bank: 1, funded_by: [admin] })

  const attest = (depositId: string) =>
    prepare(server, operator, 'attestation', {
      pool: 'yield_pool',
      asset: 'USDT',
      amount: '40',
      source: 'rent',
      document_hash: HASH,
      deposit_id: depositId,
    })
  expect((await attest('701')).summary).toContain('no known link to the bank, a member or an admin')
  expect((await attest('702')).summary).toContain(`wallet of member ${member.memberId}`)
  const proposal = await attest('703')
  expect(proposal.summary).toMatch(/paid by the bank 1 time\(s\), funded by the admin approver/)
  // Facts found afterwards must be shown before signing.
  await event('Claimed', 53, { to: stranger, token, amount: '1', withdrawalId: '2' })
  expect((await decide(server, other, proposal)).data.error).toBe('PROPOSAL_CHANGED')
})

it('a plain token transfer from a member to the depositor is in the statement, with the searched block range', async () => {
  const { attestedRevenue, chain, members } = server.services
  const [, funder, depositor, clean] = server.chain.accounts as [never, Address, Address, Address]
  const { memberId } = await inTx(db(), (dbTx) =>
    members.join(dbTx, { address: funder, sponsorId: server.root.memberId, side: 'auto' }),
  )
  await server.chain.fund(funder, { usdt: 100n, amc: 0n })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [depositor, 40n] })
  const transfer = { from: funder, to: chain.contracts.usdt, data, gas: '0x30d40' }
  const { blockNumber } = await server.chain.rpc<{ blockNumber: Hex }>('eth_sendTransactionSync', [transfer])
  const block = BigInt(blockNumber)
  for (const [depositId, from, txHash] of [
    [711n, depositor, `0x${'71'.repeat(32)}`],
    [712n, clean, `0x${'72'.repeat(32)}`],
  ] as const) {
    await sql`insert into chain_events (chain_id, block_number, block_hash, log_index, block_at, tx_hash, contract, name,
        args, state)
      values (${chain.chainId}, ${block}, ${HASH}, ${Number(depositId)}, now(), ${txHash}, ${chain.contracts.bank},
        'RevenueDeposited', '{}', 'final')`.execute(db())
    await inTx(db(), (dbTx) =>
      attestedRevenue.handler.onFinal(dbTx, {
        name: 'RevenueDeposited',
        blockNumber: block,
        blockHash: HASH,
        blockAt: new Date(),
        txHash,
        logIndex: Number(depositId),
        contract: chain.contracts.bank,
        args: {
          depositId,
          from,
          label: HASH,
          token: chain.contracts.usdt,
          amount: 40n * M,
          documentHash: HASH,
        },
      }),
    )
  }
  const attest = (depositId: string) =>
    prepare(server, operator, 'attestation', {
      pool: 'yield_pool',
      asset: 'USDT',
      amount: '40',
      source: 'rent',
      document_hash: HASH,
      deposit_id: depositId,
    })
  const looked = `transfers of tokens to it were looked at in blocks 0 to ${block}, from `
  const funded = await attest('711')
  expect(funded.summary).toContain(`funded by the member ${memberId}; ${looked}`)
  expect((await attest('712')).summary).toContain(
    `no known link to the bank, a member or an admin; ${looked}`,
  )
  const { items } = (await call(server, 'admin/deposits', { as: operator })).data
  const of = (id: string) => items.find((item: { deposit_id: string }) => item.deposit_id === id).depositor
  expect(of('712')).toEqual({
    ...NOTHING_KNOWN,
    looked_at: { from_block: '0', to_block: `${block}`, from_at: expect.any(String) },
  })
  expect((await decide(server, other, funded)).data.state).toBe('Applied')
})
