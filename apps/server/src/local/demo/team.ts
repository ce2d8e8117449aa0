import { amcTokenAbi, testUsdtAbi } from '@rif/contracts/abi'
import { parseMicros, toChainUnits } from '@rif/rules'
import { type Address, encodeFunctionData } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { inTx } from '../../db/database.ts'
import type { Member } from '../../modules/members/members.service.ts'
import type { Services } from '../../services.ts'
import { DEMO_TEAM, type DemoPerson } from './cast.ts'
import type { DemoChain, DemoTx } from './demo-chain.ts'
import { beginningOf, servicesAt } from './demo-clock.ts'
import type { DemoAccounts } from './demo-wallets.ts'

/** The signed-up team, by name. */
export type DemoTeam = ReadonlyMap<string, DemoMember>
export interface DemoMember {
  readonly memberId: bigint
  /** In lower case, as members are stored. */
  readonly address: string
  readonly wallet: Address
}

/** The admin that the log names for the demonstration's actions. */
export const OPERATOR = 'demonstration'
/** The admin who approves them. */
export const SECOND_OPERATOR = 'demonstration-approver'

/** The amounts that a wallet receives, in micro-units. */
export type Gift = { readonly usdt: bigint; readonly amc: bigint }

export const GIFT: Gift = { usdt: parseMicros('100000'), amc: parseMicros('200000') }
const SIGN_UP_EVERY_MS = 180_000
export const FIRST_PRICES = { AMC: parseMicros('0.5'), RIF: parseMicros('2.5') } as const

/**
 * Gives every demo account test tokens of each token that it lacks: a large amount, unless `giftTo` returns
 * another.
 */
export async function handOutTokens(
  services: Services,
  chain: DemoChain,
  giftTo: (account: Address) => Gift = () => GIFT,
): Promise<void> {
  const { untrustedClient: client, contracts, decimals } = services.chain
  const from = await chain.treasury()
  const lacking = async (token: Address): Promise<Address[]> => {
    const balances = await Promise.all(
      chain.accounts.map((account) =>
        client.readContract({
          address: token,
          abi: amcTokenAbi,
          functionName: 'balanceOf',
          args: [account],
        }),
      ),
    )
    return chain.accounts.filter((_, index) => balances[index] === 0n)
  }
  const minting = (await lacking(contracts.usdt)).map((account): DemoTx => {
    const usdt = toChainUnits(giftTo(account).usdt, decimals.USDT)
    const data = encodeFunctionData({ abi: testUsdtAbi, functionName: 'mint', args: [account, usdt] })
    return { from, tx: { to: contracts.usdt, data } }
  })
  const giving = (await lacking(contracts.amc)).map((account): DemoTx => {
    const amc = toChainUnits(giftTo(account).amc, decimals.AMC)
    const data = encodeFunctionData({ abi: amcTokenAbi, functionName: 'transfer', args: [account, amc] })
    return { from, tx: { to: contracts.amc, data } }
  })
  await chain.mineTogether([...minting, ...giving])
}

/** Publishes the prices that have not been published yet, valid from the beginning. */
export async function publishPrices(services: Services): Promise<void> {
  const { db } = services
  const { now, pricing } = servicesAt(services, () => beginningOf(services.now()))
  for (const asset of ['AMC', 'RIF'] as const) {
    if ((await pricing.priceAt(db, asset, now())) !== null) continue
    await inTx(db, (dbTx) =>
      pricing.publish(dbTx, { asset, priceMicros: FIRST_PRICES[asset], actor: OPERATOR }),
    )
  }
}

/**
 * Signs up everybody who is not a member yet, each by the sponsor's invitation, and grants hash power: one
 * after the other, in the first hours of the demonstration.
 */
export async function signUpTeam(
  present: Services,
  chain: DemoChain,
  accounts: DemoAccounts,
): Promise<DemoTeam> {
  const began = beginningOf(present.now()).getTime()
  let joined = 0
  const services = servicesAt(present, () => new Date(began + joined * SIGN_UP_EVERY_MS))
  const { db, members } = services
  const top = accounts.walletOf(DEMO_TEAM[0]!.name)
  const existingRoot = await members.root(db)
  const root = existingRoot ?? (await inTx(db, (dbTx) => members.createRoot(dbTx, top)))
  const membersByName = new Map<string, Member>()
  const team = new Map<string, DemoMember>()
  for (const [index, person] of DEMO_TEAM.entries()) {
    joined = index
    const wallet = accounts.walletOf(person.name)
    const sponsor = person.sponsor === null ? root : membersByName.get(person.sponsor)!
    // Members without an invitation also sign in once, and so accept the terms.
    const signs = existingRoot === undefined && person.sponsor === null
    const member =
      (signs ? undefined : await members.findByAddress(db, wallet)) ??
      (await signUp(services, chain, { person, wallet, sponsor }))
    membersByName.set(person.name, member)
    team.set(person.name, { memberId: member.memberId, address: member.address, wallet })
    await grantHashPower(services, person, member)
  }
  return team
}

/** Finds the team that a history has signed up. */
export async function findTeam({ db, members }: Services, accounts: DemoAccounts): Promise<DemoTeam> {
  const entries = DEMO_TEAM.map(async ({ name }): Promise<[string, DemoMember]> => {
    const wallet = accounts.walletOf(name)
    const member = await members.findByAddress(db, wallet)
    if (member === undefined) throw new Error(`${name} of the demonstration has not signed up`)
    return [name, { memberId: member.memberId, address: member.address, wallet }]
  })
  return new Map(await Promise.all(entries))
}

/** Grants a member of the team its hash power. */
export async function grantHashPower(
  { db, hashPowerGrants }: Services,
  { name, rif }: DemoPerson,
  { memberId }: Member,
): Promise<void> {
  if (rif === undefined) return
  const reason = 'Hash power to try the discount with'
  const grant = { key: `demonstration/${name}`, memberId, amountMicros: parseMicros(rif), reason }
  const by = { preparedBy: OPERATOR, approvedBy: SECOND_OPERATOR }
  await inTx(db, (dbTx) => hashPowerGrants.give(dbTx, by, [grant]))
}

/** Signs up a person with the wallet's signature, by the sponsor's invitation. */
export async function signUp(
  { auth, now }: Services,
  chain: DemoChain,
  { person, wallet, sponsor }: { person: DemoPerson; wallet: Address; sponsor: Member },
): Promise<Member> {
  const { nonce, domain, uri, chainId, statement, termsUri } = await auth.issueNonce(wallet)
  const message = createSiweMessage({
    address: wallet,
    nonce,
    domain,
    uri,
    chainId,
    statement,
    issuedAt: now(),
    version: '1',
    resources: [termsUri],
  })
  const signature = await chain.sign(wallet, message)
  const { inviteCode } = sponsor
  const { member } = await auth.signIn({ message, signature, inviteCode, side: person.side })
  return member!
}
