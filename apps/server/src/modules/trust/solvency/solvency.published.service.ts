import { rifBankAbi } from '@rif/contracts/abi'
import { type Day, toChainUnits } from '@rif/rules'
import {
  amountsOf,
  createTreeReducer,
  dayNumberOf,
  dayText,
  entryHash,
  liabilitiesOf,
  rootOf,
} from '@rif/solvency'
import { type Address, getAddress, type Hex, parseEventLogs, zeroHash } from 'viem'
import { banksOf } from '../../../chain/banks.ts'
import type { Chain } from '../../../chain/client.ts'
import type { Db } from '../../../db/database.ts'
import type { Finding } from '../../books/ledger/audit.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import { ON_CHAIN_CHECK } from './audit.ts'
import { createSha256, sha256Into } from './snapshot/sha256.ts'
import { contextOf, reportOf } from './solvency.proofs.service.ts'
import type { PublicationRow, SolvencyDayRow } from './solvency.repository.ts'
import * as repository from './solvency.repository.ts'

interface Deps {
  readonly db: Db
  readonly chain: Pick<Chain, 'nodes' | 'contracts' | 'decimals'>
  readonly ledger: Pick<LedgerService, 'chain'>
  readonly settings: { readonly confirmations: number }
}

/** A publication in a bank contract, read from the chain itself. */
interface OnChain {
  readonly bank: Address
  readonly day: Day
  readonly root: Hex
  /** The result of `coverOf` for both tokens, for the last day of a bank; null for others. */
  readonly totals: string | null
}

const FIRST_DAY: Day = '0001-01-01'
const READS_AT_ONCE = 16

export type PublishedReports = ReturnType<typeof createPublishedReports>

/**
 * Creates the comparison of the stored reports with the bank contracts, for audits. It reads a quorum of the
 * nodes and not the indexer's tables, so it also finds books that were restored to a state before a
 * publication. Rules, section 13.
 */
export function createPublishedReports({ db, chain, ledger, settings }: Deps) {
  const { contracts, decimals, nodes } = chain

  /** Reads the publications of a bank from a day on, and always its last one. */
  async function readBank(bank: Address, since: Day, blockNumber: bigint): Promise<OnChain[]> {
    const read = (functionName: 'lastSolvencyDay' | 'solvencyRoot' | 'coverOf', args: readonly unknown[]) =>
      nodes.quorumRead((client) =>
        client.readContract({ address: bank, abi: rifBankAbi, blockNumber, functionName, args } as never),
      )
    const last = (await read('lastSolvencyDay', [])) as number
    if (last === 0) return []
    const numbers: number[] = []
    for (let day = Math.min(dayNumberOf(since), last); day <= last; day++) numbers.push(day)
    const covers = await Promise.all([contracts.usdt, contracts.amc].map((token) => read('coverOf', [token])))
    const totals = totalsText(covers as { liabilities: bigint; fundCash: bigint }[])
    const publications: OnChain[] = []
    for (let first = 0; first < numbers.length; first += READS_AT_ONCE) {
      const part = numbers.slice(first, first + READS_AT_ONCE)
      const roots = await Promise.all(part.map((day) => read('solvencyRoot', [day])))
      for (const [place, day] of part.entries())
        if (roots[place] !== zeroHash)
          publications.push({
            bank,
            day: dayText(day),
            root: roots[place] as Hex,
            totals: day === last ? totals : null,
          })
    }
    return publications
  }

  /** Compares a publication with the report of the day: the root, its input figures, and the totals. */
  function compare(published: OnChain, row: SolvencyDayRow | undefined): Finding[] {
    const about = (what: string) => `${what} of ${published.day} in the bank ${published.bank}`
    if (row === undefined) return differing(about('root'), published.root, 'no report')
    const report = reportOf(row)
    const computed = rootOf(contextOf(row), report, sha256Into)
    const owed = liabilitiesOf(report)
    const units = (asset: 'USDT' | 'AMC', micros: bigint) => toChainUnits(micros, decimals[asset])
    const totals = totalsText([
      { liabilities: units('USDT', owed.usdt), fundCash: units('USDT', report.fundCash) },
      { liabilities: units('AMC', owed.amc), fundCash: 0n },
    ])
    return [
      ...differing(about('root'), published.root, hexOf(row.root)),
      ...differing(about('root by the figures'), published.root, computed),
      ...(published.totals === null ? [] : differing(about('liabilities'), published.totals, totals)),
    ]
  }

  /** Compares the event of a publication, which has the heads and totals, with the table of publications. */
  async function compareEvent(row: PublicationRow): Promise<Finding[]> {
    const { bank, day, block_number: block } = row
    const address = getAddress(bank)
    const logs = await nodes.quorumRead((client) =>
      client.getLogs({ address, fromBlock: block, toBlock: block }),
    )
    const events = parseEventLogs({ abi: rifBankAbi, eventName: 'SolvencyPublished', logs })
    const event = events.find(({ args }) => args.day === dayNumberOf(day))
    const subject = `event of ${day} in the bank ${address}`
    const stored = [
      hexOf(row.root),
      hexOf(row.ledger_head),
      hexOf(row.operators_head),
      row.usdt_liabilities,
      row.fund_cash,
      row.amc_liabilities,
    ].join(' ')
    if (event === undefined) return differing(subject, 'none', stored)
    const { root, heads, totals } = event.args
    const [usdt, amc] = totals
    const actual = [root, heads.ledger, heads.operators, usdt?.liabilities, usdt?.fundCash, amc?.liabilities]
    return differing(subject, actual.join(' '), stored)
  }

  /** Compares a report with the books at the end of its day. */
  async function compareBooks(row: SolvencyDayRow): Promise<Finding[]> {
    const { USDT, AMC } = await ledger.chain.owed(db, row.day)
    const pairs = [
      ['USDT of members', USDT.membersMicros, row.members_usdt],
      ['AMC of members', AMC.membersMicros, row.members_amc],
      ['other USDT', USDT.otherMicros, row.other_usdt],
      ['other AMC', AMC.otherMicros, row.other_amc],
      ['fund cash', USDT.fundCashMicros, row.fund_cash],
    ] as const
    return pairs.flatMap(([what, books, reported]) =>
      differing(`${what} in the report of ${row.day}`, `${books}`, `${reported}`),
    )
  }

  /** Recomputes the tree of a report from its stored leaves, while they are stored. */
  async function compareLeaves(row: SolvencyDayRow): Promise<Finding[]> {
    if ((await repository.findTops(db, row.day)) === undefined) return []
    const reducer = createTreeReducer(row.leaves, createSha256())
    for await (const leaves of repository.eachLeaves(db, row)) reducer.add(leaves)
    const { top } = reducer.finish()
    const { usdt, amc, fund } = amountsOf(top)
    const subject = `tree of the leaves of ${row.day}`
    const reported = [hexOf(row.tree), row.members_usdt, row.members_amc, row.members_fund].join(' ')
    return differing(subject, [entryHash(top), usdt, amc, fund].join(' '), reported)
  }

  /**
   * Compares the reports and the publications from a day on with the bank contracts: the root, its input
   * figures, the liabilities and the heads. Throws if the nodes do not answer.
   */
  async function onChain(since: Day): Promise<Finding[]> {
    // Publications before the chain and reports after it, because a report is stored before it is published.
    const publications = await repository.finalPublications(db, since)
    const { number: head } = await nodes.newestBlock()
    // A final publication is in a final block, even if a node is behind.
    const blocks = [0n, head - BigInt(settings.confirmations), ...publications.map((row) => row.block_number)]
    const block = blocks.sort((height, other) => Number(height - other)).at(-1)!
    const first = (await repository.firstDay(db)) ?? '9999-12-31'
    const from = first > since ? first : since
    const published = (
      await Promise.all(banksOf(contracts).map((bank) => readBank(bank, from, block)))
    ).flat()
    // The last publication of a bank may be for an earlier day.
    const days = [since, ...published.map(({ day }) => day)].sort()
    const rows = await repository.listSince(db, days[0]!)
    const reportFor = ({ bank, day }: { bank: string; day: Day }) =>
      rows.find((row) => row.day === day && row.bank === bank.toLowerCase())
    const findings = published.flatMap((item) => compare(item, reportFor(item)))
    for (const publication of publications) findings.push(...(await compareEvent(publication)))
    return findings
  }

  /** Compares the reports from a day on with the books, and the newest one with its leaves. Reads no node. */
  async function inBooks(since: Day): Promise<Finding[]> {
    const rows = await repository.listSince(db, since)
    const findings: Finding[] = []
    for (const row of rows) findings.push(...(await compareBooks(row)))
    const newest = rows.at(-1)
    return newest === undefined ? findings : [...findings, ...(await compareLeaves(newest))]
  }

  return {
    onChain,
    inBooks,

    /**
     * Compares the reports written by transactions with this number or a later one with the books and with
     * their leaves. A report's row is written once, so it is compared once here; `inBooks` compares it again.
     * Reads no node.
     */
    async writtenSince(xid: bigint): Promise<Finding[]> {
      const findings: Finding[] = []
      for (const row of await repository.listWrittenSince(db, xid))
        findings.push(...(await compareBooks(row)), ...(await compareLeaves(row)))
      return findings
    },

    /** Compares all reports with the bank contracts and with the books. Throws if the nodes do not answer. */
    findings: async (): Promise<Finding[]> => [...(await onChain(FIRST_DAY)), ...(await inBooks(FIRST_DAY))],
  }
}

function differing(subject: string, expected: string, actual: string): Finding[] {
  return expected === actual ? [] : [{ check: ON_CHAIN_CHECK, subject, expected, actual }]
}

const totalsText = ([usdt, amc]: readonly { liabilities: bigint; fundCash: bigint }[]) =>
  `${usdt!.liabilities} and ${usdt!.fundCash} USDT, ${amc!.liabilities} AMC`
const hexOf = (bytes: Buffer) => `0x${bytes.toString('hex')}`
