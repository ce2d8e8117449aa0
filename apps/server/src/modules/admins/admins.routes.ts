import type { AdminEntry } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../db/database.ts'
import { register } from '../../plugins/route.ts'
import type { Admin, AdminsService } from './admins.service.ts'

/** `admin/me` and `admin/roles`. */
export function adminRoutes(app: FastifyInstance, { db, admins }: { db: Db; admins: AdminsService }): void {
  register(app, 'adminMe', async ({ admin, caller }) => ({
    ...entryOf(admin),
    member: caller.memberId !== null,
  }))

  register(app, 'adminRoles', async () => ({ items: (await admins.list(db)).map(entryOf) }))
}

const entryOf = ({ address, role, person, grantedAt }: Admin): AdminEntry => ({
  address: getAddress(address as Hex),
  role,
  person,
  since: grantedAt.toISOString(),
})
