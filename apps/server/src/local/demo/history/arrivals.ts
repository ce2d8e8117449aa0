import { testUsdtAbi } from '@rif/contracts/abi'
import { dayOf, defaultPlan, type PaymentAsset, parseMicros } from '@rif/rules'
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from 'viem'
import { inTx } from '../../../db/database.ts'
import { DEMO_TEAM, DEPOSITS, type DemoPurchase } from '../cast.ts'
import type { DemoTx } from '../demo-chain.ts'
import { FUND_DEPOSITS } from '../fund-products.ts'
import { GIFT, type Gift, grantHashPower, handOutTokens, signUp } from '../team.ts'
import { createRandom } from './random.ts'
import { tokenOf, unitsOf, type World } from './world.ts'

/** The operator's external earnings, which its wallet pays into the bank one after the other. */
const EARNINGS = { USDT: '1000000' } as const
const WHOLE = parseMicros('1')
/** Test deposits of members, so that some start with a balance. */
const GIFTS: readonly { readonly member: string; readonly asset: PaymentAsset; readonly amount: string }[] = [
  ...DEPOSITS,
  ...FUND_DEPOSITS.map(({ member, amount }) => ({ member, asset: 'USDT' as const, amount })),
]

/** Gives all wallets test tokens, and approves the bank to take the deposits of the operator's wallet. */
export async function handOut(world: World, purchases: readonly DemoPurchase[]): Promise<void> {
  const { services, chain } = world
  const { contracts } = services.chain
  const gifts = giftsOf(world, purchases)
  await handOutTokens(services, chain, (account) => gifts.get(account) ?? GIFT)
  const from = await chain.treasury()
  const approve = (asset: PaymentAsset): DemoTx => {
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [contracts.bank, maxUint256],
    })
    return { from, tx: { to: tokenOf(world, asset), data } }
  }
  const earned = [from, unitsOf(world, 'USDT', parseMicros(EARNINGS.USDT))] as const
  const mint = encodeFunctionData({ abi: testUsdtAbi, functionName: 'mint', args: earned })
  await chain.mineTogether([
    { from, tx: { to: contracts.usdt, data: mint } },
    approve('USDT'),
    approve('AMC'),
  ])
  await chain.finalise()
}

/** Returns the initial balance of each member's wallet: the cost of its packages, and some more. */
function giftsOf({ accounts }: World, purchases: readonly DemoPurchase[]): ReadonlyMap<Address, Gift> {
  const random = createRandom('wallets')
  return new Map(
    DEMO_TEAM.map(({ name }): [Address, Gift] => {
      const costMicros = purchases
        .filter(({ buyer }) => buyer === name)
        .map(({ level }) => defaultPlan.packages.find((terms) => terms.level === level)!.priceMicros)
        .reduce((sum, price) => sum + price, 0n)
      const spare = {
        usdt: WHOLE * BigInt(random.whole(900, 2_600)),
        amc: WHOLE * BigInt(random.whole(600, 1_900)),
      }
      // 70% in USDT, and AMC at half a USDT or more.
      return [
        accounts.walletOf(name),
        { usdt: (costMicros * 7n) / 10n + spare.usdt, amc: (costMicros * 6n) / 10n + spare.amc },
      ]
    }),
  )
}

/** Signs up a person of the cast, and books the person's initial hash power and test deposits. */
export async function joinTeam(world: World, name: string): Promise<void> {
  const { services, chain, accounts, team } = world
  const { db, members } = services
  const person = DEMO_TEAM.find((item) => item.name === name)!
  const wallet = accounts.walletOf(name)
  const sponsorOf = async () =>
    person.sponsor === null ? (await members.root(db))! : members.get(db, team.get(person.sponsor)!.memberId)
  const member =
    (await members.findByAddress(db, wallet)) ??
    (await signUp(services, chain, { person, wallet, sponsor: await sponsorOf() }))
  const { memberId, address } = member
  team.set(name, { memberId, address, wallet })
  await grantHashPower(services, person, member)
  for (const { asset, amount } of GIFTS.filter((item) => item.member === name))
    await give(world, memberId, asset, amount)
}

/** Books a test deposit (rules, section 2), and puts its tokens into the bank. */
async function give(world: World, memberId: bigint, asset: PaymentAsset, amount: string): Promise<void> {
  const { services, chain } = world
  const { ledger, now, db } = services
  const amountMicros = parseMicros(amount)
  const args = [services.chain.contracts.bank, unitsOf(world, asset, amountMicros)] as const
  const data: Hex = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await chain.mineTogether([{ from: await chain.treasury(), tx: { to: tokenOf(world, asset), data } }])
  await inTx(db, (dbTx) =>
    ledger.post(dbTx, {
      key: `demonstration/deposit/${world.nextNumber()}`,
      kind: 'grant',
      at: now(),
      cause: { type: 'demonstration', id: 'deposit' },
      accountingDay: dayOf(now().getTime()),
      lines: [{ memberId, asset, source: 'external', destination: 'available', amountMicros }],
    }),
  )
}
