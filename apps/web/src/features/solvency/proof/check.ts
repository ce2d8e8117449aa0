import type { AppConfig, SolvencyProof } from '@rif/api-schema'
import {
  type Amounts,
  checkProof,
  dayNumberOf,
  dayText,
  FormatError,
  type HashInto,
  holds,
  type Level,
  levelsOf,
  NoBankError,
  type Proof,
  type Published,
  readLastDay,
  readProofFile,
  readPublished,
  type StepResult,
} from '@rif/solvency'
import { sha256 } from 'viem/utils'
import { ApiError, call, TransportError } from '../../../lib/index.ts'
import { activeProvider } from '../../../wallet/connection.ts'
import { FlowError, firstAccount, sameAddress, type WalletProvider } from '../../../wallet/provider.ts'

/** The reason why nothing could be checked. Every other outcome is a `Check`. */
export type Obstacle =
  | 'noWallet'
  | 'locked'
  | 'otherAccount'
  | 'wrongChain'
  | 'refused'
  | 'noBank'
  | 'nothing'
  | 'notKept'
  | 'notInReport'
  | 'unavailable'
  | 'offline'
  | 'malformed'

/** An obstacle, with the day if it is known. */
export class ObstacleError extends Error {
  readonly obstacle: Obstacle
  readonly day: string | null

  constructor(obstacle: Obstacle, day: string | null = null) {
    super(obstacle)
    this.name = 'ObstacleError'
    this.obstacle = obstacle
    this.day = day
  }
}

/** The three amounts of a leaf. */
export const PARTS = ['usdt', 'amc', 'fund'] as const
export type Part = (typeof PARTS)[number]

/** An amount that should be equal in two places, in micro-units. */
export interface Difference {
  readonly part: Part
  readonly expected: bigint
  readonly actual: bigint
}

/** The result of checking a member's leaf. */
export interface ProofCheck {
  readonly day: string
  readonly bank: string
  /** The unchanged response of the server, to save as a file. */
  readonly file: SolvencyProof
  readonly proof: Proof
  readonly published: Published
  /** The leaf first, the top last; empty when the proof is malformed. */
  readonly levels: readonly Level[]
  /** The steps of `checkProof`, up to the first that failed. */
  readonly results: readonly StepResult[]
  /** The differences between the leaf and the books at the end of its day. */
  readonly ofBooks: readonly Difference[]
  /** The differences between the sums computed from the leaf upwards and those of the report. */
  readonly ofSums: readonly Difference[]
  /** The current amounts in the books. */
  readonly now: Amounts
  /** True if every step holds and the leaf has the amounts of the books. */
  readonly isCounted: boolean
}

export const hashInto: HashInto = (data, target, at) => target.set(sha256(data, 'bytes'), at)

/**
 * Checks that the member's amounts are in the last report on chain. The day, the root and the totals are read
 * only through the member's wallet; the server delivers the proof and the books. Throws ObstacleError.
 */
export async function checkMine(config: AppConfig, address: string): Promise<ProofCheck> {
  const provider = await walletFor(config, address)
  const { bank, dayNumber } = await lastPublished(provider, config)
  const day = dayText(dayNumber)
  const published = await read(() => readPublished(requestOf(provider), bank, dayNumber))
  const [file, books] = await Promise.all([proofOf(day), mine(day)])
  const proof = parsed(file, day)
  const results = checkProof(
    proof,
    {
      chainId: published.chainId,
      bank,
      address,
      dayNumber,
      publishedRoot: published.root,
      publishedTotals: published.totals,
    },
    hashInto,
  )
  const levels = levelsIn(proof)
  const ofBooks = differences(amountsOf(books.at_day), proof.leaf)
  const top = levels.at(-1)
  const ofSums = top === undefined ? [] : differences(proof.report.members, top.amounts)
  return {
    day,
    bank,
    file,
    proof,
    published,
    levels,
    results,
    ofBooks,
    ofSums,
    now: amountsOf(books.now),
    isCounted: holds(results) && ofBooks.length === 0,
  }
}

/** Returns the member's proof of a day, to save without a wallet. Throws ObstacleError. */
export async function proofOf(day: string): Promise<SolvencyProof> {
  try {
    return await call('solvencyProof', { query: { day } }, { quiet: true })
  } catch (error) {
    throw obstacleOf(error, day)
  }
}

async function mine(day: string) {
  try {
    return await call('solvencyMine', { query: { day } }, { quiet: true })
  } catch (error) {
    throw obstacleOf(error, day)
  }
}

function obstacleOf(error: unknown, day: string): unknown {
  if (error instanceof TransportError) return new ObstacleError('offline', day)
  if (!(error instanceof ApiError)) return error
  if (error.error === 'NOT_IN_REPORT') return new ObstacleError('notInReport', day)
  return new ObstacleError(error.error === 'NOT_FOUND' ? 'notKept' : 'unavailable', day)
}

/** Returns the connected wallet if it is the member's and on the app's chain. Shows no prompt. */
async function walletFor(config: AppConfig, address: string): Promise<WalletProvider> {
  try {
    const provider = await activeProvider(config)
    const account = await firstAccount(provider, { ask: false })
    if (account === null) throw new ObstacleError('locked')
    if (!sameAddress(account, address)) throw new ObstacleError('otherAccount')
    if (Number(await provider.request({ method: 'eth_chainId' })) !== config.chain.id)
      throw new ObstacleError('wrongChain')
    return provider
  } catch (error) {
    if (error instanceof ObstacleError) throw error
    throw new ObstacleError(
      error instanceof FlowError && error.problem === 'noWallet' ? 'noWallet' : 'refused',
    )
  }
}

export const requestOf = (provider: WalletProvider) => (method: string, params: readonly unknown[]) =>
  provider.request({ method, params })

/** Returns the bank with the last report: during a hand-over the newest bank may not have one yet. */
async function lastPublished(provider: WalletProvider, config: AppConfig) {
  for (const { address: bank } of config.banks.toReversed()) {
    const dayNumber = await read(() => readLastDay(requestOf(provider), bank))
    if (dayNumber > 0) return { bank, dayNumber }
  }
  throw new ObstacleError('nothing')
}

/** Reads through the wallet. A refusal ends the check: there is no other source. */
async function read<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new ObstacleError(error instanceof NoBankError ? 'noBank' : 'refused')
  }
}

function parsed(file: SolvencyProof, day: string): Proof {
  try {
    dayNumberOf(file.day)
    return readProofFile(file)
  } catch {
    throw new ObstacleError('malformed', day)
  }
}

export function levelsIn(proof: Proof): Level[] {
  try {
    return levelsOf(proof, hashInto)
  } catch (error) {
    if (error instanceof FormatError) return []
    throw error
  }
}

const amountsOf = ({ usdt, amc, fund }: Record<Part, string>): Amounts => ({
  usdt: BigInt(usdt),
  amc: BigInt(amc),
  fund: BigInt(fund),
})

const differences = (expected: Amounts, actual: Amounts): Difference[] =>
  PARTS.filter((part) => expected[part] !== actual[part]).map((part) => ({
    part,
    expected: expected[part],
    actual: actual[part],
  }))
