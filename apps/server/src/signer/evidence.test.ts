import { createHash } from 'node:crypto'
import {
  decisionStatement,
  defaultPlan,
  type MemberWish,
  MICRO,
  withdrawalFee,
  withdrawalWish,
} from '@rif/rules'
import { sql } from 'kysely'
import { type Address, getAddress, type Hex, type LocalAccount } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTx } from '../db/database.ts'
import type { Consent } from '../modules/leaving/leaving.consents.service.ts'
import { deployWalletFactory, type WalletFactory } from '../testing/fixtures/contract-wallet.ts'
import { giveRole } from '../testing/roles.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../testing/test-product.ts'
import { newWallet } from '../testing/test-server.ts'
import { startTestSigner, TEST_APPROVERS, type TestSigner } from '../testing/test-signer.ts'
import { approveAs, proposeReview } from '../testing/withdrawal-reviews.ts'
import { createSignerClient, type Signer } from './client.ts'

const usdt = (whole: number) => BigInt(whole) * 1_000_000n
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let product: TestProduct
let root: TestMember
let member: TestMember
/** The wallet of an attacker with a stolen API process: the application's login, and the signer's socket. */
let thief: LocalAccount
let own: TestSigner
let signer: Signer
beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  root = await product.join(null)
  thief = newWallet()
  own = await startTestSigner(product.database, product.testChain, {
    now: product.now,
    rpcUrls: [product.testChain.rpcUrl],
    policy: { reviewAboveMicros: usdt(50), severalAboveMicros: usdt(80) },
  })
  signer = createSignerClient(own.access)
})
afterAll(async () => {
  await own.close()
  await product.stop()
})
beforeEach(async () => {
  member = await product.join(root)
  await product.grant(member, 'USDT', '5000')
  await product.finalise()
})
const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const restore of undo.splice(0).reverse()) await restore()
  await product.finalise()
  expect(await product.audit()).toEqual([])
})

/**
 * Lets the stolen process write into the row of a withdrawal, which becomes claimable. The change is undone
 * after the test.
 */
async function forge(id: string, changes: Record<string, unknown> = {}): Promise<void> {
  const own = product.db.updateTable('withdrawals').where('withdrawal_id', '=', BigInt(id))
  const find = product.db.selectFrom('withdrawals').selectAll().where('withdrawal_id', '=', BigInt(id))
  const { withdrawal_id: _, member_id: __, ...row } = await find.executeTakeFirstOrThrow()
  undo.push(() => own.set(row).execute())
  const deadline = new Date(Math.ceil(product.now().getTime() / 1_000) * 1_000 + 600_000)
  const bank = product.chain.contracts.bank.toLowerCase()
  await own.set({ status: 'Withdrawable', bank, claim_expires_at: deadline, ...changes }).execute()
}

const steal = (id: string, of: Pick<TestMember, 'memberId'> = member) => signer.claim(of.memberId, BigInt(id))
const refusal = async (id: string, of: Pick<TestMember, 'memberId'> = member) =>
  (
    await steal(id, of).then(
      () => ({ code: 'SIGNED' }),
      (error: { code: string }) => error,
    )
  ).code
const NOT_REVIEWED = 'CLAIM_NOT_APPROVED'
const NOT_SIGNED = 'CLAIM_NOT_SIGNED'

/** A foreign withdrawal of the member, under audit. */
const foreign = (amount: string, to: string = thief.address) => product.withdraw(member, 'USDT', amount, to)
const audited = (withdrawId: string) => [{ memberId: member.memberId, withdrawId }]

/** Lets the stolen process store an approval of a content, signed by a wallet. */
async function storeApproval(
  content: string,
  by: LocalAccount,
  { preparedBy = `0x${'0e'.repeat(20)}` }: { preparedBy?: string } = {},
): Promise<void> {
  const { kind, subject, summary } = JSON.parse(content)
  const digest: Hex = `0x${createHash('sha256').update(content).digest('hex')}`
  const at = product.now()
  const deadline = Math.floor(at.getTime() / 1_000) + 600
  const nonce = `0x${createHash('sha256').update(crypto.randomUUID()).digest('hex')}`
  const { rows } = await sql<{ id: bigint }>`
    insert into proposals (kind, subject, content, digest, reason, delay_ms, state, prepared_by, prepared_person,
      prepared_at, expires_at)
    values (${kind}, ${`${subject}/${nonce}`}, ${content}, decode(${digest.slice(2)}, 'hex'), '', 0, 'Open', ${preparedBy},
      'forged', ${at}, ${at}) returning proposal_id as id`.execute(product.db)
  const proposalId = `${rows[0]!.id}`
  const { contracts } = product.chain
  const statement = decisionStatement(
    { proposalId, kind, subject, summary, digest, approve: true, reason: '', nonce, deadline },
    { chainId: 42161, bank: contracts.bank },
  )
  const signature = await by.signTypedData(statement)
  await sql`
    insert into proposal_approvals (proposal_id, person, address, reason, signature, nonce, deadline, approved_at)
    values (${rows[0]!.id}, 'forged', ${by.address.toLowerCase()}, '', ${signature}, ${nonce},
      ${new Date(deadline * 1_000)}, ${at})`.execute(product.db)
}

/** The content of the proposal that approves a withdrawal. */
async function contentFor(withdrawId: string): Promise<string> {
  return (await proposeReview(product.services, audited(withdrawId))).content
}

describe('a stolen API process cannot approve', () => {
  test('with an admin of its own, or with the name of a real one', async () => {
    const { withdraw_id } = await foreign('20')
    await giveRole(product.services, { address: thief.address, role: 'approver', person: 'x' })
    const content = await contentFor(withdraw_id)
    await storeApproval(content, thief)
    const posed = { ...thief, address: TEST_APPROVERS[0]!.account.address }
    await storeApproval(content, posed)
    await forge(withdraw_id)
    expect(await refusal(withdraw_id)).toBe(NOT_REVIEWED)
  })

  test('with the approval of another withdrawal, another amount or another receiver', async () => {
    const friend = getAddress(newWallet().address)
    const [honest, wanted] = [await foreign('10', friend), await foreign('20')]
    const proposal = await proposeReview(product.services, audited(honest.withdraw_id))
    await approveAs(product.services, TEST_APPROVERS[0]!, proposal)
    await forge(honest.withdraw_id)
    expect(await refusal(honest.withdraw_id)).toBe('SIGNED')
    const content = await contentFor(wanted.withdraw_id)
    await forge(wanted.withdraw_id)
    expect(await refusal(wanted.withdraw_id)).toBe(NOT_REVIEWED)
    // The signed content, with one part of it changed.
    const { account } = TEST_APPROVERS[0]!
    await storeApproval(content.replaceAll('20.000000', '19.000000'), account)
    await storeApproval(content.replaceAll(thief.address.toLowerCase(), friend.toLowerCase()), account)
    await storeApproval(content.replace('"approve":true', '"approve":false'), account)
    // A statement that shows the approver something other than the approved content.
    await storeApproval(content.replace(/"summary":"[^"]*"/, '"summary":"Publish a price"'), account)
    expect(await refusal(wanted.withdraw_id)).toBe(NOT_REVIEWED)
    await storeApproval(content, account)
    expect(await refusal(wanted.withdraw_id)).toBe('SIGNED')
  })

  test('with the signature of an approver who prepared the proposal or is its receiver', async () => {
    const [first] = TEST_APPROVERS
    const { withdraw_id } = await foreign('20')
    const content = await contentFor(withdraw_id)
    await storeApproval(content, first!.account, { preparedBy: first!.account.address.toLowerCase() })
    await forge(withdraw_id)
    expect(await refusal(withdraw_id)).toBe(NOT_REVIEWED)
    const paid = await foreign('20', first!.account.address)
    await storeApproval(await contentFor(paid.withdraw_id), first!.account)
    await forge(paid.withdraw_id)
    expect(await refusal(paid.withdraw_id)).toBe(NOT_REVIEWED)
  })

  test('a large sum with the approval of one person, even if given twice', async () => {
    const { withdraw_id } = await product.withdraw(member, 'USDT', '81')
    const content = JSON.stringify({
      kind: 'withdrawals',
      subject: `member/${member.memberId}/withdrawal/${withdraw_id}`,
      summary: `Approve withdrawal ${withdraw_id} of member ${member.memberId}: 81.000000 USDT to ${member.address.toLowerCase()}`,
      payload: { approve: true, withdrawals: [{ member_id: `${member.memberId}`, withdraw_id }] },
      difference: [
        { item: `${withdraw_id}: 81.000000 USDT -> ${member.address.toLowerCase()}`, after: 'Withdrawable' },
      ],
    })
    await forge(withdraw_id)
    for (const { account } of [TEST_APPROVERS[0]!, TEST_APPROVERS[0]!]) await storeApproval(content, account)
    expect(await refusal(withdraw_id)).toBe(NOT_REVIEWED)
    await storeApproval(content, TEST_APPROVERS[1]!.account)
    expect(await refusal(withdraw_id)).toBe('SIGNED')
  })

  test('nor avoid an approval by splitting a sum, or by hiding its parts', async () => {
    const [first, second] = [
      await product.withdraw(member, 'USDT', '40'),
      await product.withdraw(member, 'USDT', '20'),
    ]
    await forge(first.withdraw_id)
    expect(await refusal(first.withdraw_id)).toBe('SIGNED')
    await forge(first.withdraw_id, {
      status: 'Cancelled',
      cancelled_at: product.now(),
      amount_micros: 2n,
      fee_micros: 0n,
    })
    await forge(second.withdraw_id, { recent_micros: 0n })
    expect(await refusal(second.withdraw_id)).toBe(NOT_REVIEWED)
    const earlier = new Date(product.now().getTime() - 48 * HOUR_MS)
    await expect(forge(first.withdraw_id, { created_at: earlier })).rejects.toThrow('keeps its time')
  })
})

/** Returns a withdrawal that the stolen process writes itself, with any postings and any statement. */
async function plant(
  of: Pick<TestMember, 'memberId'>,
  { amountMicros, to, consent }: { amountMicros: bigint; to: string; consent?: Consent },
): Promise<string> {
  const at = new Date(product.now())
  const day = at.toISOString().slice(0, 10)
  const { memberId } = of
  return inTx(product.db, async (dbTx) => {
    if (consent !== undefined) {
      const { once, statement, signature } = consent
      await sql`insert into member_consents (member_id, nonce, statement, signature, used_at)
        values (${memberId}, ${once.nonce}, ${statement}, ${signature}, ${at})`.execute(dbTx)
    }
    const { withdrawal_id: id } = await dbTx
      .insertInto('withdrawals')
      .values({
        member_id: memberId,
        asset: 'USDT',
        amount_micros: amountMicros,
        refund_micros: 0n,
        fee_micros: feeOf(amountMicros),
        worth_micros: amountMicros,
        recent_micros: amountMicros,
        level: 0,
        day,
        to_address: to.toLowerCase(),
        status: 'Withdrawable',
        reasons: [],
        created_at: at,
        booked_block: 0n,
        booked_block_at: at,
        claim_expires_at: new Date(Math.ceil(at.getTime() / 1_000) * 1_000 + 600_000),
        bank: product.chain.contracts.bank.toLowerCase(),
        consent_nonce: consent?.once.nonce ?? null,
      })
      .returning('withdrawal_id')
      .executeTakeFirstOrThrow()
    await product.services.ledger.post(dbTx, {
      key: `withdrawal/${id}/request`,
      kind: 'withdrawal_request',
      accountingDay: day,
      at,
      cause: { type: 'withdrawal', id: `${id}` },
      lines: [{ memberId, asset: 'USDT', source: 'available', destination: 'withdrawing', amountMicros }],
    })
    return `${id}`
  })
}

const feeOf = (amountMicros: bigint) => withdrawalFee({ amountMicros, refundMicros: 0n }, MICRO, defaultPlan)!
const wishOf = (amount: number, to: string) =>
  withdrawalWish(
    { asset: 'USDT', amountMicros: usdt(amount) },
    { feeMicros: feeOf(usdt(amount)), to: to.toLowerCase() },
  )
const signedByMember = (wish: MemberWish, of = member) =>
  product.services.consents.signWith(of, wish, (typedData) =>
    product.testChain.rpc<Hex>('eth_signTypedData_v4', [of.wallet, typedData]),
  )

describe("a stolen API process cannot redirect a member's money", () => {
  test('by another receiver, fee or amount than the member signed', async () => {
    const { withdraw_id } = await foreign('20', newWallet().address)
    for (const [changes, code] of [
      [{ to_address: thief.address.toLowerCase() }, NOT_SIGNED],
      [{ fee_micros: 0n }, 'INTERNAL'],
    ] as const) {
      await forge(withdraw_id, changes)
      expect(await refusal(withdraw_id)).toBe(code)
    }
  })

  test('by a withdrawal that it writes itself, without a statement, or signed by its own wallet', async () => {
    const to = thief.address
    expect(await refusal(await plant(member, { amountMicros: usdt(20), to }))).toBe(NOT_SIGNED)
    const honest = await signedByMember(wishOf(20, to))
    const signature = await thief.signTypedData(typedDataOf(honest.statement))
    const forged = { ...honest, signature }
    expect(await refusal(await plant(member, { amountMicros: usdt(20), to, consent: forged }))).toBe(
      NOT_SIGNED,
    )
    const above = { amountMicros: usdt(101), to: member.address }
    expect(await refusal(await plant(member, above))).toBe(NOT_SIGNED)
  })

  test('by splitting: small sums to its own wallet are limited to 100 USDT in 24 hours, also over midnight', async () => {
    const lax = await startTestSigner(product.database, product.testChain, { now: product.now })
    const signs = (id: string) =>
      createSignerClient(lax.access)
        .claim(member.memberId, BigInt(id))
        .then(
          () => 'SIGNED',
          (error: { code: string }) => error.code,
        )
    const small = { amountMicros: usdt(25), to: member.address }
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.push(await plant(member, small))
    const codes = await Promise.all(ids.map(signs))
    expect(codes).toEqual(['SIGNED', 'SIGNED', 'SIGNED', 'SIGNED', NOT_SIGNED])
    await product.advance(23 * HOUR_MS)
    await product.finalise()
    expect(await signs(await plant(member, small))).toBe(NOT_SIGNED)
    await product.advance(HOUR_MS + MINUTE_MS)
    await product.finalise()
    expect(await signs(await plant(member, small))).toBe('SIGNED')
    await lax.close()
  })

  test('by a statement that is old or belongs to another withdrawal', async () => {
    const to = newWallet().address
    const consent = await signedByMember(wishOf(20, to))
    const { withdraw_id } = await foreign('20', to)
    const [used] = (
      await sql<{ nonce: string }>`select consent_nonce as nonce from withdrawals
      where withdrawal_id = ${withdraw_id}`.execute(product.db)
    ).rows
    await expect(forge(withdraw_id, { consent_nonce: consent.once.nonce })).rejects.toThrow('keeps its time')
    const copy = { ...consent, once: { ...consent.once, nonce: used!.nonce } }
    await expect(plant(member, { amountMicros: usdt(20), to, consent: copy })).rejects.toThrow(
      'duplicate key',
    )
    await product.advance(11 * MINUTE_MS)
    const late = await plant(member, { amountMicros: usdt(20), to, consent })
    expect(await refusal(late)).toBe(NOT_SIGNED)
  })

  test('by another wallet of the member', async () => {
    const change = product.db.updateTable('members').set({ address: thief.address.toLowerCase() })
    await expect(change.where('member_id', '=', member.memberId).execute()).rejects.toThrow(
      'keeps the wallet',
    )
  })
})

describe('a contract wallet', () => {
  let factory: WalletFactory
  let owner: LocalAccount
  let contract: { memberId: bigint; address: Address }
  beforeAll(async () => {
    const { rpcUrl, accounts } = product.testChain
    factory = await deployWalletFactory(rpcUrl, accounts[0]!)
  })
  beforeEach(async () => {
    owner = newWallet()
    await factory.deploy(owner.address)
    const address = await factory.addressOf(owner.address)
    const draft = { address, sponsorId: root.memberId, side: 'auto' } as const
    const { memberId } = await inTx(product.db, (dbTx) => product.services.members.join(dbTx, draft))
    contract = { memberId, address }
    await product.grant({ ...contract, wallet: address }, 'USDT', '500')
    await product.finalise()
  })
  const signs = (typedData: string) => owner.signTypedData(typedDataOf(typedData))

  test('of a member signs departures until its key is revoked, and nothing without a node', async () => {
    const wish = wishOf(40, contract.address)
    const to = contract.address
    const consent = await product.services.consents.signWith(contract, wish, signs)
    // The first 90 USDT of the day make every further statement necessary.
    const id = await plant(contract, { amountMicros: usdt(40), to, consent })
    expect(await refusal(id, contract)).toBe('SIGNED')
    const lone = await startTestSigner(product.database, product.testChain, {
      now: product.now,
      policy: { signAboveMicros: 0n },
    })
    await expect(createSignerClient(lone.access).claim(contract.memberId, BigInt(id))).rejects.toMatchObject({
      code: 'SIGNER_UNAVAILABLE',
    })
    await lone.close()
    const strict = await startTestSigner(product.database, product.testChain, {
      now: product.now,
      rpcUrls: [product.testChain.rpcUrl],
      policy: { signAboveMicros: 0n },
    })
    const claim = () => createSignerClient(strict.access).claim(contract.memberId, BigInt(id))
    await claim()
    await factory.revoke(owner.address)
    await expect(claim()).rejects.toMatchObject({ code: NOT_SIGNED })
    await expect(product.services.consents.signWith(contract, wish, signs)).rejects.toMatchObject({
      code: 'SIGNATURE_INVALID',
    })
    await strict.close()
  })

  test('of an approver signs an approval until its key is revoked; without a node nothing is decided', async () => {
    const { withdraw_id } = await foreign('20', newWallet().address)
    const content = await contentFor(withdraw_id)
    await storeApproval(content, { ...owner, address: contract.address })
    await forge(withdraw_id)
    const approvers = [{ person: 'Safe', address: contract.address }]
    const answers: string[] = []
    for (const rpcUrls of [[product.testChain.rpcUrl], [], ['http://127.0.0.1:1']]) {
      const its = await startTestSigner(product.database, product.testChain, {
        now: product.now,
        rpcUrls,
        policy: { approvers },
      })
      const code = await createSignerClient(its.access)
        .claim(member.memberId, BigInt(withdraw_id))
        .then(
          () => 'SIGNED',
          (error: { code: string }) => error.code,
        )
      answers.push(code)
      await its.close()
    }
    expect(answers).toEqual(['SIGNED', 'SIGNER_UNAVAILABLE', 'SIGNER_UNAVAILABLE'])
  })
})

/** The typed data of a statement as JSON, for a wallet. */
function typedDataOf(json: string) {
  const { message, ...typed } = JSON.parse(json)
  return { ...typed, message: { ...message, deadline: BigInt(message.deadline) } }
}
