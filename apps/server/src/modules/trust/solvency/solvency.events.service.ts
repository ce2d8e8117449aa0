import { dayText } from '@rif/solvency'
import type { ChainEvent, EventHandlers } from '../../../chain/indexer/events.ts'
import type { Db } from '../../../db/database.ts'
import type { PublicationRow } from './solvency.repository.ts'
import * as repository from './solvency.repository.ts'

type Published = ChainEvent<'SolvencyPublished'>

/** Creates the handler of publications: the table reflects the current chain. */
export function createPublicationEvents(): Pick<EventHandlers, 'SolvencyPublished'> {
  const remove = (dbTx: Db, event: Published) =>
    repository.removePublication(dbTx, { bank: event.contract.toLowerCase(), day: dayText(event.args.day) })
  return {
    SolvencyPublished: {
      onSeen: (dbTx, event) => repository.savePublication(dbTx, rowOf(event, false)),
      onDropped: remove,
      onFinal: (dbTx, event) => repository.savePublication(dbTx, rowOf(event, true)),
      async onUndone(dbTx, event) {
        await remove(dbTx, event)
        return 'undone'
      },
    },
  }
}

function rowOf(
  { args, contract, txHash, blockNumber, blockAt }: Published,
  isFinal: boolean,
): PublicationRow {
  const [usdt, amc] = args.totals
  const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex')
  return {
    bank: contract.toLowerCase(),
    day: dayText(args.day),
    root: bytes(args.root),
    ledger_head: bytes(args.heads.ledger),
    operators_head: bytes(args.heads.operators),
    usdt_liabilities: `${usdt?.liabilities ?? 0n}`,
    amc_liabilities: `${amc?.liabilities ?? 0n}`,
    fund_cash: `${usdt?.fundCash ?? 0n}`,
    tx_hash: txHash,
    block_number: blockNumber,
    published_at: blockAt,
    is_final: isFinal,
  }
}
