import type { PersonChoice } from '@rif/api-schema'
import { type AdminRole, min, roleAllows } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inTx } from '../../../db/database.ts'
import { type Read, read } from '../../../db/read.ts'
import type { Admin } from '../../../lib/caller.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import { lookAlike } from '../../../lib/look-alike-names.ts'
import { StartError } from '../../../lib/start-error.ts'
import type { AdminLogService } from '../admin-log/admin-log.service.ts'
import { approverDifferences, type ListedApprover } from './approvers.ts'
import * as persons from './persons.repository.ts'

/** An admin to appoint, by the name of the person. */
export type AdminDraft = Pick<Admin, 'address' | 'role' | 'person'>

/** The person that a proposal names; the number is null for a new one. */
export interface NamedPerson {
  readonly number: bigint | null
  readonly name: string
}

export type AdminsService = ReturnType<typeof createAdminsService>

const SET_UP = 'set-up'
const OWNERS_NEEDED = 2

/** Creates the service of admins' roles and of the persons who hold them. Rules, section 12. */
export function createAdminsService({ now, adminLog }: { now: Now; adminLog: AdminLogService }) {
  /** Everything that appoints admins or records persons waits for this one lock, so that a name is compared with all. */
  const lock = (dbTx: Db) => sql`lock table admins in share row exclusive mode`.execute(dbTx)

  async function put(
    dbTx: Db,
    { address, role, personId }: { address: string; role: AdminRole; personId: bigint },
  ): Promise<void> {
    await persons.insertWallet(dbTx, { address: address.toLowerCase(), personId, at: now() })
    await sql`
      insert into admins (address, role, granted_at) values (${address.toLowerCase()}, ${role}, ${now()})
      on conflict (address) do update set role = excluded.role, granted_at = excluded.granted_at`.execute(
      dbTx,
    )
  }

  /**
   * Returns the person of a choice. Throws NOT_FOUND for an unknown number, PERSON_ON_RECORD for a new name that
   * looks like one on record, and WALLET_OF_ANOTHER for the wallet of somebody else.
   */
  async function named(db: Db, address: string, choice: PersonChoice): Promise<NamedPerson> {
    const owner = await persons.ofWallet(db, address.toLowerCase())
    const isNew = 'new_name' in choice
    const all = await persons.listPersons(db)
    const person = isNew
      ? all.find(({ name }) => lookAlike(name, choice.new_name))
      : all.find(({ personId }) => personId === BigInt(choice.number))
    if (isNew && person !== undefined)
      throw new AppError('PERSON_ON_RECORD', { person: person.name, number: `${person.rootId}` })
    if (!isNew && person === undefined) throw new AppError('NOT_FOUND')
    if (owner !== undefined && owner.personId !== person?.rootId)
      throw new AppError('WALLET_OF_ANOTHER', { person: owner.name, number: `${owner.personId}` })
    if (person === undefined) return { number: null, name: (choice as { new_name: string }).new_name }
    const root = all.find(({ personId }) => personId === person.rootId)!
    return { number: root.personId, name: root.name }
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

  /** Returns all admins, owners first. */
  async function list(db: Db): Promise<Admin[]> {
    const { rows } = await sql<Admin>`
      select ${ADMIN} from ${ADMINS}
      order by array_position(array['owner', 'approver', 'operator', 'viewer'], role), person, address`.execute(
      db,
    )
    return rows
  }

  return {
    roleRead,
    named,
    list,

    /** Returns the read of a wallet's role, ignoring case; null for none. */
    addressRead: (address: string): Read<AdminRole | null> =>
      read<AdminRole, AdminRole | null>(
        () => sql`
          select null::bigint as member_id, role as value from admins where address = ${address.toLowerCase()}`,
        (role) => role ?? null,
      ),

    /** Returns one line for each difference between the approvers whom the signer lists and the roles. */
    async approverDifferences(db: Db, listed: readonly ListedApprover[]): Promise<string[]> {
      return approverDifferences(listed, await list(db))
    },

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
     * Gives a wallet a role, or removes it (null). Throws as `named`, and LAST_OWNER if fewer than two persons
     * would remain as owners, because then nobody could grant roles any more.
     */
    async set(
      dbTx: Db,
      {
        actor,
        role,
        person,
        ...who
      }: { address: string; role: AdminRole | null; person: PersonChoice; actor: string },
    ): Promise<void> {
      await lock(dbTx)
      const address = who.address.toLowerCase()
      const before = await findAdmin(dbTx, address)
      const { number, name } = await named(dbTx, address, person)
      if (role === null) await sql`delete from admins where address = ${address}`.execute(dbTx)
      else {
        const personId = number ?? (await persons.insertPerson(dbTx, { name, at: now() }))
        await put(dbTx, { address, role, personId })
      }
      if (before?.role === 'owner' && role !== 'owner' && (await countOwners(dbTx)) < OWNERS_NEEDED) {
        throw new AppError('LAST_OWNER')
      }
      const after = await findAdmin(dbTx, address)
      await adminLog.record(dbTx, {
        actor,
        action: role === null ? 'role.revoke' : 'role.grant',
        subject: `admin/${address}`,
        before: before && shown(before),
        after: after && shown(after),
      })
    },

    /** Returns the persons on record by number, without those joined into another. */
    async persons(db: Db): Promise<{ personId: bigint; name: string }[]> {
      return (await persons.listPersons(db)).filter(({ personId, rootId }) => personId === rootId)
    },

    /** Returns the wallets on record of a person by number, in lower case, also those without a role. */
    walletsOf: persons.walletsOf,

    /** Returns the wallets on record of the person of a wallet, and that wallet itself, in lower case. */
    async walletsLike(db: Db, address: string): Promise<string[]> {
      const owner = await persons.ofWallet(db, address.toLowerCase())
      const wallets = owner === undefined ? [] : await persons.walletsOf(db, owner.personId)
      return [...new Set([address.toLowerCase(), ...wallets])]
    },

    /**
     * Appoints the first admins during set-up, from the environment or the demonstration. Does nothing once
     * there is an owner; from then on roles are proposed and approved. Throws StartError for a single owner, who could never
     * appoint another.
     */
    async appointFirst(db: Db, admins: readonly AdminDraft[]): Promise<void> {
      await inTx(db, async (dbTx) => {
        await lock(dbTx)
        const owner = await sql`select from admins where role = 'owner' limit 1`.execute(dbTx)
        if (owner.rows.length > 0) return
        for (const admin of admins) await appoint(dbTx, admin)
        if (admins.length > 0 && (await countOwners(dbTx)) < OWNERS_NEEDED)
          throw new StartError(
            'OWNER_ADDRESSES must name at least two owners: one alone could appoint nobody',
          )
      })
    },

    /**
     * Joins persons on record whose names look alike: they become one person, under the lowest number. Returns all
     * persons that were ever joined, and the number of persons who are owners: below two nobody can appoint anybody.
     */
    async joinLookAlikes(db: Db): Promise<{ joined: readonly JoinedPersons[]; owners: number }> {
      if (joinsOf(await persons.listPersons(db)).length > 0)
        await inTx(db, async (dbTx) => {
          await lock(dbTx)
          for (const { rootId, personIds } of joinsOf(await persons.listPersons(dbTx))) {
            await persons.join(dbTx, { rootId, personIds })
            await adminLog.record(dbTx, {
              actor: SET_UP,
              action: 'person.join',
              subject: `person/${rootId}`,
              after: { joined: personIds.map(String) },
            })
          }
        })
      const all = await persons.listPersons(db)
      const joined = all
        .filter(({ personId, rootId }) => personId === rootId)
        .map(({ personId: number, name }) => {
          const others = all.filter(({ personId, rootId }) => rootId === number && personId !== number)
          return { number, name, others: others.map(({ personId }) => personId) }
        })
        .filter(({ others }) => others.length > 0)
      return { joined, owners: await countOwners(db) }
    },

    /**
     * Appoints a new person as owner while fewer than two persons are owners, for whoever runs the product. Throws
     * StartError while two are, and as `named`.
     */
    async appointMissingOwner(db: Db, { address, name }: { address: string; name: string }): Promise<void> {
      await inTx(db, async (dbTx) => {
        await lock(dbTx)
        if ((await countOwners(dbTx)) >= OWNERS_NEEDED)
          throw new StartError('two persons are owners: one proposes the role, and another approves it')
        await named(dbTx, address, { new_name: name })
        await appoint(dbTx, { address, role: 'owner', person: name })
      })
    },
  }

  /** Appoints an admin for whoever sets the product up. A name on record is the same person, one like it a mistake. */
  async function appoint(dbTx: Db, { address, role, person: name }: AdminDraft): Promise<void> {
    const alike = (await persons.listPersons(dbTx)).find((listPerson) => lookAlike(listPerson.name, name))
    if (alike !== undefined && alike.name !== name)
      throw new StartError(`the names "${alike.name}" and "${name}" of two persons look alike`)
    const choice = alike === undefined ? { new_name: name } : { number: `${alike.rootId}` }
    const { number } = await named(dbTx, address, choice)
    const personId = number ?? (await persons.insertPerson(dbTx, { name, at: now() }))
    await put(dbTx, { address, role, personId })
    await adminLog.record(dbTx, {
      actor: SET_UP,
      action: 'role.appoint',
      subject: `admin/${address.toLowerCase()}`,
      after: { role, person: name, person_number: `${personId}` },
    })
  }
}

/** A person into which others were joined, by their numbers. */
export interface JoinedPersons {
  readonly number: bigint
  readonly name: string
  readonly others: readonly bigint[]
}

/** Returns the joins that are missing: persons not joined yet whose names look alike, directly or through others. */
function joinsOf(all: readonly persons.PersonRow[]): { rootId: bigint; personIds: bigint[] }[] {
  const groups: persons.PersonRow[][] = []
  for (const person of all) {
    const [first, ...more] = groups.filter((group) =>
      group.some(({ name, rootId }) => rootId === person.rootId || lookAlike(name, person.name)),
    )
    if (first === undefined) groups.push([person])
    else {
      first.push(person, ...more.flat())
      for (const group of more) groups.splice(groups.indexOf(group), 1)
    }
  }
  return groups.flatMap((group) => {
    const rootId = group.map(({ personId }) => personId).reduce(min)
    const personIds = group.filter((item) => item.rootId !== rootId).map(({ personId }) => personId)
    return personIds.length === 0 ? [] : [{ rootId, personIds }]
  })
}

const shown = ({ role, person, personId }: Admin) => ({ role, person, person_number: `${personId}` })

/** The admins, each with the person of the wallet. */
const ADMINS = sql`
  (select address, role, granted_at, root.name as person, root.person_id
    from admins
    join person_wallets using (address)
    join persons as own on own.person_id = person_wallets.person_id
    join persons as root on root.person_id = coalesce(own.joined_into, own.person_id)) as admins`
const ADMIN = sql`address, role, person, person_id as "personId", granted_at as "grantedAt"`

/** Returns the number of persons who are owners. */
async function countOwners(db: Db): Promise<number> {
  const { rows } = await sql<{ owners: number }>`
    select count(distinct person_id)::integer as owners from ${ADMINS} where role = 'owner'`.execute(db)
  return rows[0]!.owners
}

async function findAdmin(db: Db, address: string): Promise<Admin | undefined> {
  const { rows } = await sql<Admin>`select ${ADMIN} from ${ADMINS} where address = ${address}`.execute(db)
  return rows[0]
}
