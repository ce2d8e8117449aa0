import { z } from 'zod'
import { address, amount, day, hash, id, moneyAsset, time } from './primitives.ts'

/**
 * The texts of a report and of a proof are those of docs/solvency.md: amounts are integers of micro-units.
 */
const micros = z.string().regex(/^\d{1,19}$/)
const amounts = { usdt: micros, amc: micros, fund: micros }
const count = z.number().int().min(0)

export const solvencyReport = z.object({
  tree: hash,
  leaves: count,
  members: z.object(amounts),
  other: z.object({ usdt: micros, amc: micros }),
  fund_cash: micros,
  fund_invested: micros,
  ledger_head: hash,
  operators_head: hash,
})

/** A proof file. */
export const solvencyProofData = z.object({
  format: z.literal('rif-solvency-proof'),
  version: z.literal(1),
  chain_id: count,
  bank: address,
  day,
  leaf: z.object({ address, salt: hash, ...amounts }),
  index: count,
  path: z.array(z.object({ hash, ...amounts })).max(32),
  report: solvencyReport,
})

/**
 * The member's amounts in the books: at the end of a day, where they must equal the leaf of that day, and
 * now.
 */
export const solvencyMineData = z.object({ day, at_day: z.object(amounts), now: z.object(amounts) })

/** Without a day: the last published one. */
export const solvencyProofQuery = z.object({ day: day.optional() })
export const solvencyDayParams = z.object({ day })

/**
 * Holdings divided by liabilities, in millionths; null where nothing is owed, or while the chain does not
 * answer.
 */
const ratio = z.number().int().min(0).nullable()

/** The report of a day. */
export const solvencyDay = z.object({
  day,
  bank: address,
  root: hash,
  report: solvencyReport,
  /** By the books at the end of the day. */
  ratios: z.array(z.object({ asset: moneyAsset, held: amount, owed: amount, ratio_ppm: ratio })),
  /** The list of leaves can be downloaded, and members receive proofs. */
  has_leaves: z.boolean(),
  built_at: time,
  /**
   * `waiting`: not on chain yet. `late`: not on chain for too long. `published`: in a block; `final` when
   * that cannot be reversed. `superseded`: a later day was published first, so this one never will be.
   * `differs`: the chain has another root.
   */
  state: z.enum(['waiting', 'late', 'published', 'final', 'superseded', 'differs']),
  tx_hash: hash.nullable(),
  published_at: time.nullable(),
  /** The root on chain, when it differs. */
  other_root: hash.nullable(),
})

/** The accounts of liabilities: those of members, pools and `suspense`, and the cash of all fund products. */
export const owedAccount = z.enum([
  ...(['available', 'locked', 'withdrawing', 'savings', 'savings_leaving', 'fund_income'] as const),
  ...(['commission_pool', 'yield_pool', 'savings_pool', 'dividend_pool', 'suspense', 'fund_cash'] as const),
])
/** The operator's own accounts; `shortfall` is negative. */
export const operatorOwnAccount = z.enum(['revenue', 'fees', 'exit_hold', 'shortfall'])
const owedAccounts = z.array(z.object({ account: owedAccount, amount }))

/** The present liabilities and holdings, and the reports. Rules, section 13. */
export const solvencyData = z.object({
  chain_id: count,
  bank: address,
  assets: z.array(
    z.object({
      asset: moneyAsset,
      token: address,
      /** The total of the following three. */
      owed: amount,
      owed_to_members: amount,
      /** Pools and `suspense`. */
      owed_other: amount,
      fund_cash: amount,
      /** The liabilities by account, in the order of the enum; the amounts add up to `owed`. */
      accounts: owedAccounts,
      /** In all banks that have not handed over; null while the chain does not answer. */
      held: amount.nullable(),
      ratio_ppm: ratio,
    }),
  ),
  funds: z.array(
    z.object({
      product_id: id,
      name: z.string(),
      cash: amount,
      invested: amount,
      units: z.string().regex(/^\d+$/),
      nav: amount,
      /** Units times NAV. */
      owed: amount,
      ratio_ppm: ratio,
    }),
  ),
  /** The last published report; null before the first. */
  latest: solvencyDay.nullable(),
  /** The last reports, newest first. */
  days: z.array(solvencyDay),
  read_at: time,
  /** The block at which books and chain were compared; null before the first. */
  block: count.nullable(),
  verifier: z.object({
    path: z.string(),
    checksum_path: z.string(),
    /** The SHA-256 hash of the file that this server offers; null where it offers none. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
  }),
})

/** The paths of the verifier and of its SHA-256 checksum, beside the app. */
export const VERIFIER_PATH = '/verify-solvency.mjs'
export const VERIFIER_CHECKSUM_PATH = '/verify-solvency.mjs.sha256'

/** A transaction that publishes a day. */
export const solvencySend = z.object({
  day,
  tx_hash: hash,
  nonce: count,
  max_fee_gwei: z.string(),
  sent_at: time,
  /** Null until it is in a block. */
  gas_used: z.string().nullable(),
  fee_eth: z.string().nullable(),
  status: z.enum(['waiting', 'success', 'reverted']),
})

/** The publications as operators see them. */
export const solvencySendsData = z.object({
  /** The wallet that publishes; null while the signing process does not answer or has no such key. */
  publisher: address.nullable(),
  publisher_eth: z.string().nullable(),
  sends: z.array(solvencySend),
})

/**
 * Books and chain as shown to operators: for each asset, the liabilities and the operator's own amounts add
 * up to the books.
 */
export const solvencyBooksData = z.object({
  block: count.nullable(),
  items: z.array(
    z.object({
      asset: moneyAsset,
      owed: amount,
      accounts: owedAccounts,
      own: z.array(z.object({ account: operatorOwnAccount, amount })),
      /** The deposits less the amounts paid out. */
      books: amount,
      /** Null while the chain does not answer, as is what follows from it. */
      held: amount.nullable(),
      difference: amount.nullable(),
      ratio_ppm: ratio,
    }),
  ),
})

/** An audit of what changed, requested by an operator. */
export const auditRun = z.object({
  run_id: id,
  step: z.enum(['waiting', 'running', 'done', 'failed']),
  requested_by: z.string(),
  requested_at: time,
  finished_at: time.nullable(),
  /** Found by it; null until it is done. */
  differences: count.nullable(),
})
/** The last requested audit; null before the first. */
export const auditRunData = z.object({ run: auditRun.nullable() })

export type AuditRun = z.infer<typeof auditRun>
export type OwedAccount = z.infer<typeof owedAccount>
export type SolvencyBooks = z.infer<typeof solvencyBooksData>
export type Solvency = z.infer<typeof solvencyData>
export type SolvencyDay = z.infer<typeof solvencyDay>
export type SolvencyMine = z.infer<typeof solvencyMineData>
export type SolvencyProof = z.infer<typeof solvencyProofData>
export type SolvencySends = z.infer<typeof solvencySendsData>
