import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The kinds of operations with their weights. */
export const KINDS = ['signIn', 'read', 'transfer', 'order', 'savings'] as const
export type Kind = (typeof KINDS)[number]
export const WEIGHTS: Readonly<Record<Kind, number>> = {
  signIn: 1,
  read: 8,
  transfer: 5,
  order: 2,
  savings: 4,
}

/** A signed-in member, the receiver of its transfers, and the package that it orders. */
export interface Caller {
  readonly address: `0x${string}`
  readonly key: `0x${string}`
  readonly token: string
  readonly other: string
  readonly product: string
}

export interface LoadOrder {
  readonly address: string
  readonly callers: readonly Caller[]
  readonly connections: number
  /** Without it, the load goes on until it is ended. */
  readonly seconds?: number
}

/** Operations per second, and the latencies of single requests. */
export interface LoadReport {
  readonly perSecond: number
  readonly operations: number
  /** Processor time of this process per operation. */
  readonly loadMs: number
  readonly requests: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers with 503, after which the call was repeated, as the app does. */
  readonly busy: number
  readonly errors: readonly string[]
}

/** A separate process that puts loads on servers. It stays, so that its code is compiled before a measurement. */
export interface Load {
  put(order: LoadOrder & { readonly seconds: number }): Promise<LoadReport>
  /** Puts a load while `work` runs. */
  putDuring(order: LoadOrder, work: () => Promise<unknown>): Promise<LoadReport>
  end(): void
}

/** Starts the process of a load. */
export function startLoad(): Load {
  const child = fork(fileURLToPath(new URL('./client.ts', import.meta.url)))
  async function reportOf(order: LoadOrder): Promise<LoadReport> {
    child.send(order)
    const [report] = (await once(child, 'message')) as [LoadReport]
    return report
  }
  return {
    put: (order) => reportOf(order),
    async putDuring(order, work) {
      const report = reportOf(order)
      await work().finally(() => child.send('end'))
      return report
    },
    end: () => child.disconnect(),
  }
}
