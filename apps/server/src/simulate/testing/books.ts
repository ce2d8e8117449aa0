import { type Asset, type Day, dayOf, nextDay, startOfDay } from '@rif/rules'
import { type Db, inTx } from '../../db/database.ts'
import { OPERATOR_MEMBER_ID } from '../../lib/caller.ts'
import { createLogger } from '../../lib/logger.ts'
import type { LedgerAccount, TransactionKind } from '../../modules/books/ledger/accounts.ts'
import { createServices, type ServiceSettings } from '../../services.ts'
import { createBankEvents, simulatedChain } from '../simulated-chain.ts'
import { SIMULATION_SETTINGS } from '../simulation.ts'

/**
 * Creates the product's services without a chain. The test sets the clock and supplies the events of the bank
 * contract.
 */
export function createBooks(
  { db }: { db: Db },
  startMs: number,
  settings: Pick<ServiceSettings, 'navsGoStale'> = {},
) {
  let clock = startMs
  let nonce = 0
  const now = () => new Date(clock)
  const chain = simulatedChain()
  const log = createLogger({ level: 'silent' })
  const services = createServices({ db, now, log, chain, settings: { ...SIMULATION_SETTINGS, ...settings } })
  const { ledger, members } = services

  return {
    services,
    log,
    bankEvents: createBankEvents(chain),
    today: (): Day => dayOf(clock),
    advance: (ms: number): void => {
      clock += ms
    },
    setClock: (ms: number): void => {
      clock = ms
    },
    tomorrow: (): void => {
      clock = startOfDay(nextDay(dayOf(clock)))
    },

    /** Joins a member; the first has no sponsor. */
    async join(sponsorId: bigint | null, side: 'left' | 'right' | 'auto') {
      const address = `0x${(++nonce).toString(16).padStart(40, '0')}`
      const { memberId } = await inTx(db, (dbTx) =>
        sponsorId === null
          ? members.createRoot(dbTx, address)
          : members.join(dbTx, { address, sponsorId, side }),
      )
      return { memberId, address }
    },

    /** Posts money from outside to an account of the operator, or of the given member. */
    bring: (
      kind: TransactionKind,
      line: { memberId?: bigint; asset: Asset; destination: LedgerAccount; amountMicros: bigint },
    ) =>
      ledger.post(db, {
        key: `${kind}/${nonce++}`,
        kind,
        cause: { type: 'test', id: '1' },
        accountingDay: dayOf(clock),
        at: now(),
        lines: [{ memberId: OPERATOR_MEMBER_ID, source: 'external', ...line }],
      }),
  }
}
