import { createHash } from 'node:crypto'
import type { DryRun, ProfitCoverage, RevenueDeposit } from '@rif/api-schema'
import { encodeFunctionData, erc20Abi, parseUnits } from 'viem'
import { approve, prepare } from '../support/admins.ts'
import { look } from '../support/inspect.ts'
import { alone, api, expect, signInAsDemo, test } from '../support/product.ts'

test('a deposit of revenue is attested by two people, and the next settlement pays from it', async ({
  visitor,
  chain,
}) => {
  const paper = Buffer.from(`Rent of the harbour, ${Date.now()}`)
  const documentHash = `0x${createHash('sha256').update(paper).digest('hex')}` as const
  const label = `rent ${Date.now()}`
  const depositId = await chain.depositRevenue('0.7531', documentHash, { asset: 'amc', label })
  const source = `Rent of the harbour, deposit ${depositId}`
  const { page } = await signInAsDemo(visitor, 'Paul')
  const interest = () => alone('dry run', workOutInterest)
  const workOutInterest = async () => {
    await page.goto('/pages/admin/rewardDistribution')
    const card = page.getByRole('region', { name: 'Dry run', exact: true })
    const { run: last } = await api<{ run: DryRun | null }>(page, 'admin/settlement/dry-run')
    await card.getByRole('button', { name: /Start a dry run|Run again/ }).click()
    const fresh = async () => {
      const { run } = await api<{ run: DryRun | null }>(page, 'admin/settlement/dry-run')
      return run !== null && run.run_id !== last?.run_id && run.step === 'done' ? run.result : null
    }
    await expect.poll(fresh).not.toBeNull()
    return (await fresh())!.batches.find((batch) => batch.class === 'savings' && batch.unit === 'AMC')!
  }
  const before = await interest()

  const list = page.getByRole('list', { name: 'Revenue that came in' })
  const showRevenue = () => page.getByRole('button', { name: 'Revenue that came in' }).click()
  const details = page.getByRole('dialog', { name: 'Details' })
  const deposit = list.getByRole('listitem').filter({ hasText: label }).filter({ hasText: '0.75' })
  await expect(async () => {
    const { items } = await api<{ items: RevenueDeposit[] }>(page, 'admin/deposits')
    expect(items.map(({ deposit_id }) => deposit_id)).toContain(depositId)
  }).toPass()
  await page.reload()
  await showRevenue()
  await deposit.getByRole('button').click()
  await details.getByRole('button', { name: 'Propose to attest' }).click()
  await expect(details).toBeHidden()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Savings interest').click()
  await sheet.getByLabel('Where it was earned').fill(source)
  const file = (content: Buffer) => ({ name: 'rent.pdf', mimeType: 'application/pdf', buffer: content })
  await sheet.locator('input[type=file]').setInputFiles(file(Buffer.from('another paper')))
  await expect(sheet.getByText('The deposit names another paper')).toBeVisible()
  await sheet.locator('input[type=file]').setInputFiles(file(paper))
  await expect(sheet.getByText('This is the paper that the deposit names')).toBeVisible()
  await look(page, 'admin-attest')
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await prepare(page, source)
  await expect(deposit).toContainText('With an approver')

  const approver = await signInAsDemo(visitor, 'Vera')
  await approve(approver.page, source)
  await page.reload()
  await showRevenue()
  await expect(deposit).toContainText('Attested')
  await expect(deposit).toContainText('Savings interest')
  await look(page, 'admin-revenue', { fullPage: true })

  const after = await interest()
  expect(Number(after.pool_amc) - Number(before.pool_amc)).toBeCloseTo(0.7531)
  expect(after.coverage_ppm).toBeGreaterThan(before.coverage_ppm)
  expect(Number(after.paid)).toBeGreaterThan(Number(before.paid))

  const member = await signInAsDemo(visitor, 'Kim')
  await member.page.goto('/pages/rewardList/coverage')
  const attestation = member.page.getByRole('listitem').filter({ hasText: source })
  await expect(attestation).toContainText('0.75')
  const { attestations } = await api<ProfitCoverage>(member.page, 'profit/coverage')
  expect(attestations).toContainEqual(expect.objectContaining({ source, document_hash: documentHash }))
})

test('an operator pays revenue in on the page, and the bank gets exactly it', async ({ visitor, chain }) => {
  const { page, address } = await signInAsDemo(visitor, 'Paul')
  const giver = await chain.newWallet({ usdt: '3' })
  const transfer = { abi: erc20Abi, functionName: 'transfer', args: [address, parseUnits('3', 6)] } as const
  await chain.sendFrom(giver, chain.contracts.usdt, encodeFunctionData(transfer))
  const paper = Buffer.from(`Rent of the pier, ${Date.now()}`)
  const label = `pier ${Date.now()}`

  await page.goto('/pages/admin/rewardDistribution')
  await page.getByRole('button', { name: 'Revenue that came in' }).click()
  await page.getByRole('button', { name: 'Pay revenue in' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await expect(sheet.getByText('Invalid amount')).toBeVisible()
  await sheet.getByLabel('Amount').fill('1.25')
  await sheet.getByLabel('Label').fill(label)
  await sheet
    .locator('input[type=file]')
    .setInputFiles({ name: 'rent.pdf', mimeType: 'application/pdf', buffer: paper })
  await look(page, 'admin-pay-in')
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await expect(sheet.getByText('1.25 USDT')).toBeVisible()
  await look(page, 'admin-pay-in-confirm')
  await sheet.getByRole('button', { name: 'Send with the wallet' }).click()
  await expect(sheet).toBeHidden()
  await chain.finalise()
  const paidIn = async () => {
    const { items } = await api<{ items: RevenueDeposit[] }>(page, 'admin/deposits')
    return items.find((item) => item.label === label)
  }
  await expect.poll(paidIn).toMatchObject({
    asset: 'USDT',
    from: address,
    document_hash: `0x${createHash('sha256').update(paper).digest('hex')}`,
  })
  expect(Number((await paidIn())!.amount)).toBe(1.25)
  const allowance = {
    abi: erc20Abi,
    functionName: 'allowance',
    args: [address, chain.contracts.bank],
  } as const
  expect(await chain.readContract({ address: chain.contracts.usdt, ...allowance })).toBe(0n)
})
