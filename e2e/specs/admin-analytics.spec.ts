import { row } from '../support/database.ts'
import { isThere } from '../support/inspect.ts'
import { api, expect, signInAsDemo, test } from '../support/product.ts'

const ANALYTICS = '/pages/admin/analytics'

/** Micro-units as the API writes them, and as a page does. */
const amount = (micros: string) => `${BigInt(micros) / 1_000_000n}.${micros.padStart(7, '0').slice(-6)}`
const shown = (text: string) =>
  Number(text.slice(0, text.indexOf('.') + 3)).toLocaleString('en-US', { minimumFractionDigits: 2 })

const FIGURES = `select
  (select count(*) from members) as members,
  (select count(*) from members where valid_at is not null) as valid,
  (select count(*) from orders where status = 'Paid') as paid,
  (select sum(price_micros - case when use_hash_rate then discount_micros else 0 end) from orders
    where status = 'Paid') as base,
  (select count(*) from withdrawals where status = 'Auditing') as auditing,
  (select sum(balance) from ledger_balances where asset = 'USDT' and ledger_account_class(account) = 'member') as owed`

test('analytics shows the true figures of the demonstration', { tag: '@full' }, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Walt')
  const card = (name: string) => page.getByRole('region', { name, exact: true })
  let base = ''
  // The earlier tests have ended; their last changes may still be processed.
  await expect(async () => {
    const figures = await row(FIGURES)
    base = amount(figures.base!)
    const members = await api<{ members: number; valid: number }>(page, 'admin/analytics/members')
    const sales = await api<{ totals: object }>(page, 'admin/analytics/sales')
    const liabilities = await api<{ assets: object[] }>(page, 'admin/analytics/liabilities')
    expect(members).toMatchObject({ members: Number(figures.members), valid: Number(figures.valid) })
    expect(sales.totals).toMatchObject({ paid: Number(figures.paid), base })
    const owed = expect.objectContaining({ asset: 'USDT', members: amount(figures.owed!) })
    expect(liabilities.assets).toContainEqual(owed)

    await page.goto(ANALYTICS)
    await isThere(page)
    for (const [name, text] of [
      ['Members', `All${figures.members}`],
      ['Sales', shown(base)],
      ['What needs you', `${figures.auditing} withdrawal`],
    ] as const)
      expect(await card(name).textContent()).toContain(text)
  }).toPass()
  await expect(card('Holdings')).toContainText('On chain at block')

  await page.getByText('90 days').click()
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}&to=/)
  await expect(card('Sales')).toContainText(shown(base))
  const file = page.waitForEvent('download')
  await card('Sales').getByRole('button', { name: 'Save as CSV' }).click()
  const lines = await textOf(await (await file).createReadStream())
  expect(lines.split('\r\n')[0]).toContain('day,ordered,cancelled,paid,base')
})

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}
