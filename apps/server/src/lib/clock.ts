/** The clock of a service, injected so that `rif simulate` and tests run on the events' own time. */
export type Now = () => Date
