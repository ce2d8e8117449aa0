import { encodeFunctionData, parseAbi } from 'viem'
import { reloadUntil } from '../support/inspect.ts'
import { lookAtAll } from '../support/inspect-all.ts'
import { expect, signInAsDemo, test } from '../support/product.ts'
import { inAnotherTab } from '../support/screens.ts'

const WEEK_S = 7 * 86_400

test('a completed hand-over: members can read where their money is', async ({ visitor, chain }) => {
  const otto = await signInAsDemo(visitor, 'Otto')
  const data = encodeFunctionData({
    abi: parseAbi(['function queueHandOver(address successor)']),
    args: [await chain.deploySuccessor()],
  })
  expect(await chain.sendFrom(otto.key, chain.contracts.bank, data)).toBe('success')
  await chain.passTime(WEEK_S + 60)

  await otto.page.goto('/pages/admin/emergency')
  const queue = otto.page.getByRole('region', { name: 'Waiting in public' })
  await queue.getByRole('button', { name: 'Execute' }).click()
  const sheet = otto.page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Send with the wallet' }).click()
  await expect(sheet).toBeHidden()
  await chain.finalise()
  const banner = 'The members’ money has moved to a new bank contract.'
  const other = await signInAsDemo(visitor, 'Ann')
  await other.page.goto('/')
  await reloadUntil(other.page, () => other.page.getByText(banner).isVisible())
  await lookAtAll(other.page, 'handed-over', await inAnotherTab(other.page))
})
