import { currentTerms } from '@rif/rules'
import { kept } from '../../lib/index.ts'

/**
 * The wallet that accepted the version in force in this browser, so that not every start queries the server.
 */
const KEY = 'accepted_terms'

const markOf = (address: string) => `${address.toLowerCase()} ${currentTerms().version}`

/** Records that a wallet accepted the version in force. */
export const keepAccepted = (address: string) => kept.set(KEY, markOf(address))

/** Reports whether this browser has recorded that a wallet accepted the version in force. */
export const isKeptAccepted = (address: string) => kept.get(KEY) === markOf(address)
