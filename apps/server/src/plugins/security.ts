import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'

/** The page itself may use the camera, to scan an address; nothing else that a browser asks leave for. */
const PERMISSIONS =
  'camera=(self), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), display-capture=()'

/**
 * Security headers on every answer. Everything that runs or is loaded comes from this origin; there is no inline script.
 * Pictures may be data: too, because wallets announce their icons so (EIP-6963). Nothing may frame the product.
 */
export function useSecurityHeaders(app: FastifyInstance, { https }: { https: boolean }): void {
  const helmetHeaders = headersOf({
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
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(https && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: https && { maxAge: 31_536_000, includeSubDomains: true },
    referrerPolicy: { policy: 'same-origin' },
    // Wallet windows must be able to talk back to the page that opened them.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  })
  const headers = { ...helmetHeaders, 'permissions-policy': PERMISSIONS }
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}

/** What Helmet sets with these options. The same for every answer, so it is asked once. */
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
