import { type AdminRole, roleAllows } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inDbTx } from '../../db/database.ts'
import { type Read, read } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { StartError } from '../../lib/start-error.ts'
import type { AdminLogService } from '../admin-log/admin-log.service.ts'

/** A wallet with a role. The address is in lower case; `person` names its owner. */
export interface Admin {
  readonly address: string
  readonly role: AdminRole
  readonly person: string
  readonly grantedAt: Date
}

/** An admin to appoint. */
export type AdminDraft = Omit<Admin, 'grantedAt'>

export type AdminsService = ReturnType<typeof createAdminsService>

const SET_UP = 'set-up'
const OWNERS_NEEDED = 2

/** Creates the service of admins' roles. Rules, section 12. */
export function createAdminsService({ now, adminLog }: { now: Now; adminLog: AdminLogService }) {
  async function put(dbTx: Db, { address, role, person }: AdminDraft): Promise<void> {
    await sql`
      insert into admins (address, role, person, granted_at)
      values (${address.toLowerCase()}, ${role}, ${person}, ${now()})
      on conflict (address) do update set role = excluded.role, person = excluded.person,
        granted_at = excluded.granted_at`.execute(dbTx)
  }

  /**
   * Returns a relation with the role of each member's own wallet, null for none. `wallets` is a relation of
   * member_id and address.
   */
  const roleRead = (wallets: RawBuilder<unknown>): Read<AdminRole | null> =>
    read<AdminRole, AdminRole | null>(
      (memberIds) => sql`
      select member_id, to_jsonb(role) as value from ${wallets} as wallets join admins using (address)
      where member_id = any (${memberIds})`,
      (role) => role ?? null,
    )

  return {
    roleRead,

    /** Returns the read of a wallet's role, ignoring case; null for none. */
    addressRead: (address: string): Read<AdminRole | null> => ({
      rows: () => sql`
        select null::bigint as member_id, role as value from admins where address = ${address.toLowerCase()}`,
      parse: (role) => (role as AdminRole | undefined) ?? null,
    }),

    /** Returns the admin with a wallet, or undefined. */
    find(db: Db, address: string): Promise<Admin | undefined> {
      return findAdmin(db, address.toLowerCase())
    },

    /** Returns the admin with a wallet, if its role includes the required one. Throws FORBIDDEN. */
    async require(db: Db, address: string, needed: AdminRole): Promise<Admin> {
      const admin = await findAdmin(db, address.toLowerCase())
      if (admin === undefined || !roleAllows(admin.role, needed)) throw new AppError('FORBIDDEN')
      return admin
    },

    /**
     * Gives a wallet a role, or removes it (null). Throws LAST_OWNER if fewer than two persons would remain
     * as owners, because then nobody could grant roles any more.
     */
    async set(
      dbTx: Db,
      { actor, role, ...who }: { address: string; role: AdminRole | null; person: string; actor: string },
    ): Promise<void> {
      await sql`lock table admins in share row exclusive mode`.execute(dbTx)
      const address = who.address.toLowerCase()
      const before = await findAdmin(dbTx, address)
      if (role === null) await sql`delete from admins where address = ${address}`.execute(dbTx)
      else await put(dbTx, { ...who, role })
      if (before?.role === 'owner' && role !== 'owner' && (await countOwners(dbTx)) < OWNERS_NEEDED) {
        throw new AppError('LAST_OWNER')
      }
      await adminLog.record(dbTx, {
        ...{ actor, action: role === null ? 'role.revoke' : 'role.grant', subject: `admin/${address}` },
        before: before && { role: before.role, person: before.person },
        after: role && { role, person: who.person },
      })
    },

    /** Returns all admins, owners first. */
    async list(db: Db): Promise<Admin[]> {
      const { rows } = await sql<Admin>`
        select ${ADMIN} from admins
        order by array_position(array['owner', 'approver', 'operator', 'viewer'], role), person, address`.execute(
        db,
      )
      return rows
    },

    /**
     * Appoints the first admins during set-up, from the environment or the demonstration. Does nothing once
     * there is an owner; from then on roles are proposed and approved. Throws StartError for a single owner, who could never
     * appoint another.
     */
    async appointFirst(db: Db, admins: readonly AdminDraft[]): Promise<void> {
      await inDbTx(db, async (dbTx) => {
        await sql`lock table admins in share row exclusive mode`.execute(dbTx)
        const owner = await sql`select from admins where role = 'owner' limit 1`.execute(dbTx)
        if (owner.rows.length > 0) return
        for (const admin of admins) await put(dbTx, admin)
        if (admins.length > 0 && (await countOwners(dbTx)) < OWNERS_NEEDED)
          throw new StartError(
            'OWNER_ADDRESSES must name at least two owners: one alone could appoint nobody',
          )
        for (const admin of admins) {
          await adminLog.record(dbTx, {
            ...{ actor: SET_UP, action: 'role.appoint', subject: `admin/${admin.address.toLowerCase()}` },
            after: { role: admin.role, person: admin.person },
          })
        }
      })
    },
  }
}

const ADMIN = sql`address, role, person, granted_at as "grantedAt"`

/** Returns the number of persons who are owners. */
async function countOwners(db: Db): Promise<number> {
  const { rows } = await sql<{ owners: number }>`
    select count(distinct person)::integer as owners from admins where role = 'owner'`.execute(db)
  return rows[0]!.owners
}

async function findAdmin(db: Db, address: string): Promise<Admin | undefined> {
  const { rows } = await sql<Admin>`select ${ADMIN} from admins where address = ${address}`.execute(db)
  return rows[0]
}
