import type { Page } from '@playwright/test'
import { findNothing } from '../support/inspect.ts'
import { api, expect, type Member, signUp, test } from '../support/product.ts'
import { expectToast } from '../support/toasts.ts'

interface Invite {
  invite_code: string
  places: { left: { generation: number }; right: { generation: number } }
}

/** A member with two on the left, one below the other, and one on the right. */
async function withTeam(member: () => Promise<Member>) {
  const { page } = await member()
  const { invite_code: code } = await api<Invite>(page, 'me/invite')
  const wallets: string[] = []
  for (const side of ['left', 'left', 'right']) {
    const { address } = await signUp({ code, side })
    wallets.push(address)
  }
  return { page, wallets, code }
}

const TREE = '/pages/my/invite/inviteTree'
const current = (page: Page) => page.getByRole('tree').getByRole('treeitem', { selected: true })

test('the tree can be opened, navigated, searched and labelled', { tag: '@full' }, async ({ member }) => {
  const { page, wallets } = await withTeam(member)
  await page.goto(TREE)
  const tree = page.getByRole('tree', { name: 'Team tree' })
  await expect(current(page)).toHaveText(/left 2, right 1/)

  await test.step('zoom stays between 30% and 300%, and is restored', async () => {
    const restore = page.getByRole('button', { name: /^Restore/ })
    for (let step = 0; step < 8; step++)
      await page.getByRole('button', { name: 'Zoom in' }).click({ force: true })
    await expect(restore).toHaveText('300%')
    await tree.focus()
    for (let step = 0; step < 14; step++) await page.keyboard.press('-')
    await expect(restore).toHaveText('30%')
    await restore.click()
    await expect(restore).toHaveText('100%')
  })

  await test.step('keys walk and open', async () => {
    await tree.focus()
    await page.keyboard.press('ArrowDown')
    await expect(current(page)).toHaveText(/left 1, right 0/)
    await expect(current(page)).toHaveAttribute('aria-level', '2')
    await page.keyboard.press('ArrowRight')
    await expect(current(page)).toHaveText(/left 0, right 0/)
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await expect(current(page)).toHaveAttribute('aria-expanded', 'false')
    for (let step = 0; step < 8; step++)
      await page.getByRole('button', { name: 'Zoom in' }).click({ force: true })
    await page.getByRole('button', { name: 'Expand all' }).click()
    await expect(current(page)).toHaveAttribute('aria-expanded', 'true')
    // All that was expanded is in the canvas: it is drawn no larger than it fits.
    await expect(page.getByRole('button', { name: /^Restore/ })).toHaveText(/^(100|[3-9][0-9])%$/)
  })

  await test.step('in fullscreen nothing behind it has the focus; Escape leaves', async () => {
    const search = page.getByRole('button', { name: 'Search the tree' })
    const back = page.getByRole('button', { name: 'Back' })
    const stepBack = () => search.focus().then(() => page.keyboard.press('Shift+Tab'))
    await page.getByRole('button', { name: 'Fullscreen' }).click()
    await stepBack()
    await expect(search).not.toBeFocused()
    await expect(page.locator('header').locator(':focus')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Fullscreen' })).toBeVisible()
    await stepBack()
    await expect(back).toBeFocused()
  })

  await test.step('the root keeps its place: it can be edited, not deleted', async () => {
    await tree.focus()
    await page.keyboard.press('Shift+F10')
    await expect(page.getByRole('menuitem', { name: 'Delete label' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await expect(page.getByText('The root cannot be deleted')).toBeVisible()
    await findNothing(page)
    await page.keyboard.press('Escape')
  })

  await test.step('a label is found, shown, pinned and deleted', async () => {
    await page.getByRole('button', { name: 'Search the tree' }).click()
    await page.getByLabel('Search by address, code, label or note').fill(wallets[1] as string)
    await page.getByRole('dialog').getByRole('listitem').getByRole('button').click()
    await expect(current(page)).toHaveAttribute('aria-level', '3')
    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Edit label, note and pin' }).click()
    await page.getByRole('textbox', { name: 'Label' }).fill('Second on the left')
    await page.getByText('Pin above the tree').click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('list', { name: 'Pinned members' })).toContainText('Second on the left')
    await expect(current(page)).toHaveText(/Second on the left/)
    await page.getByRole('button', { name: 'Show as a list' }).click()
    await expect(page.getByRole('button', { name: /^Generation 2, Left Second on the left/ })).toBeVisible()
    await findNothing(page)
    await page.getByRole('button', { name: 'Actions for Second on the left' }).click()
    await page.getByRole('menuitem', { name: 'Delete label' }).click()
    await page.getByRole('button', { name: 'Delete label' }).click()
    await expect(page.getByRole('list', { name: 'Pinned members' })).toBeHidden()
    await page.getByRole('button', { name: 'Show as a tree' }).click()
  })

  await test.step('a free place tells whether the own link leads there', async () => {
    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Add on the right' }).click()
    await expect(page.getByText('Your link does not lead to this place')).toBeVisible()
    await expect(page.getByText(/side=left/)).toBeVisible()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Actions', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Add on the left' }).click()
    await expect(page.getByText(/This link leads to: Left below .*, generation 3/)).toBeVisible()
    await expect(page.getByText('Your link does not lead to this place')).toBeHidden()
  })
})

test('an invitation shows its place, and the team list is filtered', { tag: '@full' }, async ({ member }) => {
  const { page, wallets, code } = await withTeam(member)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/pages/my/invite/index')
  await expect(page.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  await expect(page.getByText(/At the moment that is: Right/)).toBeVisible()
  await page.getByText('Left', { exact: true }).click()
  await expect(page.getByText(/3 generations below you/)).toBeVisible()
  await page.getByRole('button', { name: `Copy ${code}` }).click()
  await expectToast(page, 'Copy success')

  await page.goto('/pages/index/team_user')
  const items = page.getByRole('list', { name: 'Team' }).getByRole('listitem')
  await expect(items).toHaveCount(3)
  await page.getByRole('group', { name: 'Which members' }).getByText('Right').click()
  await expect(page).toHaveURL(/scope=right/)
  await page.getByLabel('Search by address, code, label or note').fill((wallets[0] as string).slice(0, 14))
  await expect(page.getByText('No such member in your team')).toBeVisible()
  await page.getByRole('group', { name: 'Which members' }).getByText('All').click()
  await expect(items).toHaveCount(1)
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('group', { name: 'Valid' }).getByText('Valid', { exact: true }).last().click()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page).toHaveURL(/valid=true/)
  await expect(page.getByText('No such member in your team')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Reset filter and search' }).click()
  await expect(items).toHaveCount(3)
})
