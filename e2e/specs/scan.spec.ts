import { browserWithCamera, readDrawnCode } from '../support/camera.ts'
import { findNothing, look } from '../support/inspect.ts'
import { expect, signInAsDemo, test } from '../support/product.ts'

const SEND = '/pages/localWallet/transaction'

test('the camera reads an address once it is allowed; another code is ignored', { tag: '@full' }, async ({
  member,
  visitor,
}) => {
  const friend = await member()
  await friend.page.goto('/pages/my/invite/index')
  const invitation = await readDrawnCode(friend.page.getByRole('img', { name: /QR/ }).first())
  await friend.page.goto('/pages/localWallet/index')
  await friend.page.getByRole('button', { name: 'Receive' }).click()
  const address = await readDrawnCode(friend.page.getByRole('img', { name: 'QR code of your address' }))

  const browser = await browserWithCamera({ code: invitation, seconds: 3 }, { code: address, seconds: 10 })
  const { page } = await signInAsDemo((options) => visitor({ ...options, browser }), 'Ann')
  await page.goto(SEND)
  await page.getByRole('button', { name: 'Scan a QR code' }).click()
  const sheet = page.getByRole('dialog', { name: 'Scan a QR code' })
  await expect(sheet.getByText('The camera may not be used.')).toBeVisible()
  await look(page, 'scan-refused')
  await page.context().grantPermissions(['camera'])
  await sheet.getByRole('button', { name: 'Try again' }).click()
  await expect(sheet.getByText('This code holds no address.')).toBeVisible()
  await look(page, 'scan')
  await findNothing(page)
  await expect(page.getByLabel('Receiver')).toHaveValue(friend.wallet.address)
  await expect(page.getByText('A registered member')).toBeVisible()
  await expect(sheet).toHaveCount(0)

  const blind = await browserWithCamera()
  const { page: other } = await signInAsDemo((options) => visitor({ ...options, browser: blind }), 'Ann')
  await other.goto(SEND)
  await other.getByRole('button', { name: 'Scan a QR code' }).click()
  await expect(other.getByText('No camera was found.')).toBeVisible()
  await look(other, 'scan-no-camera')
})
