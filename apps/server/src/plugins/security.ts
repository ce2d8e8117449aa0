import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import { HASHED } from './web-app.ts'

/**
 * The page itself may use the camera, to scan an address, and no other feature that requires a permission of
 * the browser.
 */
const PERMISSIONS =
  'camera=(self), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), display-capture=()'

/** The page that strangers open with a link of a member. */
const SHARED_PAGE = /^\/pages\/shared\/?(\?|$)/
/**
 * Its token is behind the `#`, which browsers do not send. The page must not be cached, indexed or named in a
 * referrer.
 */
const SHARED_PAGE_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
}

interface SecuritySettings {
  readonly publicUrl: string
  readonly browserRpcUrl: string
  readonly walletConnect?: { readonly relayUrl: string } | undefined
}

/**
 * Returns the hosts that a page calls for WalletConnect: its relay, and a node, because such a wallet does
 * not answer reads of the chain.
 */
function walletConnectHosts({ publicUrl, browserRpcUrl, walletConnect }: SecuritySettings): string[] {
  if (walletConnect === undefined) return []
  const hosts = [walletConnect.relayUrl, browserRpcUrl].map((url) => new URL(url, publicUrl).origin)
  return hosts.filter((host) => host !== new URL(publicUrl).origin)
}

/**
 * Sets the security headers of every response. A page loads and runs only code from this origin, without
 * inline scripts. Pictures may also be `data:` URLs, because wallets announce their icons in this form
 * (EIP-6963). No site may frame the product. An API response is not a page: its policy allows nothing, and no
 * cache may store it. Files with a hashed name, of which a first visit loads thirty, do not get the headers
 * of a page either, which are larger than the content of the small ones. Returns the headers of a call, for
 * requests that are refused before any hook runs.
 */
export function useSecurityHeaders(
  app: FastifyInstance,
  settings: SecuritySettings,
): Readonly<Record<string, string>> {
  const https = settings.publicUrl.startsWith('https:')
  const strictTransportSecurity = https && { maxAge: 31_536_000, includeSubDomains: true }
  const ofPages = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // React sets style attributes for computed positions and sizes; they can neither load nor run
        // anything.
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...walletConnectHosts(settings)],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(https && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity,
    referrerPolicy: { policy: 'same-origin' },
    // Windows of wallets must be able to post messages to the page that opened them.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  })
  const pageHeaders = { ...ofPages, 'permissions-policy': PERMISSIONS }
  const ofCalls = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity,
    // Headers for pages, which these responses are not.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    referrerPolicy: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  const callHeaders = { ...ofCalls, 'cache-control': 'no-store' }
  app.addHook('onSend', async ({ url }, reply) => {
    // After the file server, which has its own rule for every page.
    if (SHARED_PAGE.test(url)) reply.headers(SHARED_PAGE_HEADERS)
  })
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.routeName !== undefined) reply.headers(callHeaders)
    else reply.headers(request.url.startsWith(HASHED) ? ofCalls : pageHeaders)
  })
  return callHeaders
}

/** The headers that Helmet sets with these options, computed once because they never change. */
function headersOf(options: Parameters<typeof helmet>[0]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value
    },
    removeHeader: () => undefined,
  }
  helmet(options)({} as IncomingMessage, response as unknown as ServerResponse, () => undefined)
  return headers
}
