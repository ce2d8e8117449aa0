import type { MayTake, MayTakeReason } from '@rif/api-schema'
import { formatMicros, fromChainUnits, max, min, PAYMENT_ASSETS, type PaymentAsset } from '@rif/rules'
import { type Address, getAddress, type Hex, isAddressEqual } from 'viem'
import {
  type ExitCover,
  isTreasurer,
  PUBLICATION_LASTS_MS,
  readExitCover,
} from '../../../chain/bank-exits.ts'
import type { Chain } from '../../../chain/client.ts'
import { payingBank } from '../../../chain/hand-over.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { AttestedRevenue } from '../../rewards/attested-revenue/attested-revenue.service.ts'
import type { DestinationsService } from './treasury.destinations.service.ts'
import type { UnapprovedExit } from './treasury.repository.ts'
import * as repository from './treasury.repository.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly chain: Chain
  readonly ledger: Pick<LedgerService, 'flows'>
  readonly attestedRevenue: Pick<AttestedRevenue, 'countWaiting'>
  readonly exitDestinations: Pick<DestinationsService, 'unapproved'>
}

export type TreasuryService = ReturnType<typeof createTreasuryService>

const UNAPPROVED_SHOWN = 50
const ANNOUNCED_SHOWN = 50

/**
 * Creates the service that computes the available payouts from revenue and fees, and the problems of exits.
 * Rules, section 2.
 */
export function createTreasuryService(deps: Deps) {
  const { db, now, chain, ledger } = deps

  /** Reads the amounts that the bank with the money would execute. */
  const readCover = async (asset: PaymentAsset) =>
    readExitCover(chain, (await payingBank(db, chain.contracts)).address, asset)

  /**
   * Returns the maximum of a new payout of an asset, within the books and within the contract's current
   * limit.
   */
  async function mayTake(asset: PaymentAsset): Promise<MayTake> {
    const [sums, setAsideMicros, cover] = await Promise.all([
      ledger.flows.accountsNow(db, ['revenue', 'fees']),
      repository.sumSetAside(db, asset),
      readCover(asset).catch(() => null),
    ])
    const microsOf = (account: 'revenue' | 'fees') =>
      sums.find((sum) => sum.account === account && sum.asset === asset)?.micros ?? 0n
    const [revenue, fees] = [microsOf('revenue'), microsOf('fees')]
    const ofBooks = max(revenue, 0n) + max(fees, 0n)
    // Announced payouts will use the published cover, in any order of execution.
    const ofCover = cover === null ? 0n : max(cover.payoutMicros - setAsideMicros, 0n)
    return {
      asset,
      revenue: formatMicros(revenue),
      fees: formatMicros(fees),
      set_aside: formatMicros(setAsideMicros),
      cover: cover === null ? null : coverView(cover),
      amount: formatMicros(min(ofBooks, ofCover)),
      reasons: reasonsOf({ ofBooks, ofCover, cover, setAsideMicros }, now()),
    }
  }

  return {
    mayTake,

    /** Returns the figures of the treasury page for a caller's wallet. */
    async overview(wallet: string) {
      const [assets, unapproved, open, unmatched, isTreasurerNow] = await Promise.all([
        Promise.all(PAYMENT_ASSETS.map(mayTake)),
        repository.listUnapproved(db, UNAPPROVED_SHOWN),
        repository.openIds(db),
        deps.attestedRevenue.countWaiting(db),
        payingBank(db, chain.contracts)
          .then((bank) => isTreasurer(chain, bank.address, wallet as Address))
          .catch(() => null),
      ])
      return {
        assets,
        unapproved: unapproved.map((item) => unapprovedView(chain, item)),
        open: open.length,
        unmatched_deposits: unmatched,
        you_are_treasurer: isTreasurerNow,
      }
    },

    /** Returns the approved exits that are waiting in public, one line each. */
    async announced(): Promise<string[]> {
      const open = await repository.listExits(db, { show: 'open', before: undefined, limit: ANNOUNCED_SHOWN })
      return open
        .filter(({ state }) => state === 'Announced')
        .map(
          ({ exitId, amountMicros, asset, destination }) =>
            `#${exitId}: ${formatMicros(amountMicros)} ${asset} to ${destination}`,
        )
    },

    /** Returns the unapproved exits and destinations on chain that can still cause a loss, one line each. */
    async strangers(): Promise<{ exits: string[]; destinations: string[] }> {
      const [exits, destinations] = await Promise.all([
        repository.listUnapproved(db, UNAPPROVED_SHOWN),
        deps.exitDestinations.unapproved(db),
      ])
      const isAlarming = ({ state }: UnapprovedExit) => state === 'Announced' || state === 'Executed'
      return {
        exits: exits
          .filter(isAlarming)
          .map(({ onchainId, state, destination }) => `${onchainId} (${state}) to ${destination}`),
        destinations: destinations.map(({ address, state }) => `${address} (${state})`),
      }
    },
  }
}

/** Returns the reasons why no more may be taken, the strongest first. */
export function reasonsOf(
  figures: {
    readonly ofBooks: bigint
    readonly ofCover: bigint
    readonly cover: ExitCover | null
    readonly setAsideMicros: bigint
  },
  at: Date,
): MayTakeReason[] {
  const { ofBooks, ofCover, cover, setAsideMicros } = figures
  if (cover === null) return ['chain_unavailable']
  if (cover.publishedAt === null) return ['no_publication']
  if (at.getTime() > cover.publishedAt.getTime() + PUBLICATION_LASTS_MS) return ['publication_old']
  const ofContract: MayTakeReason[] = setAsideMicros > 0n ? ['announced', 'liabilities'] : ['liabilities']
  if (ofBooks < ofCover) return ['books']
  return ofBooks > ofCover ? ofContract : ['books', ...ofContract]
}

function coverView(cover: ExitCover) {
  const { publishedAt } = cover
  const until = publishedAt === null ? null : new Date(publishedAt.getTime() + PUBLICATION_LASTS_MS)
  return {
    liabilities: formatMicros(cover.liabilitiesMicros),
    fund_cash: formatMicros(cover.fundCashMicros),
    invested: formatMicros(cover.investedMicros),
    held: formatMicros(cover.heldMicros),
    published_at: publishedAt?.toISOString() ?? null,
    covers_until: until?.toISOString() ?? null,
    payout: formatMicros(cover.payoutMicros),
  }
}

function unapprovedView({ contracts, decimals }: Chain, exit: UnapprovedExit) {
  const token = exit.token as Address
  const asset = isAddressEqual(token, contracts.usdt) ? ('USDT' as const) : ('AMC' as const)
  const { micros } = fromChainUnits(BigInt(exit.amount), decimals[asset])
  return {
    bank: getAddress(exit.bank as Hex),
    onchain_id: exit.onchainId,
    kind: exit.kind,
    asset,
    amount: formatMicros(micros),
    destination: getAddress(exit.destination as Hex),
    reason: exit.reason,
    state: exit.state as 'Announced' | 'Executed' | 'Cancelled',
    executable_at: exit.executableAt?.toISOString() ?? null,
    announced_tx: exit.announcedTx,
    ended_tx: exit.endedTx,
  }
}
