import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOutgoing, isPublicAddress, OutgoingRefused } from './outgoing.ts'

const get = (url: string) => ({ url, method: 'GET', headers: {} }) as const

describe('addresses', () => {
  it.each(['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])(
    'takes %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::1',
    '2001:0:7f00:1::1',
    '2001:db8::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '',
    'localhost',
    '1.1.1',
    'fe80::1%eth0',
  ])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('requests to addresses from outside', () => {
  let origin: string
  let reached: string[] = []
  const answers: Record<string, RequestListener> = {
    '/redirect': (_, reply) => reply.writeHead(302, { location: `${origin}/secret` }).end('moved'),
    '/long': (_, reply) => reply.end('x'.repeat(100_000)),
    '/slow': () => undefined,
    '/echo': (request, reply) => request.pipe(reply),
  }
  const server = createServer((request, reply) => {
    reached.push(request.url ?? '')
    answers[request.url ?? '']?.(request, reply)
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it.each([
    'http://example.org/',
    'ftp://example.org/',
    'file:///etc/passwd',
    'example.org',
    '',
    'https://user:key@example.org/',
    'https://example.org/#a',
    `https://example.org/${'a'.repeat(2_000)}`,
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.0.0.1/',
    'https://0/',
    'https://169.254.169.254/latest',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fe80::1]/',
    'https://１２７.0.0.1/',
    'https://127.0.0.1./',
    'https://0177.0.0.1/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[::]/',
    'https://0.0.0.0:5432/',
    'https://[64:ff9b::7f00:1]/',
    'https://[fd00:ec2::254]/',
    'https://10.1:22/',
  ])('refuses %s before it connects', async (url) => {
    const outgoing = createOutgoing({ localHosts: ['127.0.0.1:1'] })
    expect(() => outgoing.check(url)).toThrow(OutgoingRefused)
    await expect(outgoing.send(get(url))).rejects.toThrow(OutgoingRefused)
  })

  it('refuses a name without a domain, and a name that resolves to an internal address', async () => {
    const { port } = new URL(origin)
    const outgoing = createOutgoing()
    expect(() => outgoing.check('https://database/')).toThrow(OutgoingRefused)
    reached = []
    await expect(outgoing.send(get(`https://localhost:${port}/secret`))).rejects.toThrow(OutgoingRefused)
    expect(reached).toEqual([])
  })

  it('reaches a configured local host, without following redirects', async () => {
    const outgoing = createOutgoing({ localHosts: [new URL(origin).host] })
    reached = []
    const post = { url: `${origin}/echo`, method: 'POST', headers: { 'x-a': 'b' }, body: 'hello' } as const
    expect(await outgoing.send(post)).toMatchObject({ status: 200, body: 'hello' })
    expect(await outgoing.send(get(`${origin}/redirect`))).toMatchObject({ status: 302, body: 'moved' })
    expect(reached).toEqual(['/echo', '/redirect'])
  })

  it('limits the time and the bytes read and sent', async () => {
    const limits = { localHosts: ['127.0.0.1'], timeoutMs: 2_000, maxAnswerBytes: 10 }
    const outgoing = createOutgoing(limits)
    expect((await outgoing.send(get(`${origin}/long`))).body).toBe('x'.repeat(10))
    await expect(outgoing.send(get(`${origin}/slow`))).rejects.toThrow('aborted')
    const body = 'x'.repeat(300_000)
    await expect(outgoing.send({ url: `${origin}/echo`, method: 'POST', headers: {}, body })).rejects.toThrow(
      OutgoingRefused,
    )
  })
})
