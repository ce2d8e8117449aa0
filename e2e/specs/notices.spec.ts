import { look } from '../support/inspect.ts'
import { withMailSink } from '../support/mail.ts'
import { expect, give, post, test } from '../support/product.ts'
import { expectToast } from '../support/toasts.ts'

test('a member confirms an address, gets a mail with the figure, and one tap ends such mails', {
  tag: '@full',
}, async ({ member }) => {
  const { page, address } = await member()
  await give(address, 'USDT', '19')
  const email = `${address.slice(2, 12).toLowerCase()}@example.org`
  await withMailSink(async (sink) => {
    const subjects = () => sink.mails.filter(({ to }) => to === email).map(({ headers }) => headers.subject)
    await page.goto('/pages/my/index')
    await page.getByRole('link', { name: 'Mail and push' }).click()
    await expect(page.getByText('No address yet')).toBeVisible()
    await expect(page.getByText('The operator has not set up push.')).toBeVisible()
    await look(page, 'notices', { fullPage: true })

    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Send code' }).click()
    const code = page.getByLabel('Code from the mail')
    await expect(code).toBeVisible()
    const right = /\d{6}/.exec(subjects().at(-1)!)![0]
    await code.fill(right === '000000' ? '000001' : '000000')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expectToast(page, 'This code is incorrect')
    await code.fill(right)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expectToast(page, 'Address confirmed')
    await expect(page.getByText(email)).toBeVisible()
    await expect(page.getByRole('checkbox', { name: 'Withdrawal: Mail' })).toBeChecked()

    const { withdraw_id } = await post<{ withdraw_id: string }>(page, 'withdraw', {
      address,
      amount: '12.75',
      asset: 'USDT',
    })
    await expect.poll(subjects).toContain('Withdrawal ready')
    const { text } = sink.mails.find(({ headers }) => headers.subject === 'Withdrawal ready')!
    expect(text).toContain('Your withdrawal of 12.75 USDT can be claimed.')
    expect(text).toContain(`/pages/withdrawal/detail?withdraw_id=${withdraw_id}`)

    const link = new URL(/http\S+stopNotices\S+/.exec(text)![0])
    await page.goto(link.pathname + link.search)
    await page.getByRole('button', { name: 'Stop mails' }).click()
    await expect(page.getByText('You get no more mails of the kind “Withdrawal”.')).toBeVisible()
    await look(page, 'notices-stopped')

    await post(page, 'withdraw', { address, amount: '6', asset: 'USDT' })
    await page.goto('/pages/my/notices')
    await expect(page.getByRole('checkbox', { name: 'Withdrawal: Mail' })).not.toBeChecked()
    await page.getByRole('button', { name: 'Test: Mail' }).click()
    await expect.poll(() => subjects().at(-1)).toBe('Test notice')
    expect(subjects()).toEqual([`${right} is your code`, 'Withdrawal ready', 'Test notice'])
  })
})
