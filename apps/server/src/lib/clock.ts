/** The clock of a service. Given from outside, so that `rif simulate` and tests run on the events' own time. */
export type Now = () => Date
