import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A received mail: headers in lower case, and the text. */
export interface SunkMail {
  readonly to: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * Starts a mail server on this machine that stores the received mails, and refuses receivers of the domain
 * `refused.test`.
 */
export async function startMailSink(port = 0) {
  const mails: SunkMail[] = []
  let isDown = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _session, done) {
      if (isDown) done(Object.assign(new Error('try later'), { responseCode: 451 }))
      else if (address.endsWith('@refused.test'))
        done(Object.assign(new Error('unknown'), { responseCode: 550 }))
      else done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push(parse(session.envelope.rcptTo[0]!.address, Buffer.concat(chunks).toString('utf8')))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()))
  return {
    mails,
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    /** Makes the server respond that it is not available. */
    setDown(down: boolean): void {
      isDown = down
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function parse(to: string, raw: string): SunkMail {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      decodeWords(line.slice(line.indexOf(':') + 1).trim()),
    ]),
  )
  const body = rest.join('\r\n\r\n')
  const encoding = headers['content-transfer-encoding']
  const text =
    encoding === 'base64' ? Buffer.from(body, 'base64').toString('utf8') : decodeQuoted(body, encoding)
  return { to, headers, text }
}

function decodeQuoted(body: string, encoding: string | undefined): string {
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Decodes the words of a header that are not ASCII (RFC 2047). */
function decodeWords(value: string): string {
  return value
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decodeQuoted(text.replace(/_/g, ' '), 'quoted-printable'),
    )
}
