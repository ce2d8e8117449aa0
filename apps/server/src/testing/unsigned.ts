import { createServices, type Services } from '../services.ts'

/** Returns the same services without the signatures of members' wallets, for tests of something else. */
export const unsigned = ({ db, now, log, chain, settings }: Services): Services =>
  createServices({ db, now, log, chain, settings: { ...settings, membersSign: false } })
