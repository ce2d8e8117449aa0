import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { giveRole } from '../../../testing/roles.ts'
import { startTestProduct, type TestMember, type TestProduct } from '../../../testing/test-product.ts'
import { walletsOfPerson } from './persons.ts'

let product: TestProduct
let member: TestMember

beforeAll(async () => {
  product = await startTestProduct()
  await product.publishPrice('AMC', '0.5')
  member = await product.join(null)
  await product.grant(member, 'USDT', '100')
  await product.finalise()
})
afterAll(() => product.stop())

it('a wallet that a member’s withdrawal was paid to counts as the same person, from the payment on', async () => {
  const own = member.wallet.toLowerCase()
  const second = '0x00000000000000000000000000000000b2b2b2b2'
  const isOwn = async (a: string, b: string) =>
    (await walletsOfPerson(product.services, product.db, a)).own.has(b)
  const ownership = () =>
    Promise.all([
      isOwn(own, second),
      isOwn(second, own),
      isOwn(own, '0x00000000000000000000000000000000b3b3b3b3'),
    ])
  const { withdraw_id } = await product.withdraw(member, 'USDT', '20', second)
  await product.approveWithdrawal(member, withdraw_id)
  expect(await ownership()).toEqual([false, false, false])
  await product.claim(member, withdraw_id)
  await product.finalise()
  expect(await ownership()).toEqual([true, true, false])

  // An owner does not vouch for a wallet that is the owner's own, as far as known, as that of a new person.
  await giveRole(product.services, { address: member.wallet, role: 'owner', person: 'Maud' })
  const admin = (await product.services.admins.find(product.db, own))!
  const roleOf = (address: string) => ({
    ...({ kind: 'role', reason: 'as tested', delayMs: 0 } as const),
    payload: { address, role: 'approver', person: { new_name: 'Nora' } } as const,
  })
  const { proposals } = product.services
  await expect(proposals.preview(admin, roleOf(second))).rejects.toThrow('OWN_PROPOSAL')
  await expect(inTx(product.db, (dbTx) => proposals.prepare(dbTx, admin, roleOf(second)))).rejects.toThrow(
    'OWN_PROPOSAL',
  )
  await proposals.preview(admin, roleOf('0x00000000000000000000000000000000b3b3b3b3'))
})
