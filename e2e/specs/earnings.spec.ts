import { look } from '../support/inspect.ts'
import { expect, test } from '../support/product.ts'

test("the members' earnings are public, also before the first package", { tag: '@full' }, async ({
  visitor,
  member,
}) => {
  const { page } = await visitor()
  await page.goto('/pages/earnings')
  // The books of a test have fewer buyers than a figure needs, or no settled day yet.
  const answer = page.getByText(/^(Too few to tell|No figures yet)$/)
  await expect(answer).toBeVisible()
  await look(page, 'earnings')

  const { page: own } = await member()
  await own.goto('/')
  await own.getByRole('link', { name: /^What members got back/ }).click()
  await expect(own).toHaveURL('/pages/earnings')
})
