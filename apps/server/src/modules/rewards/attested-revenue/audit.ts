import type { PaymentAsset } from '@rif/rules'
import { sql } from 'kysely'
import type { Chain } from '../../../chain/client.ts'
import { readIncome } from '../../../chain/income.ts'
import { appliedPosition } from '../../../chain/indexer/position.ts'
import type { Db } from '../../../db/database.ts'
import type { Finding } from '../../books/ledger/audit.ts'

/** Returns the deposits in the banks that nobody has attested and no divestment uses, in micro-units. */
export async function unattestedDeposits(db: Db): Promise<Record<PaymentAsset, bigint>> {
  const { rows } = await sql<{ asset: PaymentAsset; micros: bigint }>`
    select asset, sum(amount_micros)::bigint as micros from revenue_deposits as d
    where not exists (select from attestations as a where a.deposit_id = d.deposit_id and a.approved_at is not null
        and a.undone_at is null)
      and not exists (select from deposit_uses as u where u.deposit_id = d.deposit_id)
    group by asset`.execute(db)
  return { USDT: 0n, AMC: 0n, ...Object.fromEntries(rows.map(({ asset, micros }) => [asset, micros])) }
}

/**
 * Explains a surplus of the banks that the audit found: by plain transfers from strangers, which are notes, and by lost
 * events of the banks, which are differences. Throws CHAIN_UNAVAILABLE.
 */
export async function explainSurplus(db: Db, chain: Chain, findings: readonly Finding[]): Promise<Finding[]> {
  const applied = await appliedPosition(db, chain.chainId)
  const wanted = { USDT: 0n, AMC: 0n }
  for (const { check, subject, expected, actual, isNote } of findings)
    if (check === 'bank' && isNote)
      wanted[subject.split(' ')[0] as PaymentAsset] += BigInt(actual) - BigInt(expected)
  if (applied === null || (wanted.USDT === 0n && wanted.AMC === 0n)) return []
  const { plain, lost, from } = await readIncome(db, chain, { upTo: applied.blockNumber, wanted })
  const rest = { ...wanted }
  for (const { asset, micros } of plain) rest[asset] -= micros
  return [
    ...plain.map(({ asset, micros, from: sender, txHash }) =>
      note(`${asset} that ${sender} transferred in transaction ${txHash}`, micros),
    ),
    ...lost.map(({ name, bank, txHash }) => ({
      check: 'missed event',
      subject: `${name} of the bank ${bank} in transaction ${txHash}`,
      expected: 'stored',
      actual: 'only on the chain',
    })),
    ...(lost.length > 0 ? [] : unexplained(rest, from)),
  ]
}

/** The amount that arrived before the blocks that were read, or by something other than a transfer. */
function unexplained(rest: Record<PaymentAsset, bigint>, from: bigint): Finding[] {
  return (['USDT', 'AMC'] as const).flatMap((asset) =>
    rest[asset] > 0n ? [note(`${asset} that nothing from block ${from} on explains`, rest[asset])] : [],
  )
}

const note = (subject: string, micros: bigint): Finding => ({
  check: 'surplus',
  subject,
  expected: '0',
  actual: `${micros}`,
  isNote: true,
})
