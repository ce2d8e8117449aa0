declare module 'autocannon' {
  interface Options {
    readonly url: string
    readonly connections: number
    readonly duration: number
    readonly workers?: number
    /** With workers: the path of a module that is called with each connection's client. */
    readonly setupClient?: string
    readonly requests?: readonly {
      readonly path: string
      readonly headers: Readonly<Record<string, string>>
    }[]
  }
  interface Result {
    readonly requests: { readonly total: number; readonly average: number }
    readonly latency: { readonly p50: number; readonly p99: number }
    readonly duration: number
    readonly non2xx: number
    readonly errors: number
    readonly timeouts: number
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>
  }
  export default function autocannon(options: Options): Promise<Result>
}
