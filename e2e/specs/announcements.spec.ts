import { approve, prepare } from '../support/admins.ts'
import { look } from '../support/inspect.ts'
import { withMailSink } from '../support/mail.ts'
import { api, expect, post, signInAsDemo, test } from '../support/product.ts'

const TEXT = 'On Sunday, 02:00 to 03:00 UTC. Claims go on.'

test('an announcement that another operator approves reaches a member on home and by mail, in the language of each', {
  tag: '@full',
}, async ({ member: signUp, visitor }) => {
  const title = `Maintenance ${Date.now()}`
  // The later admin signs in while the first one types.
  const [{ page: writer }, owner, { page, address }] = await Promise.all([
    signInAsDemo(visitor, 'Paul', '/pages/admin/announcements'),
    signInAsDemo(visitor, 'Otto'),
    signUp(),
  ])
  await writer.getByRole('button', { name: 'Write an announcement' }).click()
  const sheet = writer.getByRole('dialog')
  await sheet.getByLabel('Title').fill(title)
  await sheet.getByLabel('Text').fill(`${TEXT} See rif.example`)
  await sheet.getByRole('button', { name: 'Continue' }).click()
  await expect(sheet.getByText('Take out the link or e-mail address')).toBeVisible()
  await sheet.getByLabel('Text').fill(TEXT)
  await sheet.getByText('日本語', { exact: true }).click()
  await expect(sheet.getByText('Nothing is written in 日本語')).toBeVisible()
  await expect(sheet.getByRole('heading', { name: title })).toBeVisible()
  await sheet.getByLabel('Title').fill(`点検 ${title}`)
  await sheet.getByLabel('Text').fill('日曜日に行います。')
  await look(writer, 'announcement-form')
  await sheet.getByRole('button', { name: 'Continue' }).click()
  await prepare(writer, `tell of ${title}`)

  await withMailSink(async (sink) => {
    const email = `${address.slice(2, 12).toLowerCase()}@example.org`
    const subjects = () => sink.mails.filter(({ to }) => to === email).map(({ headers }) => headers.subject)
    await post(page, 'me/notices/email', { email })
    await post(page, 'me/notices/email/confirm', { code: /\d{6}/.exec(subjects()[0]!)![0] })
    await page.evaluate(() => localStorage.setItem('locale', 'ja'))
    await page.goto('/pages/my/notices')
    await page.getByRole('checkbox', { name: 'お知らせ: メール' }).check({ force: true })

    await approve(owner.page, `tell of ${title}`)
    await expect.poll(() => subjects().at(-1)).toBe(`点検 ${title}`)
    await page.goto('/')
    await expect(page.getByRole('link', { name: `点検 ${title}` })).toBeVisible()
    await page.getByRole('button', { name: 'お知らせを閉じる' }).click()
    await expect(page.getByRole('link', { name: `点検 ${title}` })).toBeHidden()
    await page.goto('/pages/my/announcements')
    await expect(page.getByRole('heading', { name: `点検 ${title}` })).toBeVisible()
  })

  await writer.reload()
  await writer.getByRole('button', { name: title }).click()
  await sheet.getByRole('button', { name: 'Withdraw' }).click()
  await sheet.getByLabel('Reason').fill('It was a test')
  await sheet.getByRole('button', { name: 'Withdraw' }).click()
  await expect(sheet).toBeHidden()
  const { items } = await api<{ items: { texts: { en: { title: string } }; state: string }[] }>(
    writer,
    'admin/announcements',
  )
  expect(items.find(({ texts }) => texts.en.title === title)).toMatchObject({
    state: 'withdrawn',
    dismissed: 1,
    sent: { members: 1, mails: 1, pushes: 0, given_up: 0 },
  })
})
