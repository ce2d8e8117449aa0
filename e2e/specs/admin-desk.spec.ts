import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { rows } from '../support/database.ts'
import { fundAdmins } from '../support/fund-admins.ts'
import { findNothing } from '../support/inspect.ts'
import { expect, give, post, signInAsDemo, test } from '../support/product.ts'
import { runningProduct } from '../support/running.ts'

const WIDE = { width: 1280, height: 900 }

/** Creates withdrawals of a member to new addresses, which wait for an operator. Returns their numbers. */
async function createHeld(memberId: string, amounts: readonly string[]): Promise<string[]> {
  const tasks = amounts.map((amount) => ({
    do: 'withdraw',
    memberId,
    amount,
    address: privateKeyToAddress(generatePrivateKey()),
  }))
  const done = []
  for (const task of tasks) done.push(...(await fundAdmins(runningProduct(), [task])))
  return done.map(({ withdrawId }) => withdrawId!)
}

test('an admin who is no member opens / without a refused read', { tag: '@full' }, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Vera')
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url())
  })
  await page.goto('/')
  await expect(page).toHaveURL(/\/pages\/admin\/home$/)
  await expect(page.getByRole('region', { name: 'Needs you' })).toBeVisible()
  expect(refused).toEqual([])
  await page.setViewportSize(WIDE)
  await findNothing(page)
})

/** Reports whether a tap on the middle of an element would reach it at the present scroll position. */
function isUncovered(element: Element): boolean {
  const { left, top, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}

test('an approver reads a sentence, why to look and the member behind it', { tag: '@full' }, async ({
  member: signUp,
  visitor,
}) => {
  const member = await signUp()
  await give(member.address, 'USDT', '22')
  const [id] = await createHeld(member.memberId, ['21.5'])
  const paul = await signInAsDemo(visitor, 'Paul')
  const withdrawals = [{ member_id: member.memberId, withdraw_id: id }]
  const proposal = await post<{ proposal_id: string }>(paul.page, 'admin/proposals', {
    kind: 'withdrawals',
    payload: { approve: true, withdrawals },
    reason: `looked at ${id}`,
  })
  const { page } = await signInAsDemo(visitor, 'Vera')
  await page.goto(`/pages/admin/approvals?proposal_id=${proposal.proposal_id}`)
  const pane = page.getByRole('region', { name: `Proposal ${proposal.proposal_id}` })
  // On a phone the decision is docked above the bar of the pages, before any scrolling.
  await expect
    .poll(() => pane.getByRole('button', { name: 'Approve and sign' }).evaluate(isUncovered))
    .toBe(true)
  await page.setViewportSize(WIDE)
  await expect(pane.getByRole('heading', { name: /^Release 21\.50 USDT to 0x/ })).toBeVisible()
  await expect(pane.getByText('New address.')).toBeVisible()
  await expect(pane.getByRole('row', { name: /^Status To check Ready to claim$/ })).toBeVisible()
  await expect(pane.getByRole('row', { name: /^Owed to all in USDT/ })).toBeVisible()
  await expect(pane.getByText('Received by transfer')).toBeVisible()
  await expect(pane.getByText(/21\.500000/)).toBeHidden()
  await findNothing(page)
  await pane.getByText('What your wallet will show').click()
  await expect(pane.getByText(/21\.500000 USDT to 0x/)).toBeVisible()
  await pane.getByRole('button', { name: 'Reject' }).click()
  await expect(pane.getByText('Write why: the member reads it')).toBeVisible()
  await post(paul.page, `admin/proposals/${proposal.proposal_id}/withdraw`, {})
  await page.reload()
  await expect(pane.getByText('What was proposed')).toBeVisible()
  await expect(pane.getByRole('row', { name: /^Status To check Ready to claim$/ })).toBeVisible()
  await expect(pane.getByRole('row', { name: /^Owed to all in USDT/ })).toBeHidden()
})

test('several withdrawals are prepared at once, and a row that fails says why', { tag: '@full' }, async ({
  member: signUp,
  visitor,
}) => {
  const member = await signUp()
  await give(member.address, 'USDT', '24')
  const ids = await createHeld(member.memberId, ['11.25', '12.25'])
  const { page } = await signInAsDemo(visitor, 'Paul')
  await page.setViewportSize(WIDE)
  await page.goto('/pages/admin/audit')
  await page.getByLabel('Number, member, address').fill(member.address)
  // Until the search has ended, the list also has the rows of others.
  await expect(page.getByRole('row', { name: /Withdrawal \d/ })).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  const bar = page.getByRole('region', { name: '2 selected' })
  await expect(bar).toContainText('23.50 USDT')
  await bar.getByRole('button', { name: 'Propose approval' }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet).toContainText('23.50 USDT')
  await sheet.getByLabel('Reason').fill('known member')
  // Another operator was faster with one of them.
  const withdrawals = [{ member_id: member.memberId, withdraw_id: ids[0] }]
  const payload = { approve: false, withdrawals }
  const body = { kind: 'withdrawals', payload, reason: 'first' }
  const faster = await post<{ proposal_id: string }>(page, 'admin/proposals', body)
  const vera = await signInAsDemo(visitor, 'Vera')
  await vera.page.setViewportSize(WIDE)
  await vera.page.goto(`/pages/admin/approvals?proposal_id=${faster.proposal_id}`)
  const pane = vera.page.getByRole('region', { name: `Proposal ${faster.proposal_id}` })
  await pane.getByRole('button', { name: 'Approve and sign' }).click()
  await expect(vera.page).not.toHaveURL(/proposal_id/)
  await sheet.getByRole('button', { name: 'Prepare for approval' }).click()
  await expect(sheet.getByRole('status')).toContainText('0 done, 1 failed')
  await expect(sheet.getByRole('button', { name: 'Try the failed one again' })).toBeVisible()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('row', { name: new RegExp(`Withdrawal ${ids[0]} `) })).toBeHidden()
  await expect(page.getByRole('row', { name: new RegExp(`Withdrawal ${ids[1]} `) })).toBeVisible()

  await page.keyboard.press('j')
  await expect(page.getByRole('region', { name: `Withdrawal ${ids[1]}` })).toBeVisible()
  // The row has the focus: the space bar selects it, and does not open it again.
  await page.keyboard.press('Space')
  await expect(page.getByRole('region', { name: '1 selected' })).toBeVisible()
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Rejected/ }).click()
  await expect(page.getByRole('row', { name: new RegExp(`Withdrawal ${ids[0]} `) })).toBeVisible()
  await page.getByRole('button', { name: 'Save this view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('This member')
  await page.getByRole('dialog').getByRole('button', { name: 'Save this view' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'This member' }).click()
  await expect(page.getByLabel('Number, member, address')).toHaveValue(member.address)
  await expect(page.getByRole('row', { name: new RegExp(`Withdrawal ${ids[0]} .* Rejected`) })).toBeVisible()
  await findNothing(page)
})

test('ten withdrawals are approved with one proposal and one signature', { tag: '@full' }, async ({
  member: signUp,
  visitor,
}) => {
  const member = await signUp()
  await give(member.address, 'USDT', '20')
  const address = privateKeyToAddress(generatePrivateKey())
  const task = { do: 'withdraw', memberId: member.memberId, amount: '2', address } as const
  await fundAdmins(
    runningProduct(),
    Array.from({ length: 10 }, () => task),
  )
  const operator = await signInAsDemo(visitor, 'Paul')
  await operator.page.setViewportSize(WIDE)
  await operator.page.goto('/pages/admin/audit')
  await operator.page.getByLabel('Number, member, address').fill(member.address)
  await expect(operator.page.getByRole('row', { name: '10 shown' })).toBeVisible()
  await operator.page.getByRole('checkbox', { name: 'Select all' }).check()
  const bar = operator.page.getByRole('region', { name: '10 selected' })
  await expect(bar).toContainText('20.00 USDT')
  await bar.getByRole('button', { name: 'Propose approval' }).click()
  const prepared = operator.page.getByRole('dialog')
  const reason = `ten of ${member.address}`
  await prepared.getByLabel('Reason').fill(reason)
  await prepared.getByRole('button', { name: 'Prepare for approval' }).click()
  await expect(prepared.getByRole('status')).toContainText('1 done, 0 failed')
  await prepared.getByRole('button', { name: 'OK' }).click()

  const { page } = await signInAsDemo(visitor, 'Vera')
  await page.setViewportSize(WIDE)
  await page.goto('/pages/admin/approvals')
  const row = page.getByRole('listitem').filter({ hasText: reason })
  await expect(row).toContainText('Release 10 withdrawals, 20.00 USDT worth')
  await row.getByRole('checkbox').check()
  await page
    .getByRole('region', { name: '1 selected' })
    .getByRole('button', { name: 'Approve and sign' })
    .click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Approve and sign' }).click()
  await expect(sheet.getByRole('status')).toContainText('1 done, 0 failed')
  await sheet.getByRole('button', { name: 'OK' }).click()
  const decided = page.getByRole('list', { name: 'Decided by you this week' })
  await expect(decided).toContainText('Release 10 withdrawals, 20.00 USDT worth')
  const released = await rows(`select status, count(*) as count from withdrawals
    where member_id = ${member.memberId} group by 1`)
  expect(released).toEqual([{ status: 'Withdrawable', count: '10' }])
})

test('an entry of the log without values does not offer before and after', { tag: '@full' }, async ({
  visitor,
}) => {
  const { page } = await signInAsDemo(visitor, 'Vera')
  await page.setViewportSize(WIDE)
  await page.goto('/pages/admin/log')
  await expect(page.getByRole('row').nth(3)).toBeVisible()
  for (let place = 0; place < 3; place++) {
    await page.keyboard.press('j')
    await expect(page.getByRole('heading', { name: 'Hash of the entry' })).toBeVisible()
    const values = await page.locator('pre').allTextContents()
    expect(values.filter((text) => /"before": null,\s+"after": null/.test(text))).toEqual([])
  }
  await page.getByRole('button', { name: 'More filters' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByRole('button', { name: 'Approved a proposal' }).click()
  await sheet.getByRole('button', { name: 'Show the list' }).click()
  await expect(page.getByRole('row', { name: /^Approved a valuation/ })).toHaveCount(0)
  await findNothing(page)
})

test('the labels of the areas are not broken at 320 px', { tag: '@full' }, async ({ member: signUp }) => {
  const { page } = await signUp()
  await page.setViewportSize({ width: 320, height: 700 })
  await page.goto('/pages/my/index')
  const label = page.getByRole('link', { name: 'Withdrawals', exact: true }).first()
  await expect(label).toBeVisible()
  const lines = await label.evaluate((link) => {
    const range = document.createRange()
    const text = [...link.querySelectorAll('span')].at(-1)!
    range.selectNodeContents(text)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  })
  expect(lines).toBe(1)
})
