import { type LogFn, type Logger, pino, stdSerializers } from 'pino'
import { createOutageLines } from './outage-lines.ts'

export type { Logger }

/**
 * Fields that must never appear in a log line: tokens, signatures, keys, passwords, addresses with
 * credentials.
 */
const SECRETS = [
  'authorization',
  'cookie',
  'token',
  'signature',
  'privateKey',
  'password',
  'databaseUrl',
  'rpcUrl',
  'rpcUrls',
]

/** Providers put keys into the path of a URL, and a database URL has a password before its host. */
const ADDRESS = /\b(https?|wss?|postgres(?:ql)?):\/\/(?:[^\s/@"']*@)?([^\s/?#"']+)[^\s"']*/g

/** Reduces the addresses in a text to their hosts. */
export const hostsOnly = (text: string) => text.replace(ADDRESS, '$1://$2')

/** Describes an error for the log: type, code, message and stack, with addresses reduced to their hosts. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return hostsOnly(String(error))
  const { type, message, stack } = stdSerializers.err(error)
  return {
    type,
    code: (error as NodeJS.ErrnoException).code,
    message: hostsOnly(message),
    stack: hostsOnly(stack),
  }
}

/**
 * Creates the process's logger: JSON lines on stdout, with secrets replaced. Level "silent" writes nothing.
 * Errors of a part that is away are one line a minute for each text, without a stack.
 */
export function createLogger(options: { level: string; stream?: { write(line: string): void } }): Logger {
  const outageLine = createOutageLines()
  return pino(
    {
      level: options.level,
      base: null,
      serializers: { err: describeError },
      hooks: {
        logMethod(args: Parameters<LogFn>, method: LogFn) {
          const [fields, text] = args as unknown as [{ err?: unknown } | string, string?]
          if (typeof fields !== 'object' || fields === null || !('err' in fields))
            return method.apply(this, args)
          const line = outageLine(fields.err, text ?? '')
          if (line === 'none') return
          if (line === undefined) return method.apply(this, args)
          const { err: _, ...others } = fields
          return method.apply(this, [{ ...others, ...line, reason: hostsOnly(line.reason) }, text] as never)
        },
      },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[redacted]',
      },
    },
    options.stream ?? pino.destination(1),
  )
}
