import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** A request to an address supplied from outside: a push service, a webhook, a price feed. */
export interface OutgoingRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface OutgoingAnswer {
  readonly status: number
  /** In lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** At most `maxAnswerBytes`; further bytes are not read. */
  readonly body: string
}

export interface OutgoingOptions {
  /**
   * Hosts (`name`, `name:port`) that may be internal and may be reached without TLS, from the operator's
   * settings.
   */
  readonly localHosts?: readonly string[]
  readonly timeoutMs?: number
  readonly maxAnswerBytes?: number
  /** Resolves a name to all of its addresses; by default with the system's resolver. */
  readonly resolve?: (hostname: string, family: number) => Promise<readonly LookupAddress[]>
}

/** Thrown if the request was not sent because its address is not allowed. The message contains no address. */
export class OutgoingRefused extends Error {
  override readonly name = 'OutgoingRefused'
}

const MAX_URL_LENGTH = 2_000
const MAX_BODY_BYTES = 256 * 1024
const MAX_HEADER_BYTES = 16 * 1024
const DEFAULTS = {
  localHosts: [],
  timeoutMs: 10_000,
  maxAnswerBytes: 16 * 1024,
  resolve: (hostname: string, family: number) => systemLookup(hostname, { all: true, family }),
} satisfies OutgoingOptions

/** Addresses that RFC 6890 and its registry mark as not global, and 6to4's relay. */
const INTERNAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Only 2000::/3 is global unicast: mapped, translated, local and multicast addresses are outside of it. */
const GLOBAL_V6 = '2000::/3'
/** Inside of it: protocol assignments with Teredo, documentation, and 6to4, which contains an IPv4 address. */
const INTERNAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const internal = blockListOf([...INTERNAL_V4, ...INTERNAL_V6])
const globalV6 = blockListOf([GLOBAL_V6])

/** Reports whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !internal.check(address, 'ipv4')
  return version === 6 && globalV6.check(address, 'ipv6') && !internal.check(address, 'ipv6')
}

export type Outgoing = ReturnType<typeof createOutgoing>

/**
 * Creates the only way in which the server calls externally supplied addresses. A request goes to a public
 * address over TLS, or to one of the operator's local hosts. The name is resolved once, the resolved
 * addresses are checked, and the connection goes to one of them, so a later change of the name has no effect.
 * Redirects are returned like any response. Proxies from the environment are not used.
 */
export function createOutgoing(options: OutgoingOptions = {}) {
  const { localHosts, timeoutMs, maxAnswerBytes, resolve: resolveName } = { ...DEFAULTS, ...options }

  /** Parses and checks an address, without resolving its name. Throws OutgoingRefused. */
  function parse(address: string): { url: URL; isLocal: boolean } {
    if (address.length > MAX_URL_LENGTH || !URL.canParse(address))
      throw new OutgoingRefused('This is no address')
    const url = new URL(address)
    if (url.username !== '' || url.password !== '' || url.hash !== '')
      throw new OutgoingRefused('The address contains a login or a fragment')
    const isLocal = localHosts.includes(url.host) || localHosts.includes(url.hostname)
    if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:'))
      throw new OutgoingRefused('The address does not start with https://')
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (!isLocal && isIP(host) !== 0 && !isPublicAddress(host))
      throw new OutgoingRefused('The address is internal')
    return { url, isLocal }
  }

  return {
    /** Checks an address as far as that is possible without resolving its name. Throws OutgoingRefused. */
    check(address: string): void {
      const { url, isLocal } = parse(address)
      if (!isLocal && !/[.:]/.test(url.hostname)) throw new OutgoingRefused('The address is internal')
    },

    /**
     * Sends a request and returns the response, with any status. Throws OutgoingRefused for an address that
     * is not allowed, and other errors for a connection that fails or times out.
     */
    async send({ url: address, method, headers, body }: OutgoingRequest): Promise<OutgoingAnswer> {
      if (body !== undefined && Buffer.byteLength(body) > MAX_BODY_BYTES)
        throw new OutgoingRefused('The request is too long')
      const { url, isLocal } = parse(address)
      const request = url.protocol === 'https:' ? httpsRequest : httpRequest
      return new Promise((resolve, reject) => {
        const call = request(url, {
          method,
          headers,
          maxHeaderSize: MAX_HEADER_BYTES,
          // A new connection, because a kept-alive one would belong to an earlier resolution of the name.
          agent: false,
          signal: AbortSignal.timeout(timeoutMs),
          ...(!isLocal && { lookup: publicLookup(resolveName) }),
        })
        call.on('error', reject)
        call.on('response', (answer) => {
          const chunks: Buffer[] = []
          let size = 0
          const end = () => {
            const text = Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString('utf8')
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text })
          }
          answer.on('data', (chunk: Buffer) => {
            chunks.push(chunk)
            size += chunk.length
            if (size < maxAnswerBytes) return
            end()
            answer.destroy()
          })
          answer.on('end', end)
          answer.on('error', reject)
        })
        call.end(body)
      })
    },
  }
}

/** Resolves a name to public addresses; refuses a name with any internal address. */
const publicLookup =
  (resolve: NonNullable<OutgoingOptions['resolve']>): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, Number(options.family ?? 0)).then(
      (addresses) => {
        const first = addresses[0]
        if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
          callback(new OutgoingRefused('The address is internal'), '', 0)
        else if (options.all === true) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    )
  }

function blockListOf(subnets: readonly string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/')
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}
