import type { FundOrder } from '@rif/api-schema'
import { amcTokenAbi, rifBankAbi } from '@rif/contracts/abi'
import { ALL_WEEKDAYS, type FundTerms, parseMicros, toChainUnits, type UnitLimits } from '@rif/rules'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { inTx } from '../db/database.ts'
import { custodyAccount } from '../modules/books/ledger/accounts.ts'
import type { ValuationDraft } from '../modules/fund/fund.service.ts'
import type { TestMember, TestProduct } from './test-product.ts'
import { unsigned } from './unsigned.ts'

const HASH: Hex = `0x${'ab'.repeat(32)}`
const GAS = '0x7a120'

/** The fund's services in a form for tests: amounts as decimal texts, both admins in one call. */
export function fundActions(product: TestProduct) {
  const { db, services } = product
  const { fund, ledger } = services

  const evidence = {
    heldAt: 'the custodian',
    document: { title: 'Statement', mediaType: 'text/plain', content: Buffer.from('worth it') },
  }
  const custodyOf = async (productId: bigint) =>
    (await ledger.pools.balances(db, custodyAccount(productId))).USDT

  async function invest(productId: bigint, amount: string): Promise<void> {
    await inTx(db, async (dbTx) => {
      const { investment_id: investmentId } = await fund.investments.setAside(dbTx, {
        productId,
        amountMicros: parseMicros(amount),
        destination: '0x',
        evidence,
        preparedBy: 'anna',
        approvedBy: 'ben',
      })
      await fund.investments.invest(dbTx, { investmentId })
    })
  }

  async function decide(terms: Omit<ValuationDraft, 'evidence' | 'actor'>): Promise<void> {
    await inTx(db, async (dbTx) => {
      const draft = { ...terms, evidence, actor: 'anna' }
      const { valuation_id: valuationId } = await fund.valuations.propose(dbTx, draft)
      await fund.valuations.approve(dbTx, { valuationId, actor: 'ben' })
    })
  }

  return {
    invest,
    evidence,

    value: (productId: bigint, value: string) => decide({ productId, valueMicros: parseMicros(value) }),

    /** Returns cash by a divestment, and deposits it in the bank. */
    async divest(productId: bigint, amount: string, left: string): Promise<void> {
      const amountMicros = parseMicros(amount)
      await product.testChain.fund(product.chain.contracts.bank, { usdt: amountMicros, amc: 0n })
      await decide({ productId, amountMicros, valueMicros: parseMicros(left) })
    },

    /** Returns cash by a divestment with a deposit that is in the bank. */
    return: (productId: bigint, depositId: string, amount: string, left: string) =>
      decide({
        productId,
        depositId,
        amountMicros: parseMicros(amount),
        valueMicros: parseMicros(left),
      }),

    /**
     * Opens a product with the price of its first units, and without limits of units unless they are given.
     */
    async open(
      name: string,
      price: string,
      terms: Partial<FundTerms> = {},
      limits: Partial<UnitLimits> | 'default' = {},
    ): Promise<bigint> {
      const { productId } = await inTx(db, async (dbTx) => {
        const prepared = await fund.products.prepare(dbTx, {
          name,
          introduction: { en: `About ${name}`, ja: '商品の説明' },
          riskLevel: 2,
          estimatedAnnualReturnPpm: 50_000,
          terms: {
            minimumMicros: 0n,
            lockDays: 0,
            redeemableWeekdays: ALL_WEEKDAYS,
            subscriptionPpm: 10_000,
            redemptionPpm: 5_000,
            managementPpm: 200_000,
            ...terms,
          },
          documents: [
            { title: 'terms.txt', mediaType: 'text/plain', content: Buffer.from(`terms of ${name}`) },
          ],
          ...(limits !== 'default' && {
            limits: { maxMemberUnits: null, maxUnits: null, soldPpm: null, ...limits },
          }),
          openingMicros: parseMicros(price),
          actor: 'anna',
        })
        await fund.products.approve(dbTx, { productId: prepared.productId, actor: 'ben' })
        return prepared
      })
      return productId
    },

    buy: (
      member: TestMember,
      productId: bigint,
      units: bigint,
      payWith: 'available' | 'wallet' = 'available',
    ) => inTx(db, (dbTx) => unsigned(services).fund.orders.buy(dbTx, member, { productId, units, payWith })),

    /** Approves and pays an order on chain. */
    async pay(member: TestMember, order: FundOrder) {
      const orderId = BigInt(order.order_id)
      const { before, tx } = await fund.orders.approval(db, member.memberId, orderId)
      for (const rawTx of tx === null ? before : [...before, tx]) await product.send(member, rawTx)
      return product.send(member, (await fund.orders.payment(db, member.memberId, orderId)).tx)
    },

    order: (member: TestMember, orderId: string) => fund.orders.get(db, member.memberId, BigInt(orderId)),

    redeem: (member: TestMember, productId: bigint, units: bigint) =>
      inTx(db, (dbTx) => fund.redemptions.request(dbTx, member.memberId, productId, units)),

    redemption: (member: TestMember, id: string) => fund.redemptions.get(db, member.memberId, BigInt(id)),

    async decide(member: TestMember, id: string, approve: boolean): Promise<void> {
      const subject = { memberId: member.memberId, redemptionId: BigInt(id) }
      await inTx(db, (dbTx) =>
        fund.review.review(dbTx, { ...subject, approve, reason: 'looked at', actor: 'anna' }),
      )
      await inTx(db, (dbTx) => fund.review.confirm(dbTx, { ...subject, actor: 'ben' }))
    },

    /**
     * Pays revenue into the bank on chain, not final yet. Returns the data that its attestation must contain.
     */
    async deposit(payer: TestMember, amount: string): Promise<{ depositId: bigint; documentHash: string }> {
      const { bank, usdt } = product.chain.contracts
      const units = toChainUnits(parseMicros(amount), product.chain.decimals.USDT)
      const send = async (to: Address, data: Hex) => {
        const tx = { from: payer.wallet, to, data, gas: GAS }
        await product.receiptOf(await product.testChain.rpc<Hex>('eth_sendTransaction', [tx]))
      }
      const approve = { abi: amcTokenAbi, functionName: 'approve', args: [bank, units] } as const
      await send(usdt, encodeFunctionData(approve))
      const deposit = { functionName: 'depositRevenue', args: [HASH, usdt, units, HASH] } as const
      await send(bank, encodeFunctionData({ abi: rifBankAbi, ...deposit }))
      const read = { address: bank, abi: rifBankAbi, functionName: 'depositCount' } as const
      return { depositId: await product.chain.untrustedClient.readContract(read), documentHash: HASH }
    },

    balance: async (member: TestMember) => (await ledger.balances(db, member.memberId)).USDT,
    custody: custodyOf,
    nav: async (productId: bigint) => (await fund.products.get(db, productId)).nav_micros,
  }
}
