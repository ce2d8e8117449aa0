/** Standing work, repeated while the process runs. A run that throws is logged and repeated; runs do not overlap. */
export interface Job {
  readonly name: string
  readonly everyMs: number
  readonly run: () => Promise<unknown>
}
