import type { SolvencySends } from '@rif/api-schema'
import { rifBankAbi } from '@rif/contracts/abi'
import { dayText } from '@rif/solvency'
import { type Address, formatEther, formatGwei, type Hex, keccak256 } from 'viem'
import type { Alarms } from '../../../alarms/alarms.ts'
import type { Chain } from '../../../chain/client.ts'
import { listBanks } from '../../../chain/hand-over.ts'
import { unlessMissing } from '../../../chain/unless-missing.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { Reading } from '../../../plugins/metrics.ts'
import type { Signer } from '../../../signer/client.ts'
import type { PublicationSendRow, SolvencyDayRow } from './solvency.repository.ts'
import * as repository from './solvency.repository.ts'
import { LATE_AFTER_MS } from './solvency.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly alarms: Pick<Alarms, 'begin' | 'end' | 'once'>
  readonly chain: Pick<Chain, 'untrustedClient' | 'nodes' | 'contracts'>
  readonly signer: Pick<Signer, 'publication' | 'status'>
}

/** The age at which an unmined transaction is replaced by one with a higher fee. */
const REPLACE_AFTER_MS = 2 * 60_000
/** The pause before a reverted one is retried. */
const RETRY_AFTER_MS = 10 * 60_000
const SENDS_SHOWN = 30
/**
 * A publication takes some 210,000 gas on the first day and 91,000 later, plus on Arbitrum the cost of its
 * data; unused gas is not paid.
 */
const GAS = 1_000_000n
const MIN_PRIORITY_WEI = 1n
/** The number of publications for which the publisher's wallet should hold ETH, each with the whole of GAS. */
const PAID_AHEAD = 14n

/**
 * Creates the service that publishes reports on chain, oldest first. The chain determines which are
 * published, so a lost, replaced or reverted transaction, a reorganisation and a crash at any line all lead
 * to the same next step. Two concurrent publishers send the same transaction or one that the bank refuses.
 * Rules, section 13.
 */
export function createSolvencyPublishing({ db, now, log, alarms, chain, signer }: Deps) {
  const { untrustedClient: client, nodes } = chain

  /**
   * Returns the report to publish next: the first that is later than all in its bank. Each bank has its own
   * days, and a bank that has handed over accepts none.
   */
  async function nextReport(): Promise<SolvencyDayRow | undefined> {
    for (const { address, phase } of await listBanks(db, chain.contracts)) {
      if (phase === 'handed_over') continue
      const { hash: blockHash } = await nodes.newestBlock()
      const read = { address, abi: rifBankAbi, functionName: 'lastSolvencyDay', blockHash } as const
      const last = await nodes.quorumRead((client) => client.readContract(read))
      const after = last === 0 ? '0001-01-01' : dayText(last)
      const row = await repository.firstAfter(db, address.toLowerCase(), after)
      if (row !== undefined) return row
    }
    return undefined
  }

  /**
   * Returns the nonce and the minimum fee of the next transaction; null while an earlier one may still be
   * mined.
   */
  async function nextTerms(
    row: SolvencyDayRow,
    publisher: Address,
  ): Promise<{ nonce: bigint; leastFee: bigint } | null> {
    const nonce = BigInt(await client.getTransactionCount({ address: publisher, blockTag: 'latest' }))
    const [last] = await repository.listSends(db, 1, row.day)
    if (last === undefined || last.nonce < nonce) {
      const failed = last && (await receiptOf(last))?.status === 'reverted'
      if (failed && ageMs(last) < RETRY_AFTER_MS) return null
      if (failed) await alarms.once('publication_reverted', { day: row.day }, { subject: last.tx_hash })
      return { nonce, leastFee: 0n }
    }
    if (ageMs(last) < REPLACE_AFTER_MS) return null
    // Nodes replace a transaction only for at least a tenth more.
    return { nonce: last.nonce, leastFee: (BigInt(last.max_fee_wei) * 125n) / 100n }
  }

  const ageMs = (send: PublicationSendRow) => now().getTime() - send.sent_at.getTime()
  const receiptOf = (send: PublicationSendRow) =>
    unlessMissing(client.getTransactionReceipt({ hash: send.tx_hash as Hex }))

  async function send(row: SolvencyDayRow, publisher: Address): Promise<boolean> {
    const terms = await nextTerms(row, publisher)
    if (terms === null) return false
    const { nonce, leastFee } = terms
    const fees = await client.estimateFeesPerGas()
    const priorityFee = bigger(fees.maxPriorityFeePerGas, MIN_PRIORITY_WEI)
    const maxFee = bigger(bigger(fees.maxFeePerGas, priorityFee), leastFee)
    const raised = leastFee > 0n ? bigger(priorityFee, leastFee / 10n) : priorityFee
    const request = { day: row.day, nonce, gas: GAS, maxFee, priorityFee: smaller(raised, maxFee) }
    const { raw } = await signer.publication(request)
    const hash = keccak256(raw as Hex)
    // Stored first, so that a sent transaction is known after a crash.
    await repository.insertPublicationSend(db, {
      day: row.day,
      tx_hash: hash,
      nonce,
      max_fee_wei: `${maxFee}`,
      sent_at: now(),
    })
    await client.sendRawTransaction({ serializedTransaction: raw as Hex }).then(
      () => log.info({ day: row.day, tx: hash, nonce, maxFee }, 'solvency report sent'),
      (error: unknown) =>
        log.warn({ err: error, day: row.day, tx: hash }, 'a node did not take the publication'),
    )
    return true
  }

  /** Returns the ETH of the publisher's wallet and what the publications of two weeks may take, in wei. */
  async function fundsOf(publisher: Address): Promise<{ balance: bigint; wanted: bigint }> {
    const [balance, { maxFeePerGas }] = await Promise.all([
      client.getBalance({ address: publisher }),
      client.estimateFeesPerGas(),
    ])
    return { balance, wanted: PAID_AHEAD * GAS * maxFeePerGas }
  }

  /** Raises an alarm while the publisher's wallet cannot pay for the publications of two weeks. */
  async function watchBalance(publisher: Address): Promise<void> {
    const { balance, wanted } = await fundsOf(publisher)
    const facts = { publisher, holds: `${formatEther(balance)} ETH`, wanted: `${formatEther(wanted)} ETH` }
    if (balance < wanted) await alarms.begin('publisher_eth_low', facts)
    else await alarms.end('publisher_eth_low', facts)
  }

  const publisherOf = async () => (await signer.status().catch(() => null))?.publisher ?? null

  /** Raises an alarm if a report is late, or if the chain has another one. */
  async function watch(): Promise<void> {
    const [row] = await repository.listDays(db, 1)
    if (row === undefined) return
    const { day, published } = row
    if (published !== null && !published.root.equals(row.root))
      await alarms.once('report_differs', { tx: published.tx_hash }, { subject: day })
    const isLate = published === null && now().getTime() - row.built_at.getTime() > LATE_AFTER_MS
    if (isLate) await alarms.begin('report_late', { day })
    else await alarms.end('report_late', { day })
  }

  return {
    /**
     * Takes the next step of publishing. Returns whether a transaction was sent. Does nothing without the
     * publisher's key.
     */
    async step(): Promise<boolean> {
      await watch()
      const paying = await publisherOf()
      if (paying !== null) await watchBalance(paying)
      const row = await nextReport()
      if (row === undefined) return false
      const { publisher } = await signer.status()
      return publisher === undefined ? false : send(row, publisher)
    },

    /** Reports whether the publisher's wallet can pay for the publications of two weeks. */
    async canPayAhead(): Promise<boolean> {
      const publisher = await publisherOf()
      if (publisher === null) return false
      const { balance, wanted } = await fundsOf(publisher)
      return balance >= wanted
    },

    /** The metric of the publisher's wallet. */
    readings: [
      {
        name: 'rif_publisher_eth',
        help: 'The ETH of the wallet that publishes the solvency reports',
        labels: [],
        read: async () => {
          const publisher = await publisherOf()
          if (publisher === null) return []
          const balance = await client.getBalance({ address: publisher })
          return [{ labels: {}, value: Number(formatEther(balance)) }]
        },
      },
    ] satisfies Reading[],

    /** Returns the last transactions with their gas. */
    async sends(): Promise<SolvencySends> {
      const rows = await repository.listSends(db, SENDS_SHOWN)
      const publisher = await publisherOf()
      const balance =
        publisher === null ? null : await client.getBalance({ address: publisher }).catch(() => null)
      const sends = await Promise.all(
        rows.map(async (row) => {
          const receipt = await receiptOf(row).catch(() => undefined)
          return {
            day: row.day,
            tx_hash: row.tx_hash,
            nonce: Number(row.nonce),
            max_fee_gwei: formatGwei(BigInt(row.max_fee_wei)),
            sent_at: row.sent_at.toISOString(),
            gas_used: receipt ? `${receipt.gasUsed}` : null,
            fee_eth: receipt ? formatEther(receipt.gasUsed * receipt.effectiveGasPrice) : null,
            status: receipt?.status ?? ('waiting' as const),
          }
        }),
      )
      return { publisher, publisher_eth: balance === null ? null : formatEther(balance), sends }
    },
  }
}

const bigger = (a: bigint, b: bigint) => (a > b ? a : b)
const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
