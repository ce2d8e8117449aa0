import type { FastifyInstance } from 'fastify'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../db/database.ts'
import { register } from '../../plugins/route.ts'
import type { Label, LabelsService } from './labels.service.ts'
import type { MembersService } from './members.service.ts'

interface Deps {
  readonly db: Db
  readonly members: MembersService
  readonly labels: LabelsService
}

/** `me/labels`: private names and pins for members of the own team. */
export function labelRoutes(app: FastifyInstance, { db, members, labels }: Deps): void {
  const views = async (notes: readonly Label[]) => {
    const wallets = await members.addresses(
      db,
      notes.map(({ aboutId }) => aboutId),
    )
    return notes.map(({ aboutId, label, pinned }) => ({
      member_id: `${aboutId}`,
      address: getAddress(wallets.get(aboutId) as Hex),
      label,
      pinned,
    }))
  }

  register(app, 'labels', async ({ session }) => ({
    items: await views(await labels.all(db, session.memberId)),
  }))

  register(app, 'setLabel', async ({ session, body }) => {
    const note = { aboutId: BigInt(body.member_id), label: body.label, pinned: body.pinned }
    await labels.set(db, session.memberId, note)
    const [view] = await views([note])
    return view!
  })

  register(app, 'deleteLabel', async ({ session, body }) => {
    await labels.delete(db, session.memberId, BigInt(body.member_id))
    return body
  })
}
