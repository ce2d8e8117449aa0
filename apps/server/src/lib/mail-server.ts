import { createTransport } from 'nodemailer'

const TIMEOUT_MS = 10_000
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Opens the operator's mail server for one mail; close it afterwards.
 *
 * @param smtpUrl `smtp://` or `smtps://`, with login and password if the server needs them. A server that is not on this
 *   machine must offer TLS.
 */
export function openMailServer(smtpUrl: string) {
  const { hostname, protocol } = new URL(smtpUrl)
  return createTransport({
    url: smtpUrl,
    requireTLS: protocol === 'smtp:' && !LOOPBACK.has(hostname),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
