import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { approve, prepare } from '../support/admins.ts'
import { expect, post, signInAsDemo, test } from '../support/product.ts'

test.use({ provoked: [/status of 403/] })

interface Message {
  readonly id: string
  readonly text: string
  readonly timestamp: string
  readonly signature: string
}

/** Starts a receiver that stores requests and acknowledges them. */
async function startReceiver() {
  const messages: Message[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const header = (name: string) => String(request.headers[name])
      messages.push({
        id: header('webhook-id'),
        timestamp: header('webhook-timestamp'),
        signature: header('webhook-signature'),
        text: Buffer.concat(chunks).toString('utf8'),
      })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}/hooks`
  return { url, messages, stop: () => server.close() }
}

function isSigned(secret: string, { id, timestamp, text, signature }: Message): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')
  return signature === `v1,${expected}`
}

test('a webhook tells of an order with a signature, and is replayed from its page', { tag: '@full' }, async ({
  member: signUp,
  visitor,
}) => {
  const receiver = await startReceiver()
  const name = `Books ${Date.now()}`
  // The later admin signs in while the first one types.
  const [{ page }, owner, member] = await Promise.all([
    signInAsDemo(visitor, 'Paul', '/pages/admin/webhooks'),
    signInAsDemo(visitor, 'Otto'),
    signUp(),
  ])
  await page.getByRole('button', { name: 'Add an endpoint' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Name').fill(name)
  await sheet.getByLabel('Address').fill(receiver.url)
  await sheet.getByRole('button', { name: 'order.created' }).click()
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await prepare(page, `connect ${name}`)

  await approve(owner.page, `connect ${name}`)
  const order = await post<{ order_id: string }>(member.page, 'order', { product_id: '1' })
  await post(member.page, 'order/cancel', { order_id: order.order_id })
  const ofOrder = () =>
    receiver.messages.filter(({ text }) => JSON.parse(text).data.order_id === order.order_id)
  await expect.poll(() => ofOrder().length).toBe(1)

  await owner.page.goto('/pages/admin/webhooks')
  const endpoint = owner.page.getByRole('listitem').filter({ hasText: name })
  await endpoint.getByRole('button', { name: 'Show the secret' }).click()
  const secret = (await owner.page.getByText(/^whsec_/).textContent())!
  expect(isSigned(secret, ofOrder()[0]!)).toBe(true)

  await owner.page.keyboard.press('Escape')
  await owner.page.getByRole('button', { name: 'order.created' }).filter({ hasText: name }).first().click()
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
  await expect.poll(() => ofOrder().length, { intervals: [50] }).toBe(2)
  expect(ofOrder()[1]).toMatchObject({ id: ofOrder()[0]!.id, text: ofOrder()[0]!.text })
  receiver.stop()
})
