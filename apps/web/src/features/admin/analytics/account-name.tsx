import { MEMBER_ACCOUNTS } from '@rif/rules'
import { useTranslation } from '../../../lib/index.ts'

const OWN = [
  ...(['commission_pool', 'yield_pool', 'savings_pool', 'dividend_pool'] as const),
  ...(['suspense', 'revenue', 'fees', 'external', 'clearing'] as const),
]

/** How accounts follow one another in a table, by how their names begin. */
export const ACCOUNT_ORDER = [...OWN.slice(0, 5), 'fund_custody', ...OWN.slice(5)]

/** An account of the books in words; a fund product's custody with the product's name, where it is known. */
export function AccountName({ account, product }: { account: string; product: string | null }) {
  const { t } = useTranslation()
  const own = OWN.find((name) => name === account)
  if (own !== undefined) return t(`adminAnalytics.account.${own}`)
  const member = MEMBER_ACCOUNTS.find((name) => name === account)
  if (member !== undefined) return t(`account.${member}`)
  const [, id, part] = /^fund_custody:([0-9]+):(principal|proceeds)$/.exec(account) ?? []
  if (part === undefined) return account
  return `${product ?? `#${id}`} · ${t(`adminAnalytics.account.${part as 'principal' | 'proceeds'}`)}`
}
