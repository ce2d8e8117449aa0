import type { PublishedTotals } from './proof.ts'

/** Sends a JSON-RPC request to a node or a wallet. Rejects when it is refused. */
export type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

/** Holds the values of a day in the bank contract. */
export interface Published {
  readonly chainId: number
  /** 0x and 64 hex digits; all zero when nothing is published for the day. */
  readonly root: string
  /** Null when the day is not the last published one. */
  readonly totals: PublishedTotals | null
}

/** Thrown when there is no bank contract at the address. */
export class NoBankError extends Error {}

/** The first four bytes of the hashes of the functions' signatures. */
const SELECTORS = {
  solvencyRoot: '344e04ba',
  lastSolvencyDay: '375c0cd9',
  coverOf: '5e26ba91',
  usdt: '2f48ab7d',
  amc: 'f3737c04',
  decimals: '313ce567',
} as const

const MICRO_DECIMALS = 6n

/** Returns the last day, in days since 1970, for which the bank has a root; 0 before the first. Throws NoBankError. */
export async function readLastDay(ask: Ask, bank: string): Promise<number> {
  const last = await contractCall(ask, bank, 'lastSolvencyDay')
  if (last === '0x') throw new NoBankError(`there is no bank contract at ${bank} on this chain`)
  return Number(last)
}

/**
 * Returns the values of a day in the bank contract, with the totals if it is the last published day. Throws
 * NoBankError.
 */
export async function readPublished(ask: Ask, bank: string, dayNumber: number): Promise<Published> {
  const chainId = Number(await ask('eth_chainId', []))
  const last = await readLastDay(ask, bank)
  const root = await contractCall(ask, bank, 'solvencyRoot', dayNumber.toString(16))
  if (last !== dayNumber) return { chainId, root, totals: null }
  const tokens = [await contractCall(ask, bank, 'usdt'), await contractCall(ask, bank, 'amc')]
  const [usdt, amc] = await Promise.all(tokens.map((word) => readCover(ask, bank, `0x${word.slice(-40)}`)))
  const liabilities = { usdt: usdt!.liabilities, amc: amc!.liabilities }
  return { chainId, root, totals: { liabilities, fundCash: usdt!.fundCash } }
}

/** Returns the amounts of the last published day for a token, in micro-units. */
async function readCover(ask: Ask, bank: string, token: string) {
  const cover = await contractCall(ask, bank, 'coverOf', token)
  const decimals = BigInt(await contractCall(ask, token, 'decimals'))
  const part = (index: number) => BigInt(`0x${cover.slice(2 + index * 64, 66 + index * 64)}`)
  const unit = 10n ** (decimals - MICRO_DECIMALS)
  return { liabilities: part(0) / unit, fundCash: part(1) / unit }
}

async function contractCall(
  ask: Ask,
  to: string,
  name: keyof typeof SELECTORS,
  argument?: string,
): Promise<string> {
  const word = argument === undefined ? '' : argument.replace(/^0x/, '').padStart(64, '0')
  const answer = await ask('eth_call', [{ to, data: `0x${SELECTORS[name]}${word}` }, 'latest'])
  if (typeof answer !== 'string' || !/^0x[0-9a-fA-F]*$/.test(answer)) throw new Error(`no answer of ${name}`)
  return answer
}
