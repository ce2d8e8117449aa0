import { fundActions } from '../../../testing/fund-actions.ts'
import { startTestProduct } from '../../../testing/test-product.ts'

export const HOUR_MS = 3_600_000
/** The time from the approval of a redemption to its payment. */
export const PAYOUT_MS = 72 * HOUR_MS

export type FundProduct = Awaited<ReturnType<typeof startFundProduct>>

/** Starts a product with a root and two members below it, each with 10,000 USDT. */
export async function startFundProduct() {
  const product = await startTestProduct()
  const root = await product.join(null)
  const [member, other] = [await product.join(root), await product.join(root)]
  for (const holder of [member, other]) await product.grant(holder, 'USDT', '10000')
  const services = () => product.services.fund
  return {
    product,
    root,
    member,
    other,
    services,
    fund: fundActions(product),
    payDue: () => services().payouts.payDue(product.db),

    /**
     * Returns the differences found by the audit. Investments leave the books here but not the bank, which
     * the audit only notes.
     */
    async audit() {
      await product.finalise()
      return (await product.audit()).filter(({ isNote }) => isNote !== true)
    },

    /** Returns the differences between the fund and the ledger, for tests whose events are not on the chain. */
    fundAudit: async () => (await product.audit()).filter(({ check }) => check.startsWith('fund')),
  }
}
