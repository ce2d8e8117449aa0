import { z } from 'zod'
import { address, amount, ppm, time } from './primitives.ts'
import { refusal } from './reach.ts'

/** Facts about money that the app needs before sign-in. Translated texts never contain them. */
export const configData = z.object({
  app: z.object({ title: z.string(), version: z.string(), code: z.number().int() }),
  chain: z.object({
    id: z.number().int(),
    name: z.string(),
    rpc_url: z.string(),
    explorer_url: z.string().nullable(),
    confirmations: z.number().int(),
    native: z.object({ name: z.string(), symbol: z.string(), decimals: z.number().int() }),
  }),
  /** The relay between the app and wallets on other devices; null where the operator set none. */
  wallet_connect: z.object({ project_id: z.string(), relay_url: z.string() }).nullable(),
  contracts: z.object({ bank: address, amc: address, usdt: address, transfer: address }),
  /**
   * Every bank contract, the oldest first; the last one is `contracts.bank`. The oldest that has not handed over takes orders
   * and pays claims, later ones wait.
   */
  banks: z.array(
    z.object({
      address,
      state: z.enum(['taking_orders', 'waiting', 'handed_over']),
      /** The successor of a queued or executed hand-over. */
      successor: address.nullable(),
      /** The earliest time of a queued hand-over. */
      hand_over_from: time.nullable(),
      handed_over_at: time.nullable(),
    }),
  ),
  decimals: z.object({ USDT: z.number().int(), AMC: z.number().int() }),
  quote_minutes: z.number().int(),
  use_hash_rate_percent: ppm,
  withdraw: z.object({ fee_ppm: ppm, audit_above_usdt: amount }),
  /** Why this visitor is not served, by the country of the request; null where it is served or not known. */
  refused: refusal.nullable(),
  /** Whom members can ask: an e-mail address or an https address; null if the operator configured none. */
  contact: z.string().nullable(),
  /** The text of terms and risks in force, at /terms/<version>.txt with this hash. */
  terms: z.object({ version: z.string(), sha256: z.string() }),
  /** Names of unlocked test wallets, never keys; only on the local chain. */
  demo: z.array(z.object({ address, label: z.string(), member: z.boolean(), admin: z.boolean() })).nullable(),
  /** The invitation code for visitors of the demonstration; null without members among the demo wallets. */
  demo_invite_code: z.string().nullable(),
  /** The paid share of the due amount over the last 30 days, by kind; null when nothing was due. */
  coverage_30d: z.object({
    commission: ppm.nullable(),
    pairing: ppm.nullable(),
    static: ppm.nullable(),
    management: ppm.nullable(),
  }),
})

export type AppConfig = z.infer<typeof configData>

/** The address of the facts with which a wallet reaches the bank contracts while the API cannot answer. */
export const BANK_FACTS_PATH = '/bank.json'

/** The settings with which a wallet reaches the bank contracts. */
export const bankFacts = configData
  .pick({ chain: true, wallet_connect: true, contracts: true })
  .extend({ former_banks: z.array(address) })

export type BankFacts = z.infer<typeof bankFacts>
