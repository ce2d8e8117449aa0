import type { AdminEntry } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../../db/database.ts'
import type { Admin } from '../../../lib/caller.ts'
import { register } from '../../../plugins/route.ts'
import type { AdminsService } from './admins.service.ts'

/** `admin/me` and `admin/roles`. */
export function adminRoutes(app: FastifyInstance, { db, admins }: { db: Db; admins: AdminsService }): void {
  register(app, 'adminMe', async ({ admin, caller }) => ({
    ...entryOf(admin),
    member: caller.memberId !== null,
  }))

  register(app, 'adminRoles', async () => {
    const [list, persons] = await Promise.all([admins.list(db), admins.persons(db)])
    return {
      items: list.map(entryOf),
      persons: persons.map(({ personId, name }) => ({ number: `${personId}`, name })),
    }
  })
}

const entryOf = ({ address, role, person, personId, grantedAt }: Admin): AdminEntry => ({
  address: getAddress(address as Hex),
  role,
  person,
  person_number: `${personId}`,
  since: grantedAt.toISOString(),
})
