import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import { HASHED } from './web-app.ts'

/** The page itself may use the camera, to scan an address; nothing else that a browser asks leave for. */
const PERMISSIONS =
  'camera=(self), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), display-capture=()'

/** The page that strangers open with a link of a member. */
const SHARED_PAGE = /^\/pages\/shared\/?(\?|$)/
/** Its token stands behind the `#`, which no browser sends; neither may anybody keep the page, list it or learn of the visit. */
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

/** Returns the hosts that a page calls for WalletConnect: its relay, and a node, because such a wallet answers no reads of the chain. */
function walletConnectHosts({ publicUrl, browserRpcUrl, walletConnect }: SecuritySettings): string[] {
  if (walletConnect === undefined) return []
  const hosts = [walletConnect.relayUrl, browserRpcUrl].map((url) => new URL(url, publicUrl).origin)
  return hosts.filter((host) => host !== new URL(publicUrl).origin)
}

/**
 * Security headers on every answer. A page: everything that runs or is loaded comes from this origin; there is no inline script.
 * Pictures may be data: too, because wallets announce their icons so (EIP-6963). Nothing may frame the product.
 * An API response is not a page: its policy allows nothing, and no cache may store it. Neither is a file with a hashed name, of
 * which a first visit loads thirty: the headers of a page are more than the content of the small ones.
 * Returns the headers of a call, for what is refused before any hook runs.
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
        // React sets style attributes for positions and sizes that are computed; they can load and run nothing.
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
    // Wallet windows must be able to talk back to the page that opened them.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  })
  const pageHeaders = { ...ofPages, 'permissions-policy': PERMISSIONS }
  const ofCalls = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity,
    // About pages, which these are not.
    ...{ crossOriginOpenerPolicy: false, originAgentCluster: false, referrerPolicy: false },
    ...{ xDnsPrefetchControl: false, xDownloadOptions: false, xFrameOptions: false },
    ...{ xPermittedCrossDomainPolicies: false, xXssProtection: false },
  })
  const callHeaders = { ...ofCalls, 'cache-control': 'no-store' }
  app.addHook('onSend', async ({ url }, reply) => {
    // After the file server, which has a rule of its own for every page.
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
