import type { AdminMember, Order } from '@rif/api-schema'
import { type Hex, parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { approve, prepare, refuse } from '../support/admins.ts'
import { asOwner, rows } from '../support/database.ts'
import { fundAdmins } from '../support/fund-admins.ts'
import { api, expect, post, reconnected, signInAsDemo, test } from '../support/product.ts'
import { runningProduct } from '../support/running.ts'

// A page for admins is refused to others with 403, which shows in the console of the browser.
test.use({ provoked: [/status of 403/] })

test('a withdrawal under audit takes two people; nobody else finds the page', async ({ visitor }) => {
  const operator = await signInAsDemo(visitor, 'Paul')
  await operator.page.goto('/pages/admin/audit')
  const row = operator.page.getByRole('listitem').filter({ hasText: '1,200.00' })
  await expect(row.getByText('Large amount')).toBeVisible()
  const details = operator.page.getByRole('dialog', { name: 'Details' })
  await row.getByRole('button').click()
  await expect(details.getByText('Suddenly large.')).toBeVisible()
  await details.getByRole('button', { name: 'Propose approval' }).click()
  await expect(details).toBeHidden()
  await prepare(operator.page, 'known for years')
  await expect(row.getByText('With an approver')).toBeVisible()
  await row.getByRole('button').click()
  await details.getByRole('button', { name: 'See the proposal' }).click()
  await expect(operator.page.getByText('Your role does not decide on this')).toBeVisible()

  const approver = await signInAsDemo(visitor, 'Vera')
  await approve(approver.page, 'known for years')
  const [withdrawal] = await rows(
    `select status from withdrawals where amount_micros = 1200000000 order by withdrawal_id limit 1`,
  )
  expect(withdrawal!.status).toBe('Withdrawable')
  await approver.page.goto('/pages/admin/log')
  await expect(approver.page.getByText(/The chain of \d+ entries is whole/)).toBeVisible()
  await expect(approver.page.getByText('Approved a proposal').first()).toBeVisible()

  const member = await signInAsDemo(visitor, 'Kim')
  await member.page.goto('/pages/admin/approvals')
  await expect(member.page.getByText('There is no such page')).toBeVisible()
})

test('freezing a member takes effect at once, unfreezing takes two people', { tag: '@full' }, async ({
  member: signUp,
  visitor,
}) => {
  const member = await signUp()
  const operator = await signInAsDemo(visitor, 'Paul')
  await operator.page.goto(`/pages/admin/search?member_id=${member.memberId}`)
  const hold = operator.page.getByRole('button', { name: 'Freeze the member' })
  await hold.click()
  const sheet = operator.page.getByRole('dialog')
  await sheet.getByLabel('Reason').fill('asked to by telephone')
  await sheet.getByRole('button', { name: 'Freeze the member' }).click()
  await expect(operator.page.getByText('asked to by telephone')).toBeVisible()
  expect(await post(member.page, 'order', { product_id: '1' })).toMatchObject({ error: 'MEMBER_FROZEN' })

  await operator.page.getByRole('button', { name: 'Propose to unfreeze' }).click()
  const reason = `identity of ${member.address} was confirmed`
  await prepare(operator.page, reason)
  const approver = await signInAsDemo(visitor, 'Vera')
  await approve(approver.page, reason)
  const order = await post<{ order_id: string }>(member.page, 'order', { product_id: '1' })
  await post(member.page, 'order/cancel', { order_id: order.order_id })
})

test('the reason that is typed when a session ends is there after signing in again', {
  tag: '@full',
}, async ({ member: signUp, visitor }) => {
  const { memberId } = await signUp()
  const { page } = await signInAsDemo(visitor, 'Paul')
  const path = `/pages/admin/search?member_id=${memberId}`
  await page.goto(path)
  await reconnected(page)
  const open = page.getByRole('button', { name: 'Hold withdrawals' })
  const sheet = page.getByRole('dialog')
  const reason = sheet.getByLabel('Reason')
  await open.click()
  await reason.fill('three devices in one hour')
  // The page's stream reports the end of the session, and the page leaves by itself.
  await post(page, 'auth/sign-out', {})
  await expect(page).toHaveURL('/pages/login/index')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(path)
  // The sheet opens again by itself.
  await expect(reason).toHaveValue('three devices in one hour')
  // Closing the sheet discards the text.
  await page.goBack()
  await expect(sheet).toBeHidden()
  await open.click()
  await expect(reason).toHaveValue('')
})

test('a launch is typed once and opened by two people', { tag: '@full' }, async ({ visitor }) => {
  const name = `Harbour ${Date.now()}`
  const { page } = await signInAsDemo(visitor, 'Paul')
  const sheet = page.getByRole('dialog')
  await page.goto('/pages/admin/approvals')
  await page.getByRole('button', { name: 'New proposal' }).click()
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await expect(sheet.getByText('Please fill this in').first()).toBeVisible()
  await sheet.getByLabel('Name').fill(name)
  await sheet.getByLabel('Introduction').fill('Berths that are let')
  await sheet.getByLabel('Units on offer').fill('1000')
  await sheet.getByLabel('Price of a unit').fill('0.5')
  // It stays in the future, so that the launch of the demonstration is the only one open.
  const year = new Date().getUTCFullYear() + 1
  await sheet.getByLabel('Starts').fill(`${year}-03-01T08:30`)
  await sheet.getByLabel('Ends').fill(`${year}-03-01T08:30`)
  await expect(sheet.getByText('The end must lie after the start')).toBeVisible()
  await sheet.getByLabel('Ends').fill(`${year}-03-08T08:30`)
  await expect(sheet.getByText('The whole allocation costs 500.00 VC')).toBeVisible()
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await prepare(page, `open ${name}`)
  await expect(page.getByRole('listitem').filter({ hasText: `open ${name}` })).toContainText(`Launch ${name}`)

  const approver = await signInAsDemo(visitor, 'Vera')
  await approve(approver.page, `open ${name}`)
  const launches = await rows(`select state, price_micros from vc_launches where name = '${name}'`)
  expect(launches).toEqual([{ state: 'Approved', price_micros: '500000' }])
})

test('terms of exchange are refused by one, changed by two, and then told to members', {
  tag: '@full',
}, async ({ member: signUp, visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Paul')
  const approver = await signInAsDemo(visitor, 'Vera')
  const sheet = page.getByRole('dialog')
  /** The rate of all members does not change, for the concurrent tests; the cap is far away. */
  const propose = async (rate: string, reason: string, delay = 'On approval') => {
    await page.goto('/pages/admin/approvals')
    await page.getByRole('button', { name: 'New proposal' }).click()
    await sheet.getByText('Exchange terms', { exact: true }).click()
    await sheet.getByRole('group', { name: 'Exchange into' }).getByText('VC', { exact: true }).click()
    await sheet.getByLabel('Given for 1 RIF').fill(rate)
    await sheet.getByLabel('Day cap of a member').fill('7000000')
    await sheet.getByRole('button', { name: 'See what changes' }).click()
    await sheet.getByText(delay, { exact: true }).click()
    await prepare(page, reason)
  }
  const [tooMuch, right] = [`too much ${Date.now()}`, `a cap ${Date.now()}`]
  await propose('9', tooMuch, '1 day later')
  await refuse(approver.page, tooMuch, 'nine is a slip')
  const refused = await rows(`select state, delay_ms from proposals where reason = '${tooMuch}'`)
  expect(refused).toEqual([{ state: 'Refused', delay_ms: '86400000' }])
  expect(await rows(`select rate_micros from exchange_terms where rate_micros = 9000000`)).toEqual([])
  await propose('1', right)
  await approve(approver.page, right)
  const terms = await rows(
    `select asset, rate_micros, state from exchange_terms where day_cap_micros = 7000000000000`,
  )
  expect(terms).toEqual([{ asset: 'VC', rate_micros: '1000000', state: 'Approved' }])

  const member = await signUp()
  await fundAdmins(runningProduct(), [{ do: 'grant', memberId: member.memberId, rif: '200' }])
  await member.page.goto('/pages/exchange/index')
  await member.page.getByRole('group', { name: 'Exchange into' }).getByText('VC', { exact: true }).click()
  await expect(member.page.getByText('7,000,000.00 of 7,000,000.00 RIF')).toBeVisible()
})

test('a payment that fits no order goes back to its payer by two people', async ({
  chain,
  member: signUp,
  visitor,
}) => {
  const member = await signUp({ usdt: '100', amc: '200' })
  const order = await post<Order>(member.page, 'order', { product_id: '1' })
  const id = order.order_id
  const raw = async (path: string) => (await api<{ tx: Hex }>(member.page, `order/${path}/${id}`)).tx
  const account = privateKeyToAccount(member.key)
  const send = async (tx: Hex) => {
    const { to, data } = parseTransaction(tx as `0x02${string}`)
    const nonce = await chain.nonce(member.address)
    return chain.signAndSend(account, { to: to!, data: data!, nonce })
  }
  for (const asset of ['usdt', 'amc']) await send(await raw(`approve/${asset}`))
  const payment = await raw('tx')
  // No member can bring this about: the signer quotes an order for its own wallet only.
  await asOwner(
    `update orders set payer = '0x${'d'.repeat(40)}' where member_id = ${member.memberId} and order_id = ${id}`,
  )
  const hash = await send(payment)
  await chain.finalise()
  const { usdt, amc } = order.quote
  const suspended = () => rows(`select reason from unmatched_payments where tx_hash = '${hash}'`)
  await expect.poll(suspended).toEqual([{ reason: 'wrong_payer' }])

  const { page } = await signInAsDemo(visitor, 'Paul')
  await page.goto('/pages/admin/auditOrder')
  await page.getByLabel('Member, address, order, hash').fill(hash)
  await expect(
    page.getByRole('list', { name: 'Payments that fit no order' }).getByRole('listitem'),
  ).toHaveCount(1)
  await page.getByRole('listitem').getByRole('button').click()
  const details = page.getByRole('dialog', { name: 'Details' })
  await details.getByRole('button', { name: 'Propose to give back, free to withdraw' }).click()
  await expect(details).toBeHidden()
  const reason = `payment of ${member.address}`
  await prepare(page, reason)
  const approver = await signInAsDemo(visitor, 'Vera')
  await approve(approver.page, reason)
  const { profile } = await api<AdminMember>(page, `admin/members/${member.memberId}`)
  expect(profile.balances.USDT.available).toBe(usdt)
  expect(profile.balances.AMC.available).toBe(amc)
  const postings = await rows(`select asset, source, destination, amount from ledger_postings
    where member_id = ${member.memberId} and source = 'suspense' order by asset desc`)
  expect(postings).toEqual([
    { asset: 'USDT', source: 'suspense', destination: 'available', amount: micros(usdt) },
    { asset: 'AMC', source: 'suspense', destination: 'available', amount: micros(amc) },
  ])

  // The payer did not err, and withdraws it without a fee.
  await member.page.goto('/pages/withdrawal/index')
  await expect(
    member.page.getByText(/^Refunds: [\d.]+ USDT can go to your own wallet without a fee/),
  ).toBeVisible()
  await member.page.getByLabel('Amount').fill('50')
  await expect(member.page.getByText('Of it free, as a refund')).toBeVisible()
  await member.page.getByRole('button', { name: 'Withdraw 50.00 USDT' }).click()
  const confirm = member.page.getByRole('dialog', { name: 'Confirm the withdrawal' })
  await expect(confirm.getByText('Of it free, as a refund')).toBeVisible()
  await confirm.getByRole('button', { name: 'Withdraw 50.00 USDT' }).click()
  await expect(member.page.getByRole('heading', { name: 'Withdrawal request submitted' })).toBeVisible()
  const made = await rows(
    `select refund_micros, fee_micros from withdrawals where member_id = ${member.memberId}`,
  )
  expect(made).toEqual([{ refund_micros: '50000000', fee_micros: '0' }])
})

test('a mistake is reversed by two people', async ({ member: signUp, visitor }) => {
  const member = await signUp()
  await fundAdmins(runningProduct(), [{ do: 'grant', memberId: member.memberId, rif: '7' }])
  const { page } = await signInAsDemo(visitor, 'Paul')
  await page.goto(`/pages/admin/search?member_id=${member.memberId}`)
  const mistake = `mistake with ${member.address}`
  await page.getByRole('list', { name: 'Ledger' }).getByRole('button').first().click()
  await page.getByRole('button', { name: /^Reverse #\d+…$/ }).click()
  await prepare(page, mistake)

  const approver = await signInAsDemo(visitor, 'Vera')
  await approve(approver.page, mistake)
  const { profile } = await api<AdminMember>(page, `admin/members/${member.memberId}`)
  expect(profile.balances.RIF.available).toBe('0.000000')
  const postings = await rows(`select source, destination, amount from ledger_postings
    where member_id = ${member.memberId} and asset = 'RIF' order by seq`)
  expect(postings).toEqual([
    { source: 'external', destination: 'available', amount: '7000000' },
    { source: 'available', destination: 'external', amount: '7000000' },
  ])
})

test('on the page of a member: an individual day cap, set and lifted by two people', {
  tag: '@full',
}, async ({ member: signUp, visitor }) => {
  const member = await signUp()
  const { page } = await signInAsDemo(visitor, 'Paul')
  await page.goto(`/pages/admin/search?member_id=${member.memberId}`)
  await page.getByRole('button', { name: 'Propose an individual cap' }).click()
  await page.getByRole('dialog').getByLabel('Individual day cap').fill('5')
  await page.getByRole('dialog').getByRole('button', { name: 'See what changes' }).click()
  const cap = `cap of ${member.address}`
  await prepare(page, cap)
  const approver = await signInAsDemo(visitor, 'Vera')
  await approve(approver.page, cap)
  const shown = await api<AdminMember>(page, `admin/members/${member.memberId}`)
  expect(shown.own_day_cap).toBe('5.000000')

  const lift = `lift the cap of ${member.address}`
  await page.reload()
  await page.getByRole('button', { name: 'Propose to lift it' }).click()
  await prepare(page, lift)
  await approve(approver.page, lift)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Propose an individual cap' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Propose to lift it' })).toHaveCount(0)
  const caps = await rows(
    `select cap_micros from member_day_caps where member_id = ${member.memberId} order by cap_id`,
  )
  expect(caps).toEqual([{ cap_micros: '5000000' }, { cap_micros: null }])
})

/** An amount of the API as the ledger has it. */
const micros = (amount: string) => `${BigInt(amount.replace('.', ''))}`
