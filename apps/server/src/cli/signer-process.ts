import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AlarmFacts } from '../alarms/alarms.ts'
import type { Config } from '../config.ts'
import type { Logger } from '../lib/logger.ts'
import { StartError } from '../lib/start-error.ts'
import { fileOf } from '../settings.ts'
import { SET_CLOCK } from '../signer/protocol.ts'

/** The settings of the signing process from the environment of the product that starts it. */
const PASSED_ON = [
  'PATH',
  'HOME',
  'NODE_EXTRA_CA_CERTS',
  'SOFTHSM2_CONF',
  'LOG_LEVEL',
  'DATA_DIR',
  'SIGNER_URL',
  'SIGNER_SECRET',
  'CONTRACTS',
  'CLAIM_KEY_SOURCE',
  'QUOTE_KEY_SOURCE',
  'PUBLISHER_KEY_SOURCE',
  'PKCS11_MODULE',
  'KEY_SECRETS_FD',
  'SIGNER_LOG',
  'SIGNER_LIMITS',
  'SIGNER_APPROVERS',
  'SIGNER_RPC_URL',
]

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** After running this long, a process starts again with the shortest pause. */
const SETTLED_MS = 60_000
const STOP_GRACE_MS = 5_000

export interface SignerProcess {
  /** Resolves when the first process signs; rejects with its last line if it refuses to start. */
  ready: Promise<void>
  stop(): Promise<void>
  /** Sets the clock of a process that was started with a `clock`. Resolves when it is set. */
  setClock(at: Date): Promise<void>
}

/**
 * Runs `rif sign` as a separate process, and restarts it whenever it ends. It ends when this process ends,
 * because the channel between them closes. It gets only its own settings.
 */
export function startSignerProcess(options: {
  config: Pick<Config, 'dataDir' | 'logLevel'>
  databaseUrl: string
  /** The nodes for signatures of contract wallets, unless the settings name others. */
  rpcUrls: readonly string[]
  log: Logger
  /** Is called with what is known about each process that ended by itself. */
  onEnded?: ((facts: AlarmFacts) => void) | undefined
  /** The time of the process until `setClock` sets another: for the history of the demonstration, on the local chain only. */
  clock?: Date | undefined
  /** Starts `rif`; by default as this process was started. */
  program?: readonly string[]
}): SignerProcess {
  const { config, databaseUrl, rpcUrls, log, program = [...process.execArgv, process.argv[1]!] } = options
  const command = ['sign', ...(options.clock ? [SET_CLOCK, `${options.clock.getTime()}`] : [])]
  const names = PASSED_ON.flatMap((name) => [name, fileOf(name)])
  const passedSettings = Object.fromEntries(
    names.filter((name) => process.env[name]).map((name) => [name, process.env[name]]),
  )
  const env = {
    ...(!process.env[fileOf('SIGNER_RPC_URL')] && { SIGNER_RPC_URL: rpcUrls.join(',') }),
    ...passedSettings,
    DATA_DIR: config.dataDir,
    LOG_LEVEL: config.logLevel ?? 'warn',
    SIGNER_DATABASE_URL: databaseUrl,
  }
  let child: ChildProcess | undefined
  const stopping = new AbortController()
  const { signal: stopped } = stopping
  let reported: (error?: Error) => void = () => undefined
  const ready = new Promise<void>((resolve, reject) => {
    reported = (error) => (error ? reject(error) : resolve())
  })
  ready.catch(() => undefined)

  function run(): Promise<void> {
    return new Promise((resolve) => {
      const started = spawn(process.execPath, [...program, ...command], {
        env,
        detached: true,
        stdio: stdioOf(process.env.KEY_SECRETS_FD),
      })
      child = started
      let errors = ''
      started.stderr!.setEncoding('utf8').on('data', (text: string) => {
        errors = `${errors}${text}`.slice(-2_000)
      })
      started.on('message', () => reported())
      started.once('error', (error) => {
        reported(error)
        resolve()
      })
      // Not `exit`, which may come before the last line of its errors.
      started.once('close', (code, signal) => {
        const reason = errors
          .trim()
          .split('\n')
          .at(-1)
          ?.replace(/^rif: /, '')
        if (!stopped.aborted) {
          log.error({ code, signal, reason }, 'the signing process ended')
          options.onEnded?.({ code, signal, reason })
        }
        reported(new StartError(reason || `the signing process ended with ${signal ?? code}`))
        resolve()
      })
    })
  }

  async function keepRunning(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS
    while (!stopped.aborted) {
      const begun = performance.now()
      await run()
      if (performance.now() - begun > SETTLED_MS) pauseMs = FIRST_PAUSE_MS
      await sleep(pauseMs, undefined, { signal: stopped }).catch(() => undefined)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
  }
  const running = keepRunning()

  return {
    ready,
    async setClock(at) {
      await ready
      const running = child!
      const answered = once(running, 'message')
      running.send(at.getTime())
      await answered
    },
    async stop() {
      stopping.abort()
      child?.kill('SIGTERM')
      const timer = setTimeout(() => child?.kill('SIGKILL'), STOP_GRACE_MS)
      await running
      clearTimeout(timer)
    },
  }
}

/** Standard error is read for the reason of a refusal; the channel shows the process when this one ends. */
function stdioOf(secretsFd: string | undefined): ('inherit' | 'ignore' | 'pipe' | 'ipc')[] {
  const fd = Number(secretsFd || 0)
  const channels: ('inherit' | 'ignore' | 'pipe' | 'ipc')[] = [
    process.stdin.isTTY ? 'inherit' : 'ignore',
    'inherit',
    'pipe',
  ]
  for (let index = channels.length; index <= fd; index++)
    channels[index] = index === fd ? 'inherit' : 'ignore'
  channels.push('ipc')
  return channels
}
