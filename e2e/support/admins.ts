import { expect, type Page } from '@playwright/test'

/** Fills in the reason, looks at what changes, and goes on. */
export async function prepare(page: Page, reason: string, button = 'Prepare for approval'): Promise<void> {
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Reason').fill(reason)
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await expect(sheet.getByRole('region', { name: 'What changes' })).toBeVisible()
  await sheet.getByRole('button', { name: button }).click()
  await expect(sheet).toBeHidden()
}

/** Opens a waiting proposal and approves it with a signature. */
export const approve = (page: Page, reason: string): Promise<void> => decide(page, reason, 'Approve and sign')

/** Opens a waiting proposal and refuses it with a signature, saying why. */
export const refuse = (page: Page, reason: string, remark: string): Promise<void> =>
  decide(page, reason, 'Reject', remark)

async function decide(
  page: Page,
  reason: string,
  decision: 'Approve and sign' | 'Reject',
  remark = '',
): Promise<void> {
  await page.goto('/pages/admin/approvals')
  await page.getByRole('button', { name: new RegExp(reason) }).click()
  const pane = page.getByRole('region', { name: /^Proposal \d+$/ })
  await expect(pane.getByRole('region', { name: 'What changes' })).toBeVisible()
  if (remark !== '') await pane.getByLabel('Remark').fill(remark)
  await pane.getByRole('button', { name: decision, exact: true }).click()
  // What is decided closes; the next one may stand in its place.
  await expect(page).not.toHaveURL(/proposal_id/)
}
