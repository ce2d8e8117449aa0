import {
  type LedgerFlow,
  MONEY_WAYS,
  type MoneyPolicy,
  type MoneyWay,
  type TreasuryExit,
} from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { type BankFigures, readBankFigures } from '../../../chain/bank-figures.ts'
import type { Chain } from '../../../chain/client.ts'
import type { Db } from '../../../db/database.ts'
import { sharedFor } from '../../../lib/shared-for.ts'
import type { LedgerService } from '../../books/ledger/ledger.service.ts'
import type { ExitsService } from '../../fund/treasury/treasury.exits.service.ts'
import { REFUND, TEST_DEPOSIT, TOKENS, UNDESCRIBED, WAYS, type Way } from './ways.ts'

/** Requests within this time share one read of the chain. */
const CHAIN_MS = 15_000

/** The maximum number of waiting exits listed. */
const ANNOUNCED_SHOWN = 50

interface Deps {
  readonly chain: Chain
  readonly ledger: LedgerService
  readonly exits: Pick<ExitsService, 'list'>
}

export type MoneyPolicyService = ReturnType<typeof createMoneyPolicy>

/**
 * Creates the service that states how money enters and leaves the bank, from the flow table and the contract.
 */
export function createMoneyPolicy({ chain, ledger, exits }: Deps) {
  const figures = sharedFor(CHAIN_MS, () => readBankFigures(chain).catch(() => null))

  return {
    async policy(db: Db): Promise<MoneyPolicy> {
      const [flows, bank, open] = await Promise.all([
        ledger.flows.table(db),
        figures(),
        exits.list({ show: 'open', limit: ANNOUNCED_SHOWN }),
      ])
      return {
        ways: waysOf(flows, bank?.changeDelayMs ?? null),
        flows,
        contract: bank && view(chain, bank),
        announced: open.items.filter(({ state }) => state === 'Announced').map(announcedView),
      }
    },
  }
}

/** Groups the flows that touch `external` by kind and direction, in the order of the schema. */
function waysOf(flows: readonly LedgerFlow[], changeDelayMs: number | null): MoneyWay[] {
  const outer = flows.filter((flow) => directionOf(flow) !== null)
  const nameOf = (flow: LedgerFlow) => `${flow.kind} ${directionOf(flow)}`
  const flowGroups = [...new Set(outer.map(nameOf))].map((name) =>
    outer.filter((flow) => nameOf(flow) === name),
  )
  const order: readonly string[] = MONEY_WAYS
  return flowGroups
    .map((own): MoneyWay => {
      const direction = directionOf(own[0]!)!
      const kind = MONEY_WAYS.find((name) => name === own[0]!.kind) ?? 'other'
      const { orderedBy, waits, enforcedBy } = wayOf(kind, direction)
      return {
        kind,
        direction,
        ordered_by: orderedBy,
        enforced_by: enforcedBy,
        assets: [...new Set(own.map(({ asset }) => asset))],
        accounts: [...new Set(own.map(innerAccount))],
        delay_ms: waits ? changeDelayMs : null,
      }
    })
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

function wayOf(kind: MoneyWay['kind'], direction: MoneyWay['direction']): Way {
  if (kind === 'other') return UNDESCRIBED
  return kind === 'grant' && direction === 'in' ? TEST_DEPOSIT : WAYS[kind]
}

function directionOf({ kind, asset, source, destination }: LedgerFlow): MoneyWay['direction'] | null {
  if (destination === 'external') return 'out'
  if (source === 'external') return TOKENS.includes(asset) ? 'in' : 'credit'
  return kind === REFUND && source === 'suspense' ? 'out' : null
}

function innerAccount({ kind, source, destination }: LedgerFlow): string {
  return destination === 'external' || kind === REFUND ? source : destination
}

function view({ contracts }: Chain, bank: BankFigures): NonNullable<MoneyPolicy['contract']> {
  return {
    address: contracts.bank,
    change_delay_ms: bank.changeDelayMs,
    hand_over_delay_ms: bank.handOverDelayMs,
    caps: bank.caps.map(({ asset, capMicros, claimedMicros }) => ({
      asset,
      day_cap: formatMicros(capMicros),
      claimed_today: formatMicros(claimedMicros),
    })),
    destinations: [...bank.destinations],
  }
}

function announcedView(exit: TreasuryExit): MoneyPolicy['announced'][number] {
  const { kind, asset, amount, destination, destination_name, executable_at, expires_at } = exit
  return {
    kind,
    asset,
    amount,
    destination,
    destination_name,
    executable_at: executable_at!,
    expires_at: expires_at!,
  }
}
