import { kept } from '../../lib/index.ts'

/**
 * The wallet and the text in force that it accepted in this browser, so that not every start queries the server.
 */
const KEY = 'accepted_terms'

const markOf = (address: string, version: string) => `${address.toLowerCase()} ${version}`

/** Records that a wallet accepted a text. */
export const keepAccepted = (address: string, version: string) => kept.set(KEY, markOf(address, version))

/** Reports whether this browser has recorded that a wallet accepted a text. */
export const isKeptAccepted = (address: string, version: string) => kept.get(KEY) === markOf(address, version)
