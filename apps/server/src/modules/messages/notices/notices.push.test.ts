import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  deliver,
  happened,
  member,
  passTime,
  post,
  server,
  service,
  settings,
  useNoticeServer,
  withdraw,
} from '../../../testing/notice-server.ts'
import { newWallet, signIn } from '../../../testing/test-server.ts'

useNoticeServer()

describe('push', () => {
  const register = (name: string, as = member, headers = {}) =>
    post('me/notices/push', service.registration(name), as, headers)

  test('a message is signed, encrypted for the browser, in its language, and opens a page of the app', async () => {
    expect((await settings()).push).toMatchObject({ available: true, browsers: [] })
    const { data } = await register(`${member.memberId}`, member, { 'accept-language': 'ja' })
    expect(data.push.browsers).toEqual([expect.objectContaining({ current: true, taken_at: null })])
    const { withdraw_id } = await withdraw('7')
    await Promise.all([deliver(), deliver()])
    expect(service.problems).toEqual([])
    expect(service.pushed).toHaveLength(1)
    const [{ content, headers }] = service.pushed as [(typeof service.pushed)[0]]
    expect(content).toEqual({
      title: '出金を受け取れます',
      body: '7 USDT の出金を受け取れます。',
      lang: 'ja',
      path: `/pages/withdrawal/detail?withdraw_id=${withdraw_id}`,
      tag: expect.stringMatching(/^[\w-]{32}$/),
    })
    expect(headers.topic).toBe(content.tag)
    expect((await settings()).push.browsers[0]!.taken_at).not.toBeNull()
  })

  test('a repeated event gives one notice, and a repeated delivery replaces the first', async () => {
    await register(`${member.memberId}`)
    const facts = { id: '1', amount: '1.000000', asset: 'USDT' }
    await happened('claim_ready/1', 'claim_ready', facts)
    await happened('claim_ready/1', 'claim_ready', facts)
    service.answer(503)
    await deliver()
    service.answer(201)
    passTime(60_000)
    await deliver()
    // The service accepted the first one too before it failed.
    expect(service.pushed).toHaveLength(2)
    expect(service.pushed[0]!.content.tag).toBe(service.pushed[1]!.content.tag)
  })

  test('a browser that the service no longer knows is removed', async () => {
    await register(`${member.memberId}`)
    await happened('one', 'claim_ready', { id: '1', amount: '1', asset: 'USDT' })
    service.answer(410)
    await deliver()
    expect((await settings()).push.browsers).toEqual([])
  })

  test.each([
    'http://push.example.org/a',
    'https://127.0.0.1/a',
    'https://169.254.169.254/latest',
    'https://[::1]/a',
    'https://localhost/a',
    'https://database:5432/',
    'https://user:key@push.example.org/',
    'https://10.0.0.1/',
  ])('the endpoint %s is refused', async (endpoint) => {
    const { data } = await post('me/notices/push', { ...service.registration(), endpoint })
    expect(data.error).toBe('VALIDATION_FAILED')
  })

  test('keys that are not a point of the curve are refused', async () => {
    const { endpoint, keys: valid } = service.registration()
    const p256dh = Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url')
    const { data } = await post('me/notices/push', { endpoint, keys: { ...valid, p256dh } })
    expect(data.error).toBe('VALIDATION_FAILED')
  })

  test('a browser belongs to its last member, and ends with its session', async () => {
    await register('shared')
    await happened('one', 'claim_ready', { id: '1', amount: '1', asset: 'USDT' })
    const other = await signIn(server, newWallet())
    await register('shared', other)
    await deliver()
    expect(service.pushed).toEqual([])
    expect((await settings()).push.browsers).toEqual([])
    await post('auth/sign-out', {}, other)
    const again = await signIn(server, other.wallet)
    expect((await settings(again)).push.browsers).toEqual([])
  })

  test('a member has at most ten browsers', async () => {
    for (let index = 0; index < 11; index++) await register(`${member.memberId}-${index}`)
    const { browsers } = (await settings()).push
    expect(browsers).toHaveLength(10)
    const [newest] = browsers
    const { data } = await post('me/notices/push/remove', { push_id: newest!.push_id })
    expect(data.push.browsers).toHaveLength(9)
    const stranger = await signIn(server, newWallet())
    const foreign = { push_id: data.push.browsers[0].push_id }
    expect((await post('me/notices/push/remove', foreign, stranger)).data.error).toBe('NOT_FOUND')
  })
})
