import type { KeptBecause } from '@rif/api-schema'
import type { ExportedTable, PersonalData, Table, Treatment } from '../../../db/tables.ts'
import { TABLES } from '../../../tables.ts'

const PERSONAL = Object.entries<Table>(TABLES).flatMap(([table, { personal }]) =>
  personal === undefined ? [] : [[table, personal] as const],
)

/** Returns one property of the personal data of each table that has it. */
const each = <T>(read: (personal: PersonalData) => T | undefined): Readonly<Record<string, T>> =>
  Object.fromEntries(
    PERSONAL.flatMap(([table, personal]) => {
      const value = read(personal)
      return value === undefined ? [] : [[table, value] as const]
    }),
  )

/** The tables whose rows a member receives, in the order of the export. */
export const EXPORTED: Readonly<Record<string, ExportedTable>> = each(({ export: exported }) => exported)

/** The tables that name members or addresses and are not exported, with the reason. */
export const EXCLUDED: Readonly<Record<string, string>> = each(({ leftOut }) => leftOut)

/** The treatment of each table that names members or addresses, in the order of an erasure. */
export const ERASURE: Readonly<Record<string, Treatment>> = each(({ erasure }) => erasure)

/** The explanations for operators of the kept data; the app has them in the member's language. */
export const KEPT_BECAUSE: Readonly<Record<KeptBecause, string>> = {
  books: 'the books: every entry adds up with those of others, and the reports on them are published',
  team: 'the wallet address, the place in the team and the sponsor: rewards of others follow from them',
  chain: 'what is on the public chain and its copies here: nobody can delete it',
  evidence: 'what the wallet signed to move money or accept terms, and the sealed log of the operators',
  others: 'the names that other members gave to this one: they belong to those members',
  expires: 'copies that are deleted on their own after days: answers to requests, webhooks, backups',
}
