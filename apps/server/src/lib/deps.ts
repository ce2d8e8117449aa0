/** The dependencies that a function `createX(deps)` takes. */
// biome-ignore lint/suspicious/noExplicitAny: every function of one argument is accepted.
export type DepsOf<Create extends (deps: any) => unknown> = Parameters<Create>[0]
