import { approve, prepare } from '../support/admins.ts'
import { expect, post, signInAsDemo, test } from '../support/product.ts'

test('one owner pauses orders at once, two let them go on, and members are told', async ({ visitor }) => {
  const member = await signInAsDemo(visitor, 'Kim')
  const owner = await signInAsDemo(visitor, 'Olivia')
  await owner.page.goto('/pages/admin/emergency')
  const orders = owner.page.getByRole('region', { name: 'Orders' })
  await orders.getByRole('button', { name: 'Pause' }).click()
  await prepare(owner.page, 'a wrong price was published', 'Sign and carry out now')
  await expect(orders.getByText('Paused')).toBeVisible()
  expect(await post(member.page, 'order', { product_id: '1' })).toMatchObject({ error: 'PAUSED' })
  await member.page.goto('/')
  await expect(member.page.getByText('Paused for the moment: Orders.')).toBeVisible()

  await orders.getByRole('button', { name: 'Propose to resume' }).click()
  await prepare(owner.page, 'the price is right again')
  const second = await signInAsDemo(visitor, 'Otto')
  await approve(second.page, 'the price is right again')
  await member.page.reload()
  await expect(member.page.getByText('Paused for the moment')).toBeHidden()
})
