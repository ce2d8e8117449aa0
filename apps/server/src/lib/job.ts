/** Work that is repeated for ever. A run that throws is logged and comes again; runs of one job do not overlap. */
export interface Job {
  readonly name: string
  readonly everyMs: number
  readonly run: () => Promise<unknown>
}
